"""Flexible bodies for mechanism files: from mass and stiffness matrices to a .flex file.

    K, M = flex.beams(X, elements, section)                  or matrices of any finite element program
    model = flex.Model(K, M, X)                              six numbers per node: ux uy uz rx ry rz
    body = model.reduce({"root": 0, "tip": 60}, modes=8)     Craig-Bampton: interface nodes and fixed-interface modes
    body.write("beam.flex")

    body = flex.readers.mbdyn("rod.fem").body({"big": "1"})  modal files contain modes: of MBDyn, and SID_FEM (readers.sid_fem)

`python -m mechfmu.flex --help` does the same from files. docs/flexible.md has the equations and the format.
"""

from . import readers
from .body import FlexibleBody
from .frames import Section, beams
from .model import Model, ModelError, rigid_motions
from .span import Span

__all__ = ["FlexibleBody", "Model", "ModelError", "Section", "Span", "beams", "readers", "rigid_motions"]

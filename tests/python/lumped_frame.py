#!/usr/bin/env python3
"""The frame of models/atv as 106 rigid lumps on 116 bushings, spinning freely: a reference for its modes.

  PYTHONPATH=python build/venv/bin/python tests/python/lumped_frame.py spin.xml
  build/mechfmu simulate spin.xml --tolerance 1e-12 -o tests/python/spinning_frame.csv

Half of each tube element is a mass at its node, with a spherical inertia: a turning node does not change the inertia,
and modes of the same masses differ from the lumps only by the terms that the formulation of a flexible body leaves out.
A bushing in the middle of an element is exactly the stiffness of an Euler-Bernoulli beam.
"""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
from mechfmu import flex

SPIN = np.array([3.0, 2.25, 7.5])  # rad/s
NODES = ("n0", "n5", "n10", "n15")  # corners of the frame


def frame() -> ModuleType:
    """models/atv/frame.py."""
    path = Path(__file__).resolve().parents[2] / "models/atv/frame.py"
    spec = importlib.util.spec_from_file_location("atv_frame", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lumps() -> tuple[np.ndarray, list[tuple[int, int]], dict[str, int], np.ndarray, np.ndarray]:
    """Places, elements, names of corners; mass and inertia of each node."""
    atv = frame()
    X, elements, names = atv.mesh()
    m = np.zeros(len(X))
    for i, j in elements:
        m[[i, j]] += atv.TUBE.rho * atv.TUBE.A * atv.LENGTH / 2
    return X, elements, names, m, m * atv.LENGTH**2 / 12


def model() -> tuple[flex.Model, dict[str, int]]:
    """Finite elements with these masses."""
    X, elements, names, m, j = lumps()
    K, _ = flex.beams(X, elements, frame().TUBE)
    return flex.Model(K, np.diag(np.repeat(np.column_stack([m, j]).ravel(), 3)), X), {name: names[name] for name in NODES}


def text(numbers) -> str:
    """In the form of attributes."""
    return " ".join(f"{x:.15g}" for x in np.atleast_1d(numbers))


def mechanism() -> str:
    """The lumps."""
    X, elements, names, m, j = lumps()
    t, h = frame().TUBE, frame().LENGTH
    centre = m @ X / m.sum()
    lines = ['<mechanism name="Spin" length_scale="0.3">']
    for n, x in enumerate(X):
        motion = f'velocity="{text(np.cross(SPIN, x - centre))}" angular_velocity="{text(SPIN)}" free="true"'
        lines.append(f'  <body name="b{n}" at="{text(x)}" mass="{text(m[n])}" inertia="{text([j[n]] * 3)}" {motion}/>')
    bend = 12 * t.E * t.Iy / h**3
    stiffness = text([bend, bend, t.E * t.A / h])
    torsion = text([t.E * t.Iy / h, t.E * t.Iy / h, t.G * t.J / h])
    for k, (a, b) in enumerate(elements):
        along = X[b] - X[a]
        across = "0 0 1" if abs(along[2]) < 1e-9 else "1 0 0"
        lines.append(f'  <bushing name="e{k}" between="b{a} b{b}" at="{text((X[a] + X[b]) / 2)}" axis="{text(along)}" axis2="{across}" stiffness="{stiffness}" torsion="{torsion}"/>')
    lines += [f'  <output name="{name}" value="b{names[name]}.position" unit="m"/>' for name in NODES]
    return "\n".join([*lines, '  <experiment stop="0.05" step="0.001"/>', "</mechanism>\n"])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(mechanism())

"""Mechanism files and FMUs from Python: the commands of the tool `mechfmu` as functions that return
data.

    mechfmu.new("four_bar")                             four_bar.xml, from a template
    check = mechfmu.check("four_bar.xml")               facts about a mechanism
    result = mechfmu.simulate("four_bar.xml", stop=5)   arrays over time
    model = mechfmu.linearize("four_bar.xml", trim=True)   A, B, C, D
    fmus = mechfmu.export("four_bar.xml")               {2: four_bar.fmu, 3: four_bar.fmi3.fmu}

Errors in a file raise MechanismError, with file and line. mechfmu.fmu runs FMUs of FMI 2.0 and 3.0
with the same calls, `python -m mechfmu.sweep` runs one FMU many times, `python -m mechfmu.couple`
couples several, and `python -m mechfmu.flex` builds flexible bodies from mass and stiffness
matrices.
"""

from .mechanism import (
    Body,
    Check,
    LinearModel,
    Move,
    Result,
    Variable,
    check,
    export,
    linearize,
    new,
    simulate,
)
from .tool import MechanismError, Problem, ToolError, program

__all__ = [
    "Body",
    "Check",
    "LinearModel",
    "MechanismError",
    "Move",
    "Problem",
    "Result",
    "ToolError",
    "Variable",
    "check",
    "export",
    "linearize",
    "new",
    "program",
    "simulate",
]

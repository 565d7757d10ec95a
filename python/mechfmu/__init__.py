"""Mechanism files and FMUs from Python: what the tool `mechfmu` does, as functions that return data.

    mechfmu.new("four_bar")                             a file to start from: four_bar.xml
    check = mechfmu.check("four_bar.xml")               facts about a mechanism
    result = mechfmu.simulate("four_bar.xml", stop=5)   arrays over time
    model = mechfmu.linearize("four_bar.xml", trim=True)   A, B, C, D
    fmus = mechfmu.export("four_bar.xml")               {2: four_bar.fmu, 3: four_bar.fmi3.fmu}

What is wrong with a file is a MechanismError, with file and line. mechfmu.fmu runs FMUs of both versions with the same calls,
`python -m mechfmu.sweep` runs one many times, `python -m mechfmu.couple` several of them together. `python -m mechfmu.flex` makes
flexible bodies of mass and stiffness matrices.
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

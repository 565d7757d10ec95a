"""Closed loops of mechanisms and controllers: FMUs connected in an SSP package, run in masters,
measured, plotted.

    python -m mechfmu.couple examples/cart_pole
    loop = mechfmu.couple.load("examples/cart_pole").LOOP

A loop is a folder with loop.py, which describes the connections (LOOP, a Loop), and controller.py,
a class.
"""

from pathlib import Path
from types import ModuleType

from .loop import Loop, Panel
from .master import Master
from .modules import load_module

__all__ = ["Loop", "Master", "Panel", "load", "loops"]


def load(folder: str | Path) -> ModuleType:
    """Load loop.py of a folder: LOOP, and optionally `parts`, reports by name."""
    return load_module(Path(folder) / "loop.py")


def loops(folder: str | Path) -> list[Path]:
    """Return the folders in this one that hold loops."""
    return sorted(file.parent for file in Path(folder).glob("*/loop.py"))

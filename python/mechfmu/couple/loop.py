"""A closed loop: its connections, and its files made from their sources.

One folder contains everything: FMUs of the mechanism files by the tool mechfmu, FMUs of the controllers by pythonfmu and
pythonfmu3, the SSP packages <name>.ssp (FMI 2.0) and <name>.fmi3.ssp (FMI 3.0), and, if the loop has one, the FMU of the
whole: the mechanism with the controller's equations inside, which gives the result of a perfect coupling.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from .. import mechanism as mechanisms
from ..fmu import Instance
from ..tool import program
from .controller import build_controller
from .system import Port, System, write_ssp


@dataclass
class Panel:
    """One axis of the loop's plot."""

    label: str
    signals: dict[str, str]  # signal: legend
    scale: float = 1.0
    over: dict[str, str] = field(default_factory=dict)  # signal: another signal on the horizontal axis, instead of time
    over_label: str = ""


@dataclass
class Loop:
    """A loop as loop.py of a folder describes it. Files are relative to `home`, which is that
    folder."""

    home: Path
    name: str
    about: str
    mechanisms: dict[str, str]  # component: mechanism file
    controllers: dict[str, str]  # component: file with its class
    connections: dict[str, str]  # input: output
    values: dict[str, float] = field(default_factory=dict)
    stop: float = 1.0
    step: float = 0.01
    panels: list[Panel] = field(default_factory=list)
    whole: str = ""  # file with the controllers' equations; or a complete mechanism
    compared: dict[str, str] = field(default_factory=dict)  # signal: output of the whole
    has_algebraic_loop: bool = False  # only a master that iterates can run it
    made: str = "build"  # the folder for files made from these

    @property
    def folder(self) -> Path:
        """The folder of its files."""
        made = self.home / self.made
        made.mkdir(parents=True, exist_ok=True)
        return made

    @property
    def signals(self) -> list[str]:
        """Return all signals that are plotted or compared."""
        shown = [signal for panel in self.panels for signal in [*panel.signals, *panel.over.values()]]
        return list(dict.fromkeys([*shown, *self.compared]))

    def system(self, version: int, step: float | None = None, stop: float | None = None, **values: float) -> System:
        """Return the system, with other values if given: system(2, **{"plant.solver.tolerance":
        1e-8})."""
        fmus = {c: export(self.home / file, self.folder)[version] for c, file in self.mechanisms.items()}
        for component, file in self.controllers.items():
            fmus[component] = controller(self.home / file, f"{self.name}_{component}", self.folder, version)
        return System(
            self.name,
            fmus,
            [(Port.of(begin), Port.of(end)) for end, begin in self.connections.items()],
            {Port.of(name): value for name, value in {**self.values, **values}.items()},
            stop or self.stop,
            step or self.step,
        )

    def package(self, version: int) -> Path:
        """Write the SSP package with FMUs of this version of FMI."""
        file = self.folder / f"{self.name}{'' if version == 2 else '.fmi3'}.ssp"
        return write_ssp(self.system(version), file, self.signals)

    # --- the whole as one FMU ---

    def whole_fmus(self) -> dict[int, Path]:
        """Return the FMUs of the whole by FMI version: mechanism and controller in one."""
        file = self.home / self.whole
        if ET.parse(file).getroot().tag == "part":
            (mechanism,) = self.mechanisms.values()
            file = join(self.home / mechanism, file, self.folder / f"{self.name}_whole.xml")
        return export(file, self.folder)

    def reference(self, times: Iterable[float], tolerance: float = 1e-10) -> np.ndarray:
        """Return the compared signals of the whole at these times."""
        values = {Port.of(name).variable: value for name, value in self.values.items()}
        with Instance(self.whole_fmus()[2], "whole") as whole:
            whole.start({name: x for name, x in values.items() if name in whole.variables}, tolerance=tolerance)
            return whole.run(list(self.compared.values()), times)

    def variant(self, **changes: Any) -> "Loop":
        """Return the same loop with other fields."""
        return replace(self, **changes)


def export(mechanism: Path, folder: Path) -> dict[int, Path]:
    """Return the FMUs of a mechanism file by FMI version; make them anew if the file or the tool is
    newer."""
    made = {2: folder / f"{mechanism.stem}.fmu", 3: folder / f"{mechanism.stem}.fmi3.fmu"}
    sources = [program(), *(file for kind in ("xml", "csv", "flex") for file in mechanism.parent.glob(f"*.{kind}"))]
    newest = max(file.stat().st_mtime for file in sources)
    if not all(fmu.exists() and fmu.stat().st_mtime > newest for fmu in made.values()):
        mechanisms.export(mechanism, made[2])
    return made


def controller(file: Path, name: str, folder: Path, version: int) -> Path:
    made = folder / f"{name}_fmi{version}.fmu"
    newest = max(f.stat().st_mtime for f in [file, Path(__file__).with_name("controller.py")])
    if not made.exists() or made.stat().st_mtime < newest:
        build_controller(file, name, folder, version)
    return made


def join(mechanism: Path, part: Path, file: Path) -> Path:
    """Write the mechanism with the elements of `part`; inputs that these define are no longer
    inputs."""
    tree, more = ET.parse(mechanism), ET.parse(part).getroot()
    root = tree.getroot()
    names = {element.get("name") for element in more}
    for element in [e for e in root if e.tag == "input" and e.get("name") in names]:
        root.remove(element)
    root.extend(more)
    root.set("name", root.get("name") + "_whole")
    text = ET.tostring(root, encoding="unicode")
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
    return file

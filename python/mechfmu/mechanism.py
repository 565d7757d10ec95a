"""Check, simulate, linearize and export mechanism files."""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .tool import Problem, run

if TYPE_CHECKING:  # the command `mechfmu` has to start immediately
    import numpy as np
    from numpy.typing import ArrayLike

    File = str | Path
    Value = float | int | bool | str


def _assignments(values: Mapping[str, Value] | None) -> list[str]:
    """Return options that set parameters, inputs and solver settings."""
    text = lambda x: str(x).lower() if isinstance(x, bool) else x if isinstance(x, str) else repr(float(x))  # noqa: E731
    return [word for name, value in (values or {}).items() for word in ("--set", f"{name}={text(value)}")]


def _options(**given: object) -> list[str]:
    """Return options for all values that are not None."""
    return [word for name, value in given.items() if value is not None for word in (f"--{name}", str(value))]


# --- check ---


@dataclass(frozen=True)
class Variable:
    """A parameter, an input or an output, with its initial value."""

    name: str
    value: float
    unit: str  # "1": none; empty: not known
    about: str


@dataclass(frozen=True)
class Body:
    """A body in its initial position."""

    name: str
    mass: float  # kg
    centre: tuple[float, float, float]  # of mass, in the world, m
    inertia: tuple[float, float, float]  # principal moments, kg m²


@dataclass(frozen=True)
class Move:
    """Motion of a body by initialization, to assemble the mechanism."""

    body: str
    distance: float  # m
    angle: float  # rad
    speed_change: float  # m/s
    spin_change: float  # rad/s


@dataclass(frozen=True)
class Check:
    """Facts about a mechanism file."""

    name: str
    about: str
    file: str
    degrees_of_freedom: int  # of velocities
    degrees_of_freedom_of_positions: int  # more where something rolls
    coordinates: int
    constraints: int
    redundant: list[str]  # constraints that follow from others: "D: z"
    mass: float  # kg
    moves: list[Move]
    bodies: list[Body]
    parameters: list[Variable]
    inputs: list[Variable]
    outputs: list[Variable]
    states: list[str]
    functions: list[str]  # in C++, which count as 0 here
    warnings: list[Problem] = field(default_factory=list)


def _number(x: float | None) -> float:
    return float("nan") if x is None else x  # JSON has no infinity


def _variables(rows: list[dict[str, Any]]) -> list[Variable]:
    return [Variable(**{**row, "value": _number(row["value"])}) for row in rows]


def check(file: File) -> Check:
    """Check a mechanism file: degrees of freedom, redundant constraints, masses, initial values.
    Raises MechanismError."""
    text, warnings = run("check", "--json", file)
    facts = json.loads(text)
    facts["moves"] = [Move(**move) for move in facts["moves"]]
    facts["bodies"] = [
        Body(b["name"], b["mass"], tuple(b["centre"]), tuple(b["inertia"])) for b in facts["bodies"]
    ]
    for key in ("parameters", "inputs", "outputs"):
        facts[key] = _variables(facts[key])
    return Check(**facts, warnings=warnings)


# --- simulate ---


@dataclass(frozen=True)
class Result:
    """The result of a run: result.time, result["phi"], one value per row."""

    columns: dict[str, np.ndarray]  # "time" is the first
    units: dict[str, str]  # if there are any
    statistics: dict[str, float]  # "communication_steps", "solver.steps", …
    warnings: list[Problem]

    @property
    def time(self) -> np.ndarray:
        """Communication points."""
        return self.columns["time"]

    @property
    def names(self) -> list[str]:
        """All columns except time."""
        return list(self.columns)[1:]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.time)

    def to_array(self) -> np.ndarray:
        """Return a structured array with one row per time and one field per column."""
        import numpy as np

        made = np.empty(len(self), dtype=[(name, float) for name in self.columns])
        for name, values in self.columns.items():
            made[name] = values
        return made


def _write_signals(signals: Mapping[str, ArrayLike], file: Path) -> None:
    import numpy as np

    if "time" not in signals:
        raise ValueError('time-varying inputs need an array "time": {"time": [...], "torque": [...]}')
    columns = [np.asarray(values, dtype=float) for values in signals.values()]
    if any(column.shape != columns[0].shape or column.ndim != 1 for column in columns):
        raise ValueError("all inputs need one value per time: " + ", ".join(signals))
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(signals)
        writer.writerows([repr(float(x)) for x in row] for row in zip(*columns))


def _read_columns(file: Path) -> dict[str, np.ndarray]:
    import numpy as np

    with file.open(newline="", encoding="utf-8") as rows:
        names = next(csv.reader(rows))
        values = np.loadtxt(rows, delimiter=",", ndmin=2)
    return dict(zip(names, values.reshape(-1, len(names)).T.copy()))


def _units(table: str, names: Iterable[str]) -> dict[str, str]:
    """Return the units in the table that the tool prints: name, four numbers, unit."""
    units = {}
    for name in names:
        if match := re.search(rf"^{re.escape(name)} +(?:\S+ +){{3}}\S+  (\S+)$", table, re.M):
            units[name] = match[1]
    return units


def _statistics(table: str) -> dict[str, float]:
    match = re.search(r"^(\d+) communication steps(?:; (.*))?$", table, re.M)
    if match is None:
        return {}
    found: dict[str, float] = {"communication_steps": int(match[1])}
    for word in (match[2] or "").split(", "):
        name, _, number = word.rpartition(" ")
        if name:
            value = float(number)
            found[name] = int(value) if value.is_integer() and name not in ("solver.step_size", "solver.error") else value
    return found


def simulate(
    file: File,
    *,
    parameters: Mapping[str, Value] | None = None,
    inputs: Mapping[str, ArrayLike] | File | None = None,
    columns: Sequence[str] | None = None,
    start: float | None = None,
    stop: float | None = None,
    step: float | None = None,
    interval: float | None = None,
    tolerance: float | None = None,
    fmi: int | None = None,
    sources: Sequence[File] = (),
    energy: bool = False,
) -> Result:
    """Simulate a mechanism file, or an FMU of any tool, as a master would.

    parameters: values by name, including solver settings ("solver.method": "hht_i3");
    inputs: numbers, or arrays over the array "time" (linear interpolation; two rows with the same time are a jump), or a CSV file;
    columns: variables to record (default: all outputs);
    start, stop, step, tolerance: override those of the experiment; interval: time between rows (default: the communication step);
    fmi: FMI version to run a mechanism file with; sources: C++ files with its functions; energy: also record "energy.imbalance".
    """
    import numpy as np

    constant: dict[str, Value] = {}
    signals: dict[str, ArrayLike] = {}
    if isinstance(inputs, Mapping):
        for name, value in inputs.items():
            if np.ndim(value) == 0:
                constant[name] = value
            else:
                signals[name] = value
    with tempfile.TemporaryDirectory(prefix="mechfmu_") as folder:
        rows = Path(folder) / "rows.csv"
        words = ["simulate", file, "-o", rows, *_assignments({**(parameters or {}), **constant})]
        if signals:
            _write_signals(signals, Path(folder) / "inputs.csv")
            words += ["--input", Path(folder) / "inputs.csv"]
        elif inputs is not None and not isinstance(inputs, Mapping):
            words += ["--input", inputs]
        if columns is not None:
            words += ["--columns", ",".join(columns)]
        words += _options(start=start, stop=stop, step=step, interval=interval, tolerance=tolerance, fmi=fmi)
        words += [word for source in sources for word in ("--source", source)] + (["--energy"] if energy else [])
        table, warnings = run(*words)
        found = _read_columns(rows)
    return Result(found, _units(table, found), _statistics(table), warnings)


# --- linearize ---


@dataclass(frozen=True)
class LinearModel:
    """x' = dx0 + A (x − x0) + B (u − u0), y = y0 + C (x − x0) + D (u − u0)."""

    name: str
    t: float
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    units: dict[str, list[str]]  # of "states", "inputs", "outputs"
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    x0: np.ndarray
    dx0: np.ndarray
    u0: np.ndarray
    y0: np.ndarray
    poles: np.ndarray  # complex, 1/s
    warnings: list[Problem]


def linearize(
    file: File,
    *,
    parameters: Mapping[str, Value] | None = None,
    trim: bool | Sequence[str] = False,
    at: float | None = None,
) -> LinearModel:
    """Linearize a mechanism file, or an FMU exported from one, at an operating point (default: t =
    0).

    parameters: values of parameters and inputs; trim: linearize at the nearest equilibrium at rest;
    a list of inputs also solves for the values that hold it there; at: linearize at this time of a
    run.
    """
    import numpy as np

    words = ["linearize", file, "-q", "-o", "-", *_assignments(parameters), *_options(at=at)]
    if trim is True:
        words.append("--trim")
    elif trim:
        words.append("--trim=" + ",".join(trim))
    text, warnings = run(*words)
    made = json.loads(text)
    sizes = {"x": len(made["states"]), "u": len(made["inputs"]), "y": len(made["outputs"])}
    shapes = {"A": "xx", "B": "xu", "C": "yx", "D": "yu", "x0": "x", "dx0": "x", "u0": "u", "y0": "y"}
    arrays = {
        key: np.array(made[key], dtype=float).reshape([sizes[letter] for letter in shape])
        for key, shape in shapes.items()
    }
    poles = np.array([complex(_number(re), _number(im)) for re, im in made["poles"]], dtype=complex)
    names = {key: made[key] for key in ("states", "inputs", "outputs", "units")}
    return LinearModel(name=made["model"], t=made["t"], **names, **arrays, poles=poles, warnings=warnings)


# --- export ---


def new(template: str, output: File | None = None) -> Path:
    """Create a mechanism file from a template (default: <template>.xml in the current folder) and
    return its path."""
    text, _ = run("new", template, *_options(output=output))
    return Path(text.strip())


def export(
    file: File,
    output: File | None = None,
    *,
    fmi: int | None = None,
    compile: str | None = None,
    platforms: Sequence[str] = (),
    sources: Sequence[File] = (),
    icon: File | None = None,
    diagram: File | None = None,
    with_mechanism: bool = True,
    with_sources: bool = False,
) -> dict[int, Path]:
    """Export a mechanism file as FMUs and return their paths by FMI version.

    output: the FMU (FMI 3.0 beside it as .fmi3.fmu) or a folder for it (default: the current folder); fmi: 2 or 3 (default: both);
    compile: "always" or "never" (default: if a compiler is found); platforms: ["linux64", "win64"] or ["all"] (default: this machine);
    sources: C++ files with functions of the mechanism; with_mechanism: include the file, for linearize; with_sources: include all
    sources needed to compile the FMU.
    """
    words = ["export", file, *_options(output=output, fmi=fmi, compile=compile, icon=icon, diagram=diagram)]
    if platforms:
        words += ["--platform", ",".join(platforms)]
    words += [word for source in sources for word in ("--source", source)]
    words += ([] if with_mechanism else ["--without-mechanism"]) + (["--sources"] if with_sources else [])
    text, _ = run(*words)
    return {int(version): Path(path) for path, version in re.findall(r"^(.*)  \(FMI (\d)\.0\)$", text, re.M)}

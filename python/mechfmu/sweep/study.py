"""A study: a TOML file, checked against the FMU; all errors are reported together."""

import difflib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from ..fmu import Fmu, Variable
from .runs import Experiment
from .variation import DISTRIBUTIONS, RANGES, Distribution, Grid, Variation, is_number, parse

KEYS = ["fmu", "fmi", "stop", "step", "tolerance", "warm_start", "series", "set", "vary", "monte_carlo", "record"]
REDUCTIONS = ["end", "min", "max", "rms"]


class StudyErrors(Exception):
    def __init__(self, complaints: list[str]):
        super().__init__("\n".join(complaints))
        self.complaints = complaints


class Complaints:
    def __init__(self, file: Path):
        self.file, self.lines = file, []

    def add(self, key: str, text: str) -> None:
        self.lines.append(f"{self.file}: {key}: {text}" if key else f"{self.file}: {text}")

    def end(self) -> None:
        if self.lines:
            raise StudyErrors(self.lines)


@dataclass(frozen=True)
class Study:
    experiment: Experiment
    variation: Variation
    units: dict[str, str]  # of columns, if there are any

    @property
    def columns(self) -> list[str]:
        """Return the names of the results: x.end, x.max, x@0.5."""
        return [self.column(name, what) for name, what in self.experiment.recorded]

    def column(self, name: str, what: str | int) -> str:
        return f"{name}.{what}" if isinstance(what, str) else f"{name}@{self.experiment.time(what):g}"


def did_you_mean(name: str, known, list_them=True) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    if near:
        return f'; did you mean "{near[0]}"?'
    return f"; choose from {', '.join(known)}" if list_them else ""


def flat(table: dict, prefix: str = "") -> dict:
    """Flatten names: unquoted names with dots arrive as tables in tables, solver.rho_inf = 1 is
    {"solver": {"rho_inf": 1}}."""
    result = {}
    for key, value in table.items():
        if isinstance(value, dict) and not (set(value) & {*RANGES, *DISTRIBUTIONS}):
            result |= flat(value, f"{prefix}{key}.")
        else:
            result[prefix + key] = value
    return result


def load_toml(path: Path) -> dict:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StudyErrors([f"{path}: cannot be read: {error.strerror}"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        hint = '; names with dots need quotes: "a.b" = ...' if "overwrite" in str(error) else ""
        raise StudyErrors([f"{path}: not a TOML file: {error}{hint}"]) from None


class Checker:
    """Turns the table of a file into a Study, with an error for each entry that does not fit."""

    def __init__(self, path: Path, table: dict, fmu: Fmu | None):
        self.table, self.fmu, self.complaints = table, fmu, Complaints(path)

    def study(self) -> Study:
        for key in self.table:
            if key not in KEYS:
                self.complaints.add(key, f"no such key{did_you_mean(key, KEYS)}")
        step = self.above_zero("step")
        stop = self.above_zero("stop")
        last = self.steps("stop", stop, step) if stop and step else 1
        warm = self.warm_start(step, last)
        tolerance = self.above_zero("tolerance", needed=False)
        fixed = {name: self.value(f"set.{name}", name, x) for name, x in self.section("set").items()}
        for name in fixed:
            self.settable(f"set.{name}", name, warm=False)
        variation = self.variation(fixed, warm=warm is not None)
        recorded = self.recorded(step, warm or 0, last)
        series = self.series()
        self.complaints.end()
        experiment = Experiment(step, last, warm or 0, tolerance, fixed, recorded, series)
        found = Study(experiment, variation, {})
        names = {**{name: name for name in variation.varied}, **{found.column(*r): r[0] for r in recorded}}
        names |= {name: name for name in series}
        units = {column: self.fmu.variables[name].unit for column, name in names.items()}
        return Study(experiment, variation, {column: unit for column, unit in units.items() if unit})

    # --- parts ---

    def section(self, key: str) -> dict:
        table = self.table.get(key, {})
        if not isinstance(table, dict):
            self.complaints.add(key, f"must be a table [{key}]")
            return {}
        return flat(table)

    def above_zero(self, key: str, needed=True) -> float | None:
        value = self.table.get(key)
        if value is None and not needed:
            return None
        if value is None:
            value = self.default(key)
        if value is None:
            self.complaints.add(key, "is missing, and the FMU has no default experiment that gives it")
        elif not is_number(value) or value <= 0:
            self.complaints.add(key, f"is {value!r}, but must be a number above 0")
        else:
            return float(value)
        return None

    def default(self, key: str) -> float | None:
        experiment = self.fmu and self.fmu.description.defaultExperiment
        value = experiment and {"stop": experiment.stopTime, "step": experiment.stepSize}[key]
        return None if value is None else float(value)

    def steps(self, key: str, time: float, step: float) -> int:
        """Return a time as a number of steps: communication points are multiples of the step."""
        i = round(time / step)
        if abs(time / step - i) > 1e-6:
            self.complaints.add(key, f"{time:g} is not a multiple of the step, {step:g}")
        return i

    def warm_start(self, step, last) -> int | None:
        time = self.table.get("warm_start")
        if time is None:
            return None
        if not is_number(time) or time <= 0:
            self.complaints.add("warm_start", f"is {time!r}, but must be a time above 0")
            return 0
        if self.fmu and not self.fmu.can_serialize:
            self.complaints.add("warm_start", "this FMU cannot serialize its state")
        first = self.steps("warm_start", time, step) if step else 0
        if step and first >= last:
            self.complaints.add("warm_start", f"is {time:g}, but must be before stop, {last * step:g}")
        return first

    def variable(self, key: str, name: str) -> Variable | None:
        if self.fmu is None:
            return None
        found = self.fmu.variables.get(name)
        if found is None:
            hint = did_you_mean(name, self.fmu.variables, list_them=False)
            if f"{name}[1]" in self.fmu.variables:
                hint = f'; it is an array, with elements "{name}[1]", ...'
            self.complaints.add(key, f'the FMU has no variable "{name}"{hint}')
        return found

    def settable(self, key: str, name: str, warm: bool) -> None:
        v = self.fmu and self.fmu.variables.get(name)  # value() has complained if there is none
        if v and not v.can_start:
            self.complaints.add(key, f"cannot be set: it is not a parameter, an input or a start value ({v.causality})")
        elif v and warm and not v.can_change:
            self.complaints.add(
                key, "cannot be varied with warm_start: only inputs and tunable parameters change later"
            )
        elif v and v.index is not None and len(v.starts) != v.size:
            self.complaints.add(key, "cannot be set: the FMU gives no start values for this array")

    def value(self, key: str, name: str, x):
        """Return a value as the FMU takes it; names of enumerations become numbers."""
        v = self.variable(key, name)
        if v is None:
            return x
        if v.items and isinstance(x, str):
            if x not in v.items:
                self.complaints.add(key, f'unknown value "{x}"{did_you_mean(x, v.items)}')
            return v.items.get(x)
        wanted = "true or false" if v.kind == "Boolean" else "a number" if v.is_real else "a whole number"
        fits = isinstance(x, bool) if v.kind == "Boolean" else is_number(x) and (v.is_real or x == int(x))
        if not fits:
            self.complaints.add(key, f"{x!r} does not fit: expected {wanted}")
            return None
        return x if v.kind == "Boolean" else float(x) if v.is_real else int(x)

    def variation(self, fixed: dict, warm: bool) -> Variation:
        varied = {}
        for name, spec in self.section("vary").items():
            key = f"vary.{name}"
            try:
                v = parse(spec)
            except ValueError as error:
                self.complaints.add(key, str(error))
                self.variable(key, name)
                continue
            if isinstance(v, Grid):
                v = Grid(tuple(self.value(key, name, x) for x in v.values[:1]) + self.others(key, name, v.values[1:]))
            elif (known := self.variable(key, name)) and not known.is_real:
                self.complaints.add(key, "only real numbers can be drawn from a distribution; use a list")
            self.settable(key, name, warm)
            if name in fixed:
                self.complaints.add(key, "is also in [set]; a variable is either fixed or varied")
            varied[name] = v
        if not self.section("vary"):
            self.complaints.add("vary", "nothing to vary; name variables in a table [vary]")
        draws = [name for name, v in varied.items() if isinstance(v, Distribution)]
        return Variation(varied, *self.monte_carlo(draws))

    def others(self, key: str, name: str, values) -> tuple:
        """Return the rest of a list; an unknown variable is reported once."""
        return tuple(self.value(key, name, x) for x in values) if self.fmu and name in self.fmu.variables else values

    def monte_carlo(self, draws: list[str]) -> tuple[int, int]:
        table = self.section("monte_carlo")
        for key in set(table) - {"count", "seed"}:
            self.complaints.add(f"monte_carlo.{key}", f"no such key{did_you_mean(key, ['count', 'seed'])}")
        count, seed = table.get("count", None if draws else 1), table.get("seed", 0)
        if count is None:
            self.complaints.add("monte_carlo.count", f"is missing: the number of samples of {', '.join(draws)}")
        elif not isinstance(count, int) or isinstance(count, bool) or count < 1:
            self.complaints.add("monte_carlo.count", f"is {count!r}, but must be a whole number above 0")
        elif table and not draws:
            self.complaints.add("monte_carlo", "nothing is drawn: no variable in [vary] has a distribution")
        else:
            if isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0:
                return count, seed
            self.complaints.add("monte_carlo.seed", f"is {seed!r}, but must be a whole number, 0 or above")
        return 1, 0

    def recorded(self, step, first: int, last: int) -> tuple:
        result = []
        for name, wishes in self.section("record").items():
            key = f"record.{name}"
            v = self.variable(key, name)
            if v and not v.is_number:
                self.complaints.add(key, f"is not a number ({v.kind})")
            for what in wishes if isinstance(wishes, list) else [wishes]:
                if is_number(what):
                    i = self.steps(key, what, step) if step else 0
                    if step and not first <= i <= last:
                        self.complaints.add(
                            key, f"the time {what:g} is not between {first * step:g} and {last * step:g}"
                        )
                    result.append((name, i))
                elif what in REDUCTIONS:
                    result.append((name, what))
                else:
                    hint = did_you_mean(str(what), [*REDUCTIONS, "times"])
                    self.complaints.add(key, f"{what!r} cannot be recorded{hint}")
        if not self.section("record") and not self.table.get("series"):
            self.complaints.add("record", "nothing is recorded; name variables in a table [record]")
        return tuple(dict.fromkeys(result))

    def series(self) -> tuple[str, ...]:
        names = self.table.get("series", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self.complaints.add("series", "must be a list of variables")
            return ()
        for name in names:
            if (v := self.variable("series", name)) and not v.is_number:
                self.complaints.add("series", f"{name} is not a number ({v.kind})")
        return tuple(dict.fromkeys(names))


def read_study(path: Path, table: dict, data: bytes | None, problem: str = "") -> Study:
    """Return the study in a table, for the FMU in these bytes; without them, check everything that
    needs no FMU."""
    fmu = None
    if data is not None:
        try:
            fmu = Fmu(data)
            problem = "" if fmu.cosimulation else "the FMU does not support co-simulation"
        except Exception as error:  # a broken archive or description: FMPy has no class for these
            problem = f"cannot be read as an FMU: {error}"
    checker = Checker(path, table, fmu)
    if problem:
        checker.complaints.add("fmu", problem)
    try:
        return checker.study()
    finally:
        if fmu:
            fmu.close()

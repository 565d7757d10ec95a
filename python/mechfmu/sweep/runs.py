"""The work of a worker: a chunk of runs on one instance of the FMU.

A run is reset, start values, initialization, communication steps; or, with a warm start, a saved
state, new values and steps from there. The results are numbers at communication points tᵢ = i·step:
the last value, values at given times, minimum, maximum, and the root mean square, √(∫x² dt / T) by
the trapezoidal rule.
"""

import time
from dataclasses import dataclass, field

import numpy as np

from ..fmu import Fmu, Instance, Refused

models: dict[str, Fmu] = {}  # by their key: files that provide() extracted, once per process


def provide(key: str, data: bytes, folder: str | None = None) -> None:
    if key not in models:
        models[key] = Fmu(data, folder)


def withdraw(key: str) -> None:
    if key in models:
        models.pop(key).close()


@dataclass(frozen=True)
class Experiment:
    """Data that all runs have in common. Times are counted in steps."""

    step: float
    last: int
    first: int = 0  # where a warm start begins
    tolerance: float | None = None
    fixed: dict[str, float] = field(default_factory=dict)
    recorded: tuple[tuple[str, str | int], ...] = ()  # variable; end, min, max, rms or a number of steps
    series: tuple[str, ...] = ()

    def time(self, i: int) -> float:
        return i * self.step

    @property
    def observed(self) -> list[str]:
        return list(dict.fromkeys([*(name for name, _ in self.recorded), *self.series]))

    @property
    def points(self) -> set[int]:
        """Return the steps at which variables must be read."""
        if self.series or any(what in ("min", "max", "rms") for _, what in self.recorded):
            return set(range(self.first, self.last + 1))
        return {self.last if what == "end" else what for _, what in self.recorded}


@dataclass
class Outcome:
    run: int
    results: list[float] | None  # None: the run failed, and the message gives the reason
    message: str = ""
    series: list[list[float]] | None = None  # rows of time and variables


def advance(instance: Instance, experiment: Experiment, first: int, last: int, seen=lambda i: None) -> None:
    for i in range(first, last):
        begin = experiment.time(i)
        instance.step(begin, experiment.time(i + 1) - begin)
        seen(i + 1)


def start(instance: Instance, experiment: Experiment, values: dict[str, float]) -> None:
    values = {**experiment.fixed, **values}
    instance.renew()
    instance.start(values, 0.0, experiment.time(experiment.last), experiment.tolerance)


def reduce(what: str | int, x: np.ndarray, t: np.ndarray, where: dict[int, int]) -> float:
    if what == "rms":
        return float(np.sqrt(np.trapezoid(x * x, t) / (t[-1] - t[0])))
    if what in ("min", "max"):
        return float(getattr(x, what)())
    return float(x[-1] if what == "end" else x[where[what]])


def simulate(instance: Instance, experiment: Experiment, run: int, values: dict[str, float], state=None) -> Outcome:
    if state is None:
        start(instance, experiment, values)
    else:
        instance.restore(state)
        instance.set(values)
    read, points, rows = instance.reader(experiment.observed), experiment.points, {}

    def seen(i: int) -> None:
        if i in points:
            rows[i] = read()

    seen(experiment.first)
    advance(instance, experiment, experiment.first, experiment.last, seen)
    times = np.array([experiment.time(i) for i in rows])
    where = {i: k for k, i in enumerate(rows)}
    columns = dict(zip(experiment.observed, np.array(list(rows.values())).T))
    results = [reduce(what, columns[name], times, where) for name, what in experiment.recorded]
    series = None
    if experiment.series:
        series = np.column_stack([times, *(columns[name] for name in experiment.series)]).tolist()
    return Outcome(run, results, series=series)


def run_chunk(key: str, experiment: Experiment, warm: bytes | None, runs) -> tuple[float, list[Outcome]]:
    """Do the runs, given by their numbers and values; return them and the seconds they took."""
    begin = time.perf_counter()
    outcomes: list[Outcome] = []
    try:
        instance = Instance(models[key])
    except Refused as refused:
        return time.perf_counter() - begin, [Outcome(run, None, str(refused)) for run, _ in runs]
    try:
        state = None if warm is None else instance.load(warm)
        for run, values in runs:
            try:
                outcomes.append(simulate(instance, experiment, run, values, state))
            except Refused as refused:
                outcomes.append(Outcome(run, None, str(refused)))
        if state is not None:
            instance.forget(state)
    finally:
        instance.close()
    return time.perf_counter() - begin, outcomes


def warm_state(key: str, experiment: Experiment) -> bytes:
    """Return the state after the steps that all runs share."""
    instance = Instance(models[key])
    try:
        start(instance, experiment, {})
        advance(instance, experiment, 0, experiment.first)
        return instance.to_bytes()
    finally:
        instance.close()

"""Co-simulation FMUs of FMI 2.0 and 3.0 with the same few calls for both, on FMPy's classes.

A number is named as in FMI 2.0 in both versions: element 2 of an array y is y[2].
"""

import itertools
import shutil
import tempfile
from collections import deque
from ctypes import byref
from dataclasses import dataclass
from pathlib import Path

from fmpy import extract, fmi2, fmi3, read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.logging import addLoggerProxy


class Refused(Exception):
    """The FMU did not do what it was asked for; the text is its own message, where it gave one."""


@dataclass
class Variable:
    name: str
    kind: str  # as in the names of FMPy's functions: Real, Float64, Integer, Boolean ...
    reference: int
    size: int  # how many numbers the reference stands for
    index: int | None  # which of them this is, in an array
    starts: list[float] | None  # of all of them
    items: dict[str, int] | None  # names of an enumeration
    causality: str
    variability: str
    initial: str | None
    unit: str | None

    @property
    def is_number(self) -> bool:
        return self.kind not in ("String", "Binary", "Clock")

    @property
    def is_real(self) -> bool:
        return self.kind in ("Real", "Float64", "Float32")

    @property
    def is_start_value(self) -> bool:
        """Set before initialization; inputs are set during it."""
        return self.initial in ("exact", "approx") and self.causality != "input"

    @property
    def can_start(self) -> bool:
        settable = self.causality in ("parameter", "structuralParameter", "input") or self.is_start_value
        return settable and self.variability != "constant" and self.is_number

    @property
    def can_change(self) -> bool:
        return self.causality == "input" or (self.causality == "parameter" and self.variability == "tunable")


def _variables(version: int, v) -> list[Variable]:
    enumeration = v.type == "Enumeration"
    items = {i.name: int(i.value) for i in v.declaredType.items} if enumeration and v.declaredType else None
    kind = ("Integer" if version == 2 else "Int64") if enumeration else v.type
    initial = v.initial or ("exact" if v.causality == "parameter" else None)
    unit = v.unit or (v.declaredType.unit if v.declaredType else None)
    about = {"items": items, "causality": v.causality, "variability": v.variability, "initial": initial, "unit": unit}
    if not v.dimensions:
        return [Variable(v.name, kind, v.valueReference, 1, None, None, **about)]
    if any(d.start is None for d in v.dimensions):
        return []  # a size that a parameter gives
    size = 1
    for d in v.dimensions:
        size *= int(d.start)
    starts = [float(word) for word in str(v.start).split()] if v.start and kind == "Float64" else []
    starts = starts * size if len(starts) == 1 else starts
    names = [f"{v.name}[{i + 1}]" for i in range(size)]
    return [Variable(name, kind, v.valueReference, size, i, starts, **about) for i, name in enumerate(names)]


class Fmu:
    """An FMU, extracted until close(): into `folder`, else where temporary files are."""

    def __init__(self, data: bytes, folder: str | None = None):
        self._folder = Path(tempfile.mkdtemp(prefix="sweep_", dir=folder))
        try:
            archive = self._folder / "model.fmu"
            archive.write_bytes(data)
            self.folder = extract(str(archive), str(self._folder / "model"))
            self.description = read_model_description(self.folder, validate=False)
        except Exception:
            self.close()
            raise
        self.version = int(self.description.fmiVersion[0])
        self.cosimulation = self.description.coSimulation
        found = [_variables(self.version, v) for v in self.description.modelVariables]
        self.variables = {v.name: v for group in found for v in group}

    @property
    def can_serialize(self) -> bool:
        return bool(self.cosimulation.canGetAndSetFMUstate and self.cosimulation.canSerializeFMUstate)

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


# FMPy's logger for FMI 2.0 knows one function only: messages find their instance by its number.
_messages: dict[int, deque[str]] = {}
_numbers = itertools.count(1)


def _receive(environment, status, text) -> None:
    if status > 0 and environment in _messages:
        _messages[environment].append((text or b"").decode("utf-8", "replace").strip())


_log_2 = fmi2.fmi2CallbackLoggerTYPE(lambda number, _name, status, _category, text: _receive(number, status, text))


class Instance:
    """One instance; every call that fails raises Refused."""

    def __init__(self, fmu: Fmu):
        self.fmu = fmu
        self._number = next(_numbers)
        token = fmu.description.guid if fmu.version == 2 else fmu.description.instantiationToken
        slave = fmi2.FMU2Slave if fmu.version == 2 else fmi3.FMU3Slave
        name = fmu.cosimulation.modelIdentifier
        self._slave = slave(guid=token, unzipDirectory=str(fmu.folder), modelIdentifier=name)
        self._alive = False
        self.instantiate()

    def instantiate(self) -> None:
        _messages[self._number] = deque(maxlen=5)  # the last ones say why a run failed
        if self.fmu.version == 2:
            callbacks = fmi2.fmi2CallbackFunctions()
            callbacks.logger = _log_2
            addLoggerProxy(byref(callbacks))
            callbacks.componentEnvironment = self._number
            self._call(self._slave.instantiate, callbacks=callbacks, loggingOn=True)
        else:
            log = lambda _environment, status, _category, text: _receive(self._number, status, text)  # noqa: E731
            self._call(self._slave.instantiate, logMessage=log, loggingOn=True)
        self._alive = True
        self._log_failures_only()

    def _log_failures_only(self) -> None:
        known = {category.name for category in self.fmu.description.logCategories}
        if wanted := [
            f"logStatus{status}" for status in ("Discard", "Error", "Fatal") if f"logStatus{status}" in known
        ]:
            self._call(self._slave.setDebugLogging, True, wanted)

    def free(self) -> None:
        """The library stays loaded: other instances may live in it."""
        if self._alive:
            getattr(self._slave, f"fmi{self.fmu.version}FreeInstance")(self._slave.component)
        self._alive = False
        _messages.pop(self._number, None)

    def renew(self) -> None:
        """Back to the beginning, whatever has happened before."""
        _messages[self._number].clear()
        try:
            self._call(self._slave.reset)
        except Refused:
            self.free()
            self.instantiate()

    def _call(self, function, *arguments, **options):
        try:
            return function(*arguments, **options)
        except FMICallException as failure:
            raise Refused("; ".join(_messages[self._number]) or str(failure)) from None
        except Exception as failure:  # of FMPy's own, without a class: "Failed to instantiate ..."
            raise Refused("; ".join([str(failure), *_messages[self._number]])) from None

    # --- values ---

    def set(self, values: dict[str, float]) -> None:
        calls: dict[str, tuple[list[int], list[float]]] = {}
        arrays: dict[int, list[float]] = {}
        for name, value in values.items():
            v = self.fmu.variables[name]
            references, numbers = calls.setdefault(v.kind, ([], []))
            if v.index is None:
                references.append(v.reference)
                numbers.append(value)
            elif v.reference in arrays:
                arrays[v.reference][v.index] = value
            else:  # an array is set as a whole: its other elements keep their start values
                arrays[v.reference] = [*v.starts[: v.index], value, *v.starts[v.index + 1 :]]
        for reference, numbers in arrays.items():
            self._call(self._slave.setFloat64, [reference], numbers)
        for kind, (references, numbers) in calls.items():
            if references:
                self._call(getattr(self._slave, f"set{kind}"), references, numbers)

    def reader(self, names):
        """A function that returns the values of these variables, with one call for each kind."""
        variables = [self.fmu.variables[name] for name in names]
        parts = []
        for kind in {v.kind for v in variables}:
            sizes = {v.reference: v.size for v in variables if v.kind == kind}
            begins = dict(zip(sizes, itertools.accumulate(sizes.values(), initial=0)))
            places = [(i, begins[v.reference] + (v.index or 0)) for i, v in enumerate(variables) if v.kind == kind]
            count = () if self.fmu.version == 2 else (sum(sizes.values()),)
            parts.append((getattr(self._slave, f"get{kind}"), list(sizes), count, places))

        def read() -> list[float]:
            values = [0.0] * len(variables)
            for get, references, count, places in parts:
                numbers = self._call(get, references, *count)
                for i, k in places:
                    values[i] = float(numbers[k])
            return values

        return read

    # --- a run ---

    def start(self, values: dict[str, float], start: float, stop: float, tolerance: float | None) -> None:
        """Initializes with these values."""
        if tolerance is not None and "solver.tolerance" in self.fmu.variables:  # what an importer asks for only tightens
            values = {"solver.tolerance": tolerance} | values
        before = {name: x for name, x in values.items() if self.fmu.variables[name].is_start_value}
        during = {name: x for name, x in values.items() if name not in before}
        experiment = {"tolerance": tolerance, "startTime": start, "stopTime": stop}
        if self.fmu.version == 2:
            self._call(self._slave.setupExperiment, **experiment)
        self.set(before)
        self._call(self._slave.enterInitializationMode, **(experiment if self.fmu.version == 3 else {}))
        self.set(during)
        self._call(self._slave.exitInitializationMode)

    def step(self, time: float, size: float) -> None:
        result = self._call(self._slave.doStep, time, size)
        if result is not None and (result[1] or result[2]):
            raise Refused(f"the FMU ended the step at {result[3]:g} s by itself")

    # --- saved states ---

    def serialize(self) -> bytes:
        state = self._call(self._slave.getFMUState)
        data = self._call(self._slave.serializeFMUState, state)
        self.unload(state)
        return data

    def load(self, data: bytes):
        return self._call(self._slave.deserializeFMUState, data)

    def unload(self, state) -> None:
        self._call(self._slave.freeFMUState, state)

    def restore(self, state) -> None:
        _messages[self._number].clear()
        self._call(self._slave.setFMUState, state)

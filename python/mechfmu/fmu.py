"""Co-simulation FMUs of FMI 2.0 and 3.0 with the same calls for both, on FMPy's classes.

    with mechfmu.fmu.Instance("four_bar.fmu") as plant:
        plant.start({"k": 900.0})
        for i in range(100):
            plant.set({"torque": 2.0})
            plant.step(0.01 * i, 0.01)
            phi, pin = plant.get(["phi", "pin"])

A number is named as in FMI 2.0 in both versions: element 2 of an array y is y[2].
"""

from __future__ import annotations

import contextlib
import difflib
import itertools
import shutil
import tempfile
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import byref, c_double
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np
from fmpy import extract, fmi2, fmi3, read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.logging import addLoggerProxy

STATISTICS = ("steps", "rejected", "newton_iterations", "jacobians", "factorizations", "restarts")
FAILURES = ("logStatusDiscard", "logStatusError", "logStatusFatal")
DISCARD = 2  # status of a call


class Refused(Exception):
    """A call to the FMU failed; the text is the message of the FMU if it gave one."""


class Discarded(Refused):
    """A step that the FMU could not take; `reached` is the time it reached, if the FMU reports it."""

    def __init__(self, name: str, t: float, h: float, reached: float, why: str) -> None:
        super().__init__(f"{name}: the step from t = {t:.9g} by {h:.3g} was discarded; {why}")
        self.reached = reached


@dataclass
class Variable:
    """A variable of an FMU; elements of arrays are separate variables."""

    name: str
    kind: str  # as in the names of FMPy's functions: Real, Float64, Integer, Boolean ...
    reference: int
    size: int  # the number of values of the reference
    index: int | None  # the index of this one, in an array
    starts: list[float] | None  # of all values
    items: dict[str, int] | None  # names of an enumeration
    causality: str
    variability: str
    initial: str | None
    unit: str | None

    @property
    def is_number(self) -> bool:
        """Whether a float can represent the value: numbers, booleans, enumerations."""
        return self.kind not in ("String", "Binary", "Clock")

    @property
    def is_real(self) -> bool:
        """Whether the value is a floating-point number."""
        return self.kind in ("Real", "Float64", "Float32")

    def number(self, x: float) -> float | int | bool:
        """Return the value in the type that FMPy expects."""
        return float(x) if self.is_real else bool(x) if self.kind == "Boolean" else int(x)

    @property
    def is_start_value(self) -> bool:
        """Set before initialization; inputs are set during it."""
        return self.initial in ("exact", "approx") and self.causality != "input"

    @property
    def can_start(self) -> bool:
        """Whether start() takes a value for it."""
        settable = self.causality in ("parameter", "structuralParameter", "input") or self.is_start_value
        return settable and self.variability != "constant" and self.is_number

    @property
    def can_change(self) -> bool:
        """Whether set() takes a value for it between steps."""
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


class _Variables(dict[str, Variable]):
    """Variables by name; an unknown name is answered with the one that may be meant."""

    def __missing__(self, name: str) -> Variable:
        near = difflib.get_close_matches(name, list(self), n=1)
        of_model = [other for other in self if not other.startswith("solver.")]
        others = ", ".join(of_model[:12]) + (" …" if len(of_model) > 12 else "")
        raise KeyError(f"unknown variable '{name}'; " + (f"did you mean '{near[0]}'?" if near else f"there are {others}"))


class Fmu:
    """An FMU, given as a file or as bytes, extracted into `folder` (default: a temporary folder)
    until close()."""

    def __init__(self, source: str | Path | bytes, folder: str | Path | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="mechfmu_", dir=folder))
        try:
            archive = Path(self._folder / "model.fmu")
            if isinstance(source, bytes):
                archive.write_bytes(source)
            else:
                archive = Path(source)
            self.folder = extract(str(archive), str(self._folder / "model"))
            self.description = read_model_description(self.folder, validate=False)
        except Exception:
            self.close()
            raise
        self.version = int(self.description.fmiVersion[0])
        self.cosimulation = self.description.coSimulation
        found = [_variables(self.version, v) for v in self.description.modelVariables]
        self.variables = _Variables({v.name: v for group in found for v in group})
        self._read_abilities()

    def _read_abilities(self) -> None:
        """Read the abilities; FMPy reads some of them for FMI 2.0 only."""
        interface = ET.parse(Path(self.folder) / "modelDescription.xml").getroot().find("CoSimulation")
        given = {} if interface is None else interface.attrib
        yes = lambda *names: any(given.get(name) == "true" for name in names)  # noqa: E731
        self.has_states = yes("canGetAndSetFMUstate", "canGetAndSetFMUState")
        self.can_serialize = self.has_states and yes("canSerializeFMUstate", "canSerializeFMUState")
        self.has_jacobian = yes("providesDirectionalDerivative", "providesDirectionalDerivatives")
        self.takes_slopes = yes("canInterpolateInputs", "providesIntermediateUpdate")
        self.gives_slopes = int(given.get("maxOutputDerivativeOrder", 0)) > 0

    def close(self) -> None:
        """Remove the extracted files."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Fmu:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class State(NamedTuple):
    """State of an instance, as returned by save() and load()."""

    handle: Any
    t: float


# FMPy's logger for FMI 2.0 calls one function only: a number leads messages to their instance.
_instances: weakref.WeakValueDictionary[int, Instance] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def _log_2(number, _name, status, _category, text) -> None:
    if (instance := _instances.get(number)) is not None:
        instance._receive(status, text)


_logger_2 = fmi2.fmi2CallbackLoggerTYPE(_log_2)


class Instance:
    """One instance of an FMU, given as a file or, to share it between instances, as an Fmu. A call
    that fails raises Refused.

    slopes: let inputs change linearly during steps (set_slopes) if the FMU supports it.
    """

    def __init__(self, fmu: Fmu | str | Path, name: str | None = None, *, slopes: bool = False) -> None:
        self.fmu = fmu if isinstance(fmu, Fmu) else Fmu(fmu)
        self._owns_fmu = self.fmu is not fmu
        self.name, self.t = name or self.fmu.cosimulation.modelIdentifier, 0.0
        self.messages: deque[str] = deque(maxlen=5)  # the last ones give the reason of a failure
        self.takes_slopes = slopes and self.fmu.takes_slopes
        self._slopes: dict[int, tuple[float, float]] = {}  # over the next step, FMI 3.0: reference: (value, slope)
        self._readers: dict[tuple[str, ...], Callable[[], list[float]]] = {}
        self._number = next(_numbers)
        _instances[self._number] = self
        description, version = self.fmu.description, self.fmu.version
        slave = fmi2.FMU2Slave if version == 2 else fmi3.FMU3Slave
        self._alive = False
        try:
            self.slave = slave(
                guid=description.guid if version == 2 else description.instantiationToken,
                unzipDirectory=str(self.fmu.folder),
                modelIdentifier=self.fmu.cosimulation.modelIdentifier,
                instanceName=self.name,
            )
            self._instantiate()
        except BaseException:
            if self._owns_fmu:
                self.fmu.close()
            raise

    @property
    def version(self) -> int:
        """FMI version: 2 or 3."""
        return self.fmu.version

    @property
    def variables(self) -> dict[str, Variable]:
        """All variables of the FMU by name."""
        return self.fmu.variables

    # --- life ---

    def _instantiate(self) -> None:
        self.messages.clear()
        if self.version == 2:
            callbacks = fmi2.fmi2CallbackFunctions()
            callbacks.logger = _logger_2
            addLoggerProxy(byref(callbacks))
            callbacks.componentEnvironment = self._number
            self._call(self.slave.instantiate, callbacks=callbacks, loggingOn=True)
        else:
            own = weakref.ref(self)

            def log(_environment, status, _category, text):
                if (instance := own()) is not None:
                    instance._receive(status, text)

            def update(_environment, time, set_requested, _get, finished, _can_return, _requested, _return_time):
                instance = own()
                if instance is not None and set_requested and not finished:
                    instance._update(time)

            more = {"intermediateUpdate": update} if self.takes_slopes else {}
            self._call(self.slave.instantiate, logMessage=log, loggingOn=True, **more)
        self._alive = True
        known = {category.name for category in self.fmu.description.logCategories}
        if wanted := [category for category in FAILURES if category in known]:
            self._call(self.slave.setDebugLogging, True, wanted)

    def _receive(self, status: int, text: bytes | None) -> None:
        if status > 0:
            self.messages.append((text or b"").decode("utf-8", "replace").strip())

    def _update(self, time: float) -> None:
        """Set the inputs at `time`, the end of the substep that the FMU is about to take (FMI
        3.0)."""
        if self._slopes:
            values = [value + slope * (time - self.t) for value, slope in self._slopes.values()]
            self.slave.setFloat64(list(self._slopes), values)

    def _call(self, function: Callable, *arguments, **options):
        try:
            return function(*arguments, **options)
        except FMICallException as failure:
            raise Refused("; ".join(self.messages) or str(failure)) from None
        except Exception as failure:  # FMPy raises these errors without a class: "Failed to instantiate ..."
            raise Refused("; ".join([str(failure), *self.messages])) from None

    def _free(self) -> None:
        """Free the instance; the library stays loaded, since other instances may use it."""
        if self._alive:
            getattr(self.slave, f"fmi{self.version}FreeInstance")(self.slave.component)
        self._alive = False

    def close(self) -> None:
        """Free the instance, and unload its FMU unless other instances share it."""
        if not self._owns_fmu:
            self._free()
            return
        if self._alive:
            self._alive = False
            with contextlib.suppress(FMICallException):
                self.slave.terminate()
            self.slave.freeInstance()
        self.fmu.close()

    def __enter__(self) -> Instance:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def renew(self) -> None:
        """Reset the instance, or instantiate it again if it cannot be reset."""
        self.messages.clear()
        self.t = 0.0
        try:
            self._call(self.slave.reset)
        except Refused:
            self._free()
            self._instantiate()

    # --- values ---

    def references(self, names: Iterable[str]) -> list[int]:
        """Return the value references of these variables."""
        return [self.variables[name].reference for name in names]

    def set(self, values: Mapping[str, float]) -> None:
        """Set parameters, inputs and start values by name."""
        calls: dict[str, tuple[list[int], list]] = {}
        arrays: dict[int, list[float]] = {}
        for name, value in values.items():
            v = self.variables[name]
            references, numbers = calls.setdefault(v.kind, ([], []))
            if v.index is None:
                references.append(v.reference)
                numbers.append(v.number(value))
            elif v.reference in arrays:
                arrays[v.reference][v.index] = value
            else:  # an array is set as a whole: its other elements keep their start values
                arrays[v.reference] = [*v.starts[: v.index], value, *v.starts[v.index + 1 :]]
        for reference, numbers in arrays.items():
            self._call(self.slave.setFloat64, [reference], numbers)
        for kind, (references, numbers) in calls.items():
            if references:
                self._call(getattr(self.slave, f"set{kind}"), references, numbers)

    def reader(self, names: Iterable[str]) -> Callable[[], list[float]]:
        """Return a function that reads these variables with one FMI call per type."""
        variables = [self.variables[name] for name in names]
        parts = []
        for kind in {v.kind for v in variables}:
            sizes = {v.reference: v.size for v in variables if v.kind == kind}
            begins = dict(zip(sizes, itertools.accumulate(sizes.values(), initial=0)))
            places = [(i, begins[v.reference] + (v.index or 0)) for i, v in enumerate(variables) if v.kind == kind]
            count = () if self.version == 2 else (sum(sizes.values()),)
            parts.append((getattr(self.slave, f"get{kind}"), list(sizes), count, places))

        def read() -> list[float]:
            values = [0.0] * len(variables)
            for get, references, count, places in parts:
                numbers = self._call(get, references, *count)
                for i, k in places:
                    values[i] = float(numbers[k])
            return values

        return read

    def get(self, names: Sequence[str]) -> np.ndarray:
        """Return the values of these variables."""
        key = tuple(names)
        if key not in self._readers:
            self._readers[key] = self.reader(key)
        return np.array(self._readers[key]())

    def statistics(self) -> dict[str, int]:
        """Return the solver statistics so far; empty for FMUs of other tools."""
        names = [name for name in STATISTICS if f"solver.{name}" in self.variables]
        return dict(zip(names, map(int, self.get([f"solver.{name}" for name in names])), strict=True))

    # --- a run ---

    def enter_initialization(
        self,
        values: Mapping[str, float] | None = None,
        start: float = 0.0,
        stop: float | None = None,
        tolerance: float | None = None,
    ) -> None:
        """Enter initialization mode: inputs can be set and outputs read until
        exit_initialization()."""
        values = dict(values or {})
        if tolerance is not None and "solver.tolerance" in self.variables:  # the master can only tighten the tolerance
            values = {"solver.tolerance": tolerance} | values
        before = {name: x for name, x in values.items() if self.variables[name].is_start_value}
        during = {name: x for name, x in values.items() if name not in before}
        experiment = {"tolerance": tolerance, "startTime": start, "stopTime": stop}
        if self.version == 2:
            self._call(self.slave.setupExperiment, **experiment)
        self.set(before)
        self._call(self.slave.enterInitializationMode, **(experiment if self.version == 3 else {}))
        self.set(during)
        self.t = start

    def exit_initialization(self) -> None:
        """Leave initialization mode: the FMU computes consistent initial values."""
        self._call(self.slave.exitInitializationMode)

    def start(
        self,
        values: Mapping[str, float] | None = None,
        start: float = 0.0,
        stop: float | None = None,
        tolerance: float | None = None,
    ) -> None:
        """Initialize with these values."""
        self.enter_initialization(values, start, stop, tolerance)
        self.exit_initialization()

    def step(self, t: float, h: float) -> None:
        """Step from t to t + h. Raises Discarded if the FMU cannot; it may continue after
        restore()."""
        self.t = t
        self.messages.clear()
        try:
            result = self.slave.doStep(t, h, False)
        except FMICallException as failure:
            why = "; ".join(self.messages) or str(failure)
            if failure.status == DISCARD:
                raise Discarded(self.name, t, h, self._last_successful_time(), why) from None
            raise Refused(why) from None
        finally:
            self._slopes = {}
        if result is not None and (result[1] or result[2]):
            raise Refused(f"the FMU ended the step at {result[3]:g} s on its own")
        self.t = t + h

    def run(self, names: Sequence[str], times: Sequence[float]) -> np.ndarray:
        """Step through `times`, the first of which is now, and return these variables at each;
        inputs stay constant."""
        rows = [self.get(names)]
        for t, after in itertools.pairwise(times):
            self.step(t, after - t)
            rows.append(self.get(names))
        return np.array(rows)

    def _last_successful_time(self) -> float:
        if self.version == 3:
            return self.t
        value = c_double()
        self.slave.fmi2GetRealStatus(self.slave.component, fmi2.fmi2LastSuccessfulTime, byref(value))
        return value.value

    # --- slopes and derivatives ---

    def set_slopes(self, names: Sequence[str], values: Sequence[float], slopes: Sequence[float]) -> None:
        """Let inputs change linearly from `values` during the next step."""
        self.set(dict(zip(names, values, strict=True)))
        if self.version == 3:
            self._slopes = dict(zip(self.references(names), zip(values, slopes, strict=True), strict=True))
        elif len(names):
            orders = [1] * len(names)
            self._call(self.slave.setRealInputDerivatives, self.references(names), orders, [float(s) for s in slopes])

    def output_slopes(self, names: Sequence[str]) -> np.ndarray:
        """Return the time derivatives of these outputs."""
        read = self.slave.getRealOutputDerivatives if self.version == 2 else self.slave.getOutputDerivatives
        return np.array(self._call(read, self.references(names), [1] * len(names)))

    def jacobian(self, outputs: Sequence[str], inputs: Sequence[str]) -> np.ndarray:
        """Return ∂outputs/∂inputs at the current time (direct feedthrough)."""
        more = {} if self.version == 2 else {"nSensitivity": len(outputs)}
        read, unknown = self.slave.getDirectionalDerivative, self.references(outputs)
        columns = [self._call(read, unknown, self.references([name]), [1.0], **more) for name in inputs]
        return np.array(columns).T.reshape(len(outputs), len(inputs))

    # --- saved states ---

    def save(self) -> State:
        """Save the state; pass it to forget() when it is no longer needed."""
        return State(self._call(self.slave.getFMUState), self.t)

    def restore(self, state: State) -> None:
        """Return to a saved state, which stays valid."""
        self.messages.clear()
        self._call(self.slave.setFMUState, state.handle)
        self.t = state.t

    def forget(self, state: State) -> None:
        """Free a saved state."""
        self._call(self.slave.freeFMUState, state.handle)

    def to_bytes(self) -> bytes:
        """Serialize the current state, for another instance or process."""
        state = self.save()
        data = bytes(self._call(self.slave.serializeFMUState, state.handle))
        self.forget(state)
        return data

    def load(self, data: bytes, t: float = 0.0) -> State:
        """Return the state in these bytes, saved at time t; restore() returns to it."""
        return State(self._call(self.slave.deserializeFMUState, data), t)

    def from_bytes(self, data: bytes, t: float) -> None:
        """Continue from the state in these bytes, saved at time t."""
        state = self.load(data, t)
        self.restore(state)
        self.forget(state)

"""One FMU with the same calls for FMI 2.0 and 3.0, on FMPy's classes: what a master needs of it."""

import itertools
import weakref
from ctypes import byref, c_double
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree as ET

import numpy as np
from fmpy import extract, fmi2, fmi3, read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.logging import addLoggerProxy

MESSAGES = ("logStatusWarning", "logStatusDiscard", "logStatusError")  # those of every step are not wanted
STATISTICS = ("steps", "rejected", "newton_iterations", "jacobians", "factorizations", "restarts")


class Discarded(Exception):
    """A step that the unit could not take; `reached` is how far it got, if it says so."""

    def __init__(self, unit: str, t: float, h: float, reached: float, why: str):
        super().__init__(f"{unit}: the step from t = {t:.9g} by {h:.3g} was discarded; {why}")
        self.reached = reached


# The native logger of FMPy knows one function only: messages of FMI 2.0 find their unit by the environment.
_units = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def _find(environment, _name, status, _category, text):
    unit = _units.get(environment)
    if unit is not None:
        unit.log(status, text)


_log2 = fmi2.fmi2CallbackLoggerTYPE(_find)


class Unit:
    def __init__(self, name: str, fmu: Path):
        self.name, self.t = name, 0.0
        self.description = read_model_description(fmu, validate=False)
        self.version = int(self.description.fmiVersion[0])
        self.variables = {v.name: v for v in self.description.modelVariables}
        self._folder = TemporaryDirectory()
        extract(fmu, self._folder.name)
        self._read_abilities(Path(self._folder.name) / "modelDescription.xml")
        self.messages: list[str] = []
        self._slopes = {}  # inputs on straight lines over the next step: reference: (value, slope)
        slave = fmi2.FMU2Slave if self.version == 2 else fmi3.FMU3Slave
        self.fmu = slave(
            guid=self.description.guid if self.version == 2 else self.description.instantiationToken,
            unzipDirectory=self._folder.name,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName=name,
        )
        self._instantiate()
        known = {category.name for category in self.description.logCategories}
        self.fmu.setDebugLogging(True, [c for c in MESSAGES if c in known])

    def _read_abilities(self, file: Path):
        """FMPy reads some of them for FMI 2.0 only."""
        interface = ET.parse(file).getroot().find("CoSimulation").attrib
        yes = lambda *names: any(interface.get(name) == "true" for name in names)  # noqa: E731
        self.has_states = yes("canGetAndSetFMUstate", "canGetAndSetFMUState")
        self.has_jacobian = yes("providesDirectionalDerivative", "providesDirectionalDerivatives")
        self.takes_slopes = yes("canInterpolateInputs", "providesIntermediateUpdate")
        self.gives_slopes = int(interface.get("maxOutputDerivativeOrder", 0)) > 0

    def _instantiate(self):
        if self.version == 2:
            self.fmu.instantiate(callbacks=self._callbacks2())
            return
        self.fmu.instantiate(
            logMessage=lambda _env, status, _category, text: self.log(status, text),
            intermediateUpdate=self._update if self.takes_slopes else None,
        )

    def _callbacks2(self):
        callbacks = fmi2.fmi2CallbackFunctions()
        callbacks.logger = _log2
        addLoggerProxy(byref(callbacks))
        callbacks.componentEnvironment = next(_numbers)
        _units[callbacks.componentEnvironment] = self
        return callbacks

    def log(self, status: int, text: bytes | None):
        if status > 0 and text:
            self.messages.append(text.decode())

    def _update(self, _env, time, set_requested, get_allowed, finished, _can_return, _requested, _return_time):
        """FMI 3.0: the unit is about to take a substep that ends at `time` and asks for the inputs there."""
        if set_requested and not finished and self._slopes:
            values = [value + slope * (time - self.t) for value, slope in self._slopes.values()]
            self.fmu.setFloat64(list(self._slopes), values)

    # --- life ---

    def enter_initialization(self, values: dict[str, float], stop: float | None, tolerance: float | None):
        if tolerance is not None and "solver.tolerance" in self.variables:  # what an importer asks for only tightens
            values = {"solver.tolerance": tolerance} | values
        for name, value in values.items():
            self._set_any(name, value)
        if self.version == 2:
            self.fmu.setupExperiment(tolerance=tolerance, startTime=0.0, stopTime=stop)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(tolerance=tolerance, startTime=0.0, stopTime=stop)

    def exit_initialization(self):
        self.fmu.exitInitializationMode()

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()
        self._folder.cleanup()

    # --- variables ---

    def references(self, names) -> list[int]:
        return [self.variables[name].valueReference for name in names]

    def get(self, names) -> np.ndarray:
        if not names:
            return np.empty(0)
        read = self.fmu.getReal if self.version == 2 else self.fmu.getFloat64
        return np.array(read(self.references(names)))

    def set(self, names, values):
        if len(names):
            write = self.fmu.setReal if self.version == 2 else self.fmu.setFloat64
            write(self.references(names), [float(v) for v in values])

    def _set_any(self, name: str, value):
        kind = self.variables[name].type
        reference = [self.variables[name].valueReference]
        if kind in ("Real", "Float64"):
            self.set([name], [value])
        elif kind == "Boolean":
            self.fmu.setBoolean(reference, [bool(value)])
        else:
            (self.fmu.setInteger if self.version == 2 else self.fmu.setInt64)(reference, [int(value)])

    def statistics(self) -> dict[str, int]:
        """What the solver has done so far; nothing for units of others."""
        names = [f"solver.{name}" for name in STATISTICS if f"solver.{name}" in self.variables]
        if not names:
            return {}
        read = self.fmu.getInteger if self.version == 2 else self.fmu.getInt64
        return dict(zip(STATISTICS, read(self.references(names)), strict=True))

    # --- steps ---

    def set_slopes(self, names, values, slopes):
        """Inputs that go on from `values` along straight lines during the next step."""
        self.set(names, values)
        if self.version == 2:
            if len(names):
                self.fmu.setRealInputDerivatives(self.references(names), [1] * len(names), [float(s) for s in slopes])
        else:
            self._slopes = dict(zip(self.references(names), zip(values, slopes, strict=True), strict=True))

    def step(self, t: float, h: float):
        self.t = t
        seen = len(self.messages)
        try:
            self.fmu.doStep(t, h, False)
        except FMICallException as failure:
            if failure.status != 2:
                raise RuntimeError(" ".join([f"{self.name}: {failure}", *self.messages[seen:]])) from None
            reached = self._last_successful_time() if self.version == 2 else t
            raise Discarded(self.name, t, h, reached, " ".join(self.messages[seen:])) from None
        finally:
            self._slopes = {}
        self.t = t + h

    def run(self, names, times) -> np.ndarray:
        """The values of these variables at the times, the first of which is now; inputs stay."""
        rows = [self.get(names)]
        for t, after in zip(times, times[1:]):
            self.step(t, after - t)
            rows.append(self.get(names))
        return np.array(rows)

    def _last_successful_time(self) -> float:
        value = c_double()
        self.fmu.fmi2GetRealStatus(self.fmu.component, fmi2.fmi2LastSuccessfulTime, byref(value))
        return value.value

    # --- states ---

    def save(self):
        return self.fmu.getFMUState(), self.t

    def restore(self, state):
        self.fmu.setFMUState(state[0])
        self.t = state[1]

    def forget(self, state):
        self.fmu.freeFMUState(state[0])

    def to_bytes(self) -> bytes:
        state = self.save()
        data = bytes(self.fmu.serializeFMUState(state[0]))
        self.forget(state)
        return data

    def from_bytes(self, data: bytes, t: float):
        state = self.fmu.deserializeFMUState(data)
        self.restore((state, t))
        self.forget((state, t))

    # --- derivatives ---

    def output_slopes(self, names) -> np.ndarray:
        """Their derivatives by time."""
        read = self.fmu.getRealOutputDerivatives if self.version == 2 else self.fmu.getOutputDerivatives
        return np.array(read(self.references(names), [1] * len(names)))

    def jacobian(self, outputs, inputs) -> np.ndarray:
        """∂outputs/∂inputs at the present time: what goes straight through."""
        columns = []
        for name in inputs:
            arguments = (self.references(outputs), self.references([name]), [1.0])
            if self.version == 2:
                columns.append(self.fmu.getDirectionalDerivative(*arguments))
            else:
                columns.append(self.fmu.getDirectionalDerivative(*arguments, nSensitivity=len(outputs)))
        return np.array(columns).T.reshape(len(outputs), len(inputs))

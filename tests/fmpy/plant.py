"""One FMU instance with the same methods for FMI 2.0 and 3.0, on FMPy's low-level classes.

Every call that is not carried out raises Refused; refuses() checks such a call: a status and exactly one message.
Names are those of the model description; in FMI 2.0 the scalars y[1], y[2] ... are gathered under the name y, so that
vectors are read and set alike.
"""

import itertools
import re
from contextlib import contextmanager
from ctypes import byref, c_double, c_int, c_size_t, c_uint, c_void_p
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
from fmpy import extract, fmi2, fmi3, read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.logging import addLoggerProxy


class Status(IntEnum):
    OK = 0
    WARNING = 1
    DISCARD = 2
    ERROR = 3
    FATAL = 4


class Refused(Exception):
    def __init__(self, function, status, messages):
        super().__init__(f"{function}: {status.name}; " + " | ".join(m.text for m in messages))
        self.status = status


@dataclass
class Message:
    status: Status
    category: str
    text: str


@dataclass
class Variable:
    """A scalar or a vector as the FMU has it."""

    name: str
    kind: str  # Real, Integer or Boolean, as in the names of the functions of FMI 2.0
    references: list[int]  # one for each number in FMI 2.0, one for all in FMI 3.0
    size: int
    vector: bool
    description: object  # FMPy's; of the first number

    def __iter__(self):
        return iter(self.references)


KINDS = {"Enumeration": "Integer", "Float64": "Real", "Int64": "Integer"}
NAMES_3 = {"Real": "Float64", "Integer": "Int64", "Boolean": "Boolean"}
TYPES = {
    2: {"Real": fmi2.fmi2Real, "Integer": fmi2.fmi2Integer, "Boolean": fmi2.fmi2Boolean},
    3: {"Real": fmi3.fmi3Float64, "Integer": fmi3.fmi3Int64, "Boolean": fmi3.fmi3Boolean},
}


class Fmu:
    """An FMU on disk: its description, its folder and its loaded binary."""

    def __init__(self, path: Path, folder: Path):
        self.path, self.folder, self.resources = path, folder, folder / "resources"
        extract(str(path), str(folder))
        self.description = read_model_description(str(path), validate=False)
        self.version = int(self.description.fmiVersion[0])
        self.model = self.description.modelName
        self.token = self.description.guid if self.version == 2 else self.description.instantiationToken
        slave = fmi2.FMU2Slave if self.version == 2 else fmi3.FMU3Slave
        identifier = self.description.coSimulation.modelIdentifier
        self.slave = slave(guid=self.token, unzipDirectory=str(folder), modelIdentifier=identifier)
        self.xml = (folder / "modelDescription.xml").read_text(encoding="utf-8")
        self.variables: dict[str, Variable] = {}
        for v in self.description.modelVariables:
            name, index = re.fullmatch(r"(.*?)(?:\[(\d+)\])?", v.name).groups()
            kind = KINDS.get(v.type, v.type)
            size = int(np.prod([int(d.start) for d in v.dimensions])) if v.dimensions else 1
            if index is None or int(index) == 1:
                vector = index is not None or bool(v.dimensions)
                self.variables[name] = Variable(name, kind, [v.valueReference], size, vector, v)
            else:
                self.variables[name].references.append(v.valueReference)
                self.variables[name].size += 1

    def names(self, causality: str) -> list[str]:
        return [name for name, v in self.variables.items() if v.description.causality == causality]

    @property
    def experiment(self):
        e = self.description.defaultExperiment
        return float(e.stopTime), float(e.stepSize), float(e.tolerance)


# The native logger of FMPy calls one function only: the environment leads messages to their instance.
_environments: dict[int, "Plant"] = {}
_numbers = itertools.count(1)


def _receive(environment, status, category, text):
    plant = _environments.get(environment)
    if plant is not None:
        plant.messages.append(Message(Status(status), (category or b"").decode(), (text or b"").decode()))


_log_2 = fmi2.fmi2CallbackLoggerTYPE(lambda env, _, status, category, text: _receive(env, status, category, text))
_log_3 = fmi3.fmi3LogMessageCallback(_receive)


def array(kind, values):
    values = list(values)
    return (kind * len(values))(*values)


class Plant:
    def __init__(
        self,
        fmu: Fmu,
        *,
        logging=True,
        logger=True,
        name="plant",
        token=None,
        event_mode=False,
        early_return=False,
        intermediate=None,
        inputs=None,
        intermediate_variables=(),
    ):
        """Without `logger` all callbacks are NULL. Inside a step of FMI 3.0 `inputs(plant, time)` is called when the
        FMU asks for inputs at a later time, and `intermediate(plant, time)` after every substep; its result, if any, is
        the time at which it asks the step to end."""
        self.fmu, self.version = fmu, fmu.version
        self.messages: list[Message] = []
        self.time = 0.0
        self.environment = next(_numbers)
        _environments[self.environment] = self
        token = fmu.token if token is None else token
        if self.version == 2:
            self._callbacks = fmi2.fmi2CallbackFunctions()
            if logger:
                self._callbacks.logger = _log_2
                addLoggerProxy(byref(self._callbacks))
            self._callbacks.componentEnvironment = self.environment
            self.component = fmu.slave.fmi2Instantiate(
                name.encode(), fmi2.fmi2CoSimulation, token.encode(), fmu.resources.as_uri().encode(), byref(self._callbacks), 0, logging
            )
        else:
            self._update = fmi3.fmi3IntermediateUpdateCallback()
            if intermediate is not None or inputs is not None:
                self._update = fmi3.fmi3IntermediateUpdateCallback(self._make_update(intermediate, inputs))
            announced = [r for n in intermediate_variables for r in fmu.variables[n]]
            self.component = fmu.slave.fmi3InstantiateCoSimulation(
                name.encode(),
                token.encode(),
                f"{fmu.resources}/".encode(),
                False,
                logging,
                event_mode,
                early_return,
                array(c_uint, announced),
                len(announced),
                self.environment,
                _log_3 if logger else fmi3.fmi3LogMessageCallback(),
                self._update,
            )
        self.alive = bool(self.component)

    def _make_update(self, action, inputs):
        def update(_env, time, set_requested, get_allowed, finished, can_return, requested, return_time):
            assert set_requested and get_allowed == finished
            if not finished:
                assert not can_return
                if inputs is not None:
                    inputs(self, time)
            elif action is not None:
                self.update_flags = (finished, can_return)
                wish = action(self, time)
                if wish is not None:
                    requested[0], return_time[0] = True, wish

        return update

    # --- calls ---

    def status_of(self, function: str, *arguments) -> Status:
        """Calls fmi2Function or fmi3Function on this instance."""
        try:
            status = getattr(self.fmu.slave, f"fmi{self.version}{function}")(self.component, *arguments)
        except FMICallException as failure:
            status = failure.status
        return Status(status or 0)

    def call(self, function: str, *arguments) -> Status:
        seen = len(self.messages)
        status = self.status_of(function, *arguments)
        if status > Status.WARNING:
            raise Refused(function, status, self.messages[seen:])
        return status

    @contextmanager
    def refuses(self, status: Status, text: str = ""):
        """The calls inside end with this status and one message of that status with `text` (a pattern) in it."""
        seen = len(self.messages)
        try:
            yield
        except Refused as refused:
            assert refused.status == status, refused
        else:
            raise AssertionError(f"expected {status.name}, but the call was carried out")
        new = [m for m in self.messages[seen:] if m.status > Status.OK]
        assert len(new) == 1, f"one message expected: {new}"
        assert new[0].status == status and re.search(text, new[0].text), f"no '{text}' in {new[0]}"
        assert new[0].category == ("logStatusDiscard" if status == Status.DISCARD else "logStatusError"), new[0]

    # --- life cycle ---

    def enter_initialization(self, start=0.0, stop=None, tolerance=None):
        self.time = start
        arguments = (tolerance is not None, tolerance or 0.0, start, stop is not None, stop or 0.0)
        if self.version == 2:
            self.call("SetupExperiment", *arguments)
            self.call("EnterInitializationMode")
        else:
            self.call("EnterInitializationMode", *arguments)

    def exit_initialization(self):
        self.call("ExitInitializationMode")

    def start(self, values=None, *, start=0.0, stop=None, tolerance=None) -> "Plant":
        for name, value in (values or {}).items():
            self.set(name, value)
        self.enter_initialization(start, stop, tolerance)
        self.exit_initialization()
        return self

    def enter_event_mode(self):
        self.call("EnterEventMode")

    def enter_step_mode(self):
        self.call("EnterStepMode")

    def terminate(self):
        self.call("Terminate")

    def reset(self):
        self.call("Reset")
        self.time = 0.0

    def free(self):
        if self.alive:
            getattr(self.fmu.slave, f"fmi{self.version}FreeInstance")(self.component)
        self.alive = False
        _environments.pop(self.environment, None)

    def set_logging(self, on: bool, *categories: str):
        kind = fmi2.fmi2String if self.version == 2 else fmi3.fmi3String
        self.call("SetDebugLogging", on, len(categories), array(kind, [c.encode() for c in categories]))

    # --- variables ---

    def _function(self, verb: str, kind: str) -> str:
        return verb + (kind if self.version == 2 else NAMES_3[kind])

    def get_references(self, kind: str, references, count: int):
        values = (TYPES[self.version][kind] * count)()
        extra = () if self.version == 2 else (count,)
        self.call(self._function("Get", kind), array(c_uint, references), len(references), values, *extra)
        return list(values)

    def set_references(self, kind: str, references, values):
        values = array(TYPES[self.version][kind], values)
        extra = () if self.version == 2 else (len(values),)
        self.call(self._function("Set", kind), array(c_uint, references), len(references), values, *extra)

    def get(self, name: str):
        v = self.fmu.variables[name]
        values = self.get_references(v.kind, v.references, v.size)
        if v.vector:
            return np.array(values)
        return bool(values[0]) if v.kind == "Boolean" else values[0]

    def get_number(self, name: str) -> float:
        """A scalar, or an element of a vector: y[1]."""
        vector, index = re.fullmatch(r"(.*?)(?:\[(\d+)\])?", name).groups()
        return self.get(vector) if index is None else self.get(vector)[int(index) - 1]

    def get_all(self, names) -> np.ndarray:
        """Real scalars and vectors one after the other, in one call."""
        some = [self.fmu.variables[n] for n in names]
        return np.array(self.get_references("Real", [r for v in some for r in v], sum(v.size for v in some)))

    def set(self, name: str, value):
        v = self.fmu.variables[name]
        self.set_references(v.kind, v.references, value if v.vector else [value])

    def statistics(self) -> dict[str, int]:
        names = ["steps", "rejected", "newton_iterations", "jacobians", "factorizations", "restarts"]
        return {n: self.get("solver." + n) for n in names}

    def everything(self) -> np.ndarray:
        """All numbers an importer can read."""
        values = [np.atleast_1d(self.get(name)).astype(float) for name in self.fmu.variables]
        return np.concatenate(values)

    # --- steps ---

    def step(self, H: float, at: float | None = None):
        """One doStep from `at` (by default from the end of the last one). FMI 3.0: the early-return flag and the time."""
        t = self.time if at is None else at
        if self.version == 2:
            self.call("DoStep", t, H, False)
            self.time = t + H
            return None
        flags = [fmi3.fmi3Boolean() for _ in range(3)]
        reached = fmi3.fmi3Float64()
        self.call("DoStep", t, H, False, *map(byref, flags), byref(reached))
        assert not flags[0].value and not flags[1].value
        self.time = reached.value
        return flags[2].value, reached.value

    def run(self, until: float, H: float):
        """Equal steps up to `until`."""
        begin = self.time
        n = round((until - begin) / H)
        for i in range(n):
            t = begin + i * (until - begin) / n
            self.step(begin + (i + 1) * (until - begin) / n - t, at=t)
        return self

    def last_successful_time(self) -> float:
        value = c_double()
        self.call("GetRealStatus", fmi2.fmi2LastSuccessfulTime, byref(value))
        return value.value

    def wants_to_terminate(self) -> bool:
        value = c_int(-1)
        self.call("GetBooleanStatus", fmi2.fmi2Terminated, byref(value))
        return bool(value.value)

    # --- saved states ---

    @property
    def _byte(self):
        return fmi2.fmi2Byte if self.version == 2 else fmi3.fmi3Byte

    def _state(self, verb: str) -> str:
        return verb.replace("State", "state") if self.version == 2 else verb

    def save(self, into: c_void_p | None = None) -> c_void_p:
        state = c_void_p() if into is None else into
        self.call(self._state("GetFMUState"), byref(state))
        return state

    def restore(self, state: c_void_p):
        self.call(self._state("SetFMUState"), state)
        self.time = self.get("time")

    def free_state(self, state: c_void_p):
        self.call(self._state("FreeFMUState"), byref(state))

    def serialize(self, state: c_void_p | None = None) -> bytes:
        """The bytes of a saved state, or of the present one."""
        own = self.save() if state is None else state
        size = c_size_t()
        self.call(self._state("SerializedFMUStateSize"), own, byref(size))
        buffer = (self._byte * size.value)()
        self.call(self._state("SerializeFMUState"), own, buffer, size.value)
        if state is None:
            self.free_state(own)
        return bytes(buffer)

    def load(self, data: bytes) -> c_void_p:
        state = c_void_p()
        function = "DeSerializeFMUstate" if self.version == 2 else "DeserializeFMUState"
        self.call(function, (self._byte * len(data)).from_buffer_copy(data), len(data), byref(state))
        return state

    def restore_bytes(self, data: bytes):
        state = self.load(data)
        self.restore(state)
        self.free_state(state)

    # --- derivatives ---

    def _sensitivity(self, function, unknowns, knowns, seed, count):
        unknown = [r for n in unknowns for r in self.fmu.variables[n]]
        known = [r for n in knowns for r in self.fmu.variables[n]]
        seed = array(c_double, seed)
        result = (c_double * count)()
        extra = [(), ()] if self.version == 2 else [(len(seed),), (count,)]
        self.call(
            function,
            array(c_uint, unknown),
            len(unknown),
            array(c_uint, known),
            len(known),
            seed,
            *extra[0],
            result,
            *extra[1],
        )
        return np.array(result)

    def size(self, names) -> int:
        return sum(self.fmu.variables[n].size for n in names)

    def directional(self, unknowns, knowns, seed) -> np.ndarray:
        return self._sensitivity("GetDirectionalDerivative", unknowns, knowns, seed, self.size(unknowns))

    def jacobian(self, unknowns, knowns) -> np.ndarray:
        return np.column_stack([self.directional(unknowns, knowns, e) for e in np.eye(self.size(knowns))])

    def adjoint(self, unknowns, knowns, seed) -> np.ndarray:
        return self._sensitivity("GetAdjointDerivative", unknowns, knowns, seed, self.size(knowns))

    def set_input_derivative(self, name: str, order: int, value: float):
        self.call("SetRealInputDerivatives", array(c_uint, self.fmu.variables[name]), 1, array(c_int, [order]),
                  array(c_double, [value]))  # fmt: skip

    def output_derivative(self, name: str, order: int) -> float:
        value = (c_double * 1)()
        function = "GetRealOutputDerivatives" if self.version == 2 else "GetOutputDerivatives"
        extra = () if self.version == 2 else (1,)
        self.call(function, array(c_uint, self.fmu.variables[name]), 1, array(c_int, [order]), value, *extra)
        return value[0]

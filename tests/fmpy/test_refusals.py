"""Refused calls: the right status, one message with the reason, and nothing is lost."""

import math
import os
from ctypes import c_uint

import numpy as np
import pytest
from plant import NAMES_3, Refused, Status, array

MODEL = pytest.mark.parametrize("model", ["slider_crank", "pendulum", "soi2_problem"])
FMI2 = pytest.mark.parametrize("version", [2], ids=["fmi2"])
FMI3 = pytest.mark.parametrize("version", [3], ids=["fmi3"])
ERROR, DISCARD = Status.ERROR, Status.DISCARD


def snapshot(plant) -> bytes:
    return plant.serialize()


# --- steps that fail inside ---

FAILING = {  # settings that make a step of 0.5 s fail, and the message
    "too many substeps": ({"solver.max_substeps": 2}, r"t = .*substeps.*max_substeps"),
    "substeps too small": ({"solver.h_min": 1.0, "solver.h_init": 0.01, "solver.tolerance": 1e-12}, r"t = .*h_min"),
}


@FMI3
@MODEL
@pytest.mark.parametrize("case", FAILING)
def test_failed_step_of_fmi3_leaves_the_state_as_it_was(plants, model, case):
    settings, reason = FAILING[case]
    plant = plants(model).start(settings)
    before, values = snapshot(plant), plant.everything()
    with plant.refuses(DISCARD, reason):
        plant.step(0.5)
    assert snapshot(plant) == before
    np.testing.assert_array_equal(plant.everything(), values)


@FMI3
@MODEL
def test_failed_step_of_fmi3_can_be_taken_in_smaller_parts(plants, model):
    plant = plants(model).start({"solver.max_substeps": 3}, tolerance=1e-4)
    with plant.refuses(DISCARD, "t = .*shorten"):
        plant.step(0.5)
    for _ in range(20):
        plant.step(1e-4)
    untroubled = plants(model).start({"solver.max_substeps": 3}, tolerance=1e-4)
    for _ in range(20):
        untroubled.step(1e-4)
    assert snapshot(plant) == snapshot(untroubled)


@FMI2
@MODEL
@pytest.mark.parametrize("case", FAILING)
def test_failed_step_of_fmi2_follows_the_protocol(plants, model, case):
    """After a discarded step, only reading, restoring a saved state, reset and terminate are allowed."""
    settings, reason = FAILING[case]
    plant = plants(model).start(settings)
    begin = plant.save()
    with plant.refuses(DISCARD, reason):
        plant.step(0.5)
    assert 0 <= plant.last_successful_time() < 0.5
    assert plant.last_successful_time() == plant.get("time")
    assert plant.wants_to_terminate() is False
    with plant.refuses(ERROR, "discarded step"):
        plant.step(0.1)
    with plant.refuses(ERROR, "discarded step"):
        plant.set_references("Real", [], [])
    assert np.isfinite(plant.everything()).all()
    plant.free_state(plant.save())
    plant.restore(begin)
    assert plant.get("time") == 0
    if case == "too many substeps":
        plant.step(1e-6)
        assert plant.last_successful_time() == 1e-6
    plant.free_state(begin)


@FMI2
@pytest.mark.parametrize("way_out", ["Reset", "Terminate"])
def test_reset_and_terminate_are_allowed_after_a_failed_step(plants, way_out):
    plant = plants("pendulum").start({"solver.max_substeps": 1})
    with plant.refuses(DISCARD):
        plant.step(1)
    plant.call(way_out)
    if way_out == "Reset":
        plant.start().step(1)


def test_discarded_step_is_silent_when_logging_is_off_but_errors_are_not(plants):
    plant = plants("pendulum", logging=False).start({"solver.max_substeps": 1})
    with pytest.raises(Refused) as refused:
        plant.step(1)
    assert refused.value.status == DISCARD and not plant.messages
    with pytest.raises(Refused) as refused:
        plant.step(-1)
    assert refused.value.status == ERROR and len(plant.messages) == 1


# --- arguments ---

WRONG_STEPS = {
    "no step": (0.0, 0.0, "positive"),
    "backwards": (0.0, -1e-3, "positive"),
    "NaN step": (0.0, math.nan, "finite"),
    "infinite step": (0.0, math.inf, "finite"),
    "NaN time": (math.nan, 1e-3, "finite"),
    "another time": (0.3, 1e-3, r"t = 0.3.*t = 0"),
    "a little later": (1e-6, 1e-3, "is at t = 0"),
    "beyond the stop time": (0.0, 0.6, "stop time 0.5"),
}


@MODEL
@pytest.mark.parametrize("case", WRONG_STEPS)
def test_wrong_arguments_of_a_step_change_nothing(plants, model, case):
    t, H, reason = WRONG_STEPS[case]
    plant = plants(model).start(stop=0.5)
    before = snapshot(plant)
    with plant.refuses(ERROR, reason):
        plant.step(H, at=t)
    assert snapshot(plant) == before
    plant.step(1e-3, at=0.0)


def test_steps_up_to_the_stop_time_are_taken_in_spite_of_rounding(plants):
    plant = plants("pendulum", logging=False).start(stop=0.3)
    t = 0.0
    for _ in range(3):
        plant.step(0.1, at=t)
        t += 0.1
    assert t > 0.3
    with plant.refuses(ERROR, "stop time"):
        plant.step(0.1, at=t)


def test_late_runs_end_where_they_shall(plants):
    """Rounding counts in proportion to the run, not to the time since 1970."""
    plant = plants("pendulum", logging=False).start(start=1.7e9, stop=1.7e9 + 0.5)
    plant.step(0.25, at=1.7e9)
    with plant.refuses(ERROR, "stop time"):
        plant.step(0.375, at=1.7e9 + 0.25)
    plant.step(0.25, at=1.7e9 + 0.25)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("name", ["torque", "stiffness"])
def test_values_that_are_not_finite_are_refused_and_the_old_ones_stay(plants, name, value):
    plant = plants("slider_crank").start()
    before = snapshot(plant)
    with plant.refuses(ERROR, f"t = 0.*'{name}'.*keeps"):
        plant.set(name, value)
    assert snapshot(plant) == before
    plant.step(0.01)


OUT_OF_RANGE = {
    "l1": -1.0, "m1": -1e-9, "stiffness": -1.0, "solver.rho_inf": 1.5, "solver.alpha_hht": -0.5,
    "solver.tolerance": -1.0, "solver.fixed_step": -1.0, "solver.h_min": -1.0, "solver.h_max": -1.0,
    "solver.max_substeps": -1, "solver.method": 4,
}  # fmt: skip


@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_parameters_out_of_range_are_refused_and_the_old_ones_stay(plants, name):
    plant = plants("slider_crank")
    old = plant.get(name)
    with plant.refuses(ERROR, f"'{name}'.*range.*keeps"):
        plant.set(name, OUT_OF_RANGE[name])
    assert plant.get(name) == old
    plant.start().step(0.01)


def test_computed_values_cannot_be_set(plants):
    plant = plants("slider_crank")
    for prepare in [lambda: None, plant.enter_initialization, plant.exit_initialization]:
        prepare()
        for name in ["theta1", "pin.x", "energy.total", "time", "constraint.position", "solver.steps"]:
            with plant.refuses(ERROR, f"'{name}'"):
                plant.set(name, 1)
        for name in ["a", "lambda", "method.a", "method.lambda"]:
            with plant.refuses(ERROR, f"'{name}"):
                plant.set(name, plant.fmu.variables[name].size * [1.0])
    plant.step(0.01)


def test_fixed_parameters_and_start_values_cannot_be_set_after_initialization(plants):
    plant = plants("slider_crank").start()
    before = snapshot(plant)
    fixed = [n for n, v in plant.fmu.variables.items() if v.description.variability == "fixed"]
    assert len(fixed) == 12
    for name in fixed:
        with plant.refuses(ERROR, f"'{name}'.*initialization"):
            plant.set(name, plant.get(name))
    for name in ["y", "z"]:
        with plant.refuses(ERROR, f"'{name}'.*initialization"):
            plant.set(name, plant.get(name))
    assert snapshot(plant) == before


def test_unknown_references_and_other_types_are_refused(plants):
    plant = plants("slider_crank").start()
    torque, method = plant.fmu.variables["torque"], plant.fmu.variables["solver.method"]
    for reference in [1000, 2**32 - 1]:
        for kind in ["Real", "Integer", "Boolean"]:
            with plant.refuses(ERROR, f"no variable.*{reference}"):
                plant.get_references(kind, [reference], 1)
            with plant.refuses(ERROR, f"no variable.*{reference}"):
                plant.set_references(kind, [reference], [1])
    for kind, variable in [("Integer", torque), ("Boolean", torque), ("Real", method), ("Boolean", method)]:
        with plant.refuses(ERROR, f"'{variable.name}'.*type"):
            plant.get_references(kind, variable.references, 1)
        with plant.refuses(ERROR, f"'{variable.name}'.*type"):
            plant.set_references(kind, variable.references, [1])


@FMI3
def test_wrong_number_of_values_is_refused(plants):
    plant = plants("slider_crank").start()
    y = plant.fmu.variables["y"]
    for count in [0, 1, 9, 11]:
        with plant.refuses(ERROR, "10 values"):
            plant.get_references("Real", y.references, count)
    with plant.refuses(ERROR, "no variable"):  # the second number of an array is not a variable
        plant.get_references("Real", [y.references[0] + 1], 1)


def test_one_wrong_value_in_a_call_sets_none(plants):
    plant = plants("slider_crank").start()
    names = ["torque", "stiffness"]
    references = [r for n in names for r in plant.fmu.variables[n]]
    with plant.refuses(ERROR, "stiffness"):
        plant.set_references("Real", references, [77.0, -1.0])
    assert plant.get("torque") == 1


@pytest.mark.parametrize("tolerance", [0.0, -1.0, math.nan, math.inf])
def test_impossible_tolerance_of_the_importer_is_refused(plants, tolerance):
    plant = plants("pendulum")
    function = "SetupExperiment" if plant.version == 2 else "EnterInitializationMode"
    with plant.refuses(ERROR, "tolerance"):
        plant.call(function, True, tolerance, 0.0, False, 0.0)
    plant.start(tolerance=1e-4)


def test_stop_before_start_is_refused(plants):
    plant = plants("pendulum")
    with plant.refuses(ERROR, "stop time"):
        plant.enter_initialization(start=1, stop=0.5)
    plant.start()


# --- the order of calls ---

PHASES = {
    "instantiated": lambda p: None,
    "initialization": lambda p: p.enter_initialization(),
    "stepping": lambda p: (p.start(), p.enter_step_mode() if p.version == 3 else None),
    "event": lambda p: p.start(),
    "terminated": lambda p: (p.start(), p.terminate()),
}
ALLOWED = {  # call: phases it may be made in
    "enter initialization": ["instantiated"],
    "exit initialization": ["initialization"],
    "step": ["stepping"],
    "set input": ["instantiated", "initialization", "stepping", "event"],
    "set parameter": ["instantiated", "initialization", "stepping", "event"],
    "set setting": ["instantiated", "initialization"],
    "get output": ["initialization", "stepping", "event", "terminated"],
    "terminate": ["stepping", "event"],
    "reset": list(PHASES),
    "save": list(PHASES),
    "output derivative": ["stepping", "event", "terminated"],
    "directional derivative": ["initialization", "stepping", "event"],
    "enter event mode": ["stepping"],
    "enter step mode": ["event"],
}
CALLS = {
    "enter initialization": lambda p: p.enter_initialization(),
    "exit initialization": lambda p: p.exit_initialization(),
    "step": lambda p: p.step(0.01),
    "set input": lambda p: p.set("torque", 2),
    "set parameter": lambda p: p.set("stiffness", 900),
    "set setting": lambda p: p.set("solver.rho_inf", 0.5),
    "get output": lambda p: p.get("theta1"),
    "terminate": lambda p: p.terminate(),
    "reset": lambda p: p.reset(),
    "save": lambda p: p.free_state(p.save()),
    "output derivative": lambda p: p.output_derivative("theta1", 1),
    "directional derivative": lambda p: p.directional(["pin.x"], ["torque"], [1]),
    "enter event mode": lambda p: p.enter_event_mode(),
    "enter step mode": lambda p: p.enter_step_mode(),
}


ONLY_FMI3 = {"event", "enter event mode", "enter step mode"}
COMBINATIONS = [(v, p, c) for v in [2, 3] for p in PHASES for c in CALLS if v == 3 or not ONLY_FMI3 & {p, c}]


@pytest.mark.parametrize(("version", "phase", "call"), COMBINATIONS)
def test_calls_are_carried_out_in_their_phases_only(plants, version, phase, call):
    plant = plants("slider_crank", event_mode=version == 3)
    PHASES[phase](plant)
    if phase in ALLOWED[call]:
        CALLS[call](plant)
    else:
        with plant.refuses(ERROR):
            CALLS[call](plant)
        plant.reset()
        plant.start()


@FMI3
def test_event_mode_is_refused_when_it_was_not_asked_for(plants):
    plant = plants("pendulum").start()
    with plant.refuses(ERROR, "without event mode"):
        plant.enter_event_mode()
    plant.step(0.1)


UNAVAILABLE = {
    2: ["CancelStep"],
    3: ["EnterConfigurationMode", "ExitConfigurationMode", "EvaluateDiscreteStates", "EnterContinuousTimeMode"],
}


def test_unsupported_functions_report_it(plants, version):
    plant = plants("pendulum").start()
    for function in UNAVAILABLE[version]:
        with plant.refuses(ERROR, function):
            plant.call(function)
    plant.step(0.1)


def null_calls(version: int) -> dict[str, tuple]:
    one, names = ((1,), NAMES_3) if version == 3 else ((), {"Real": "Real"})
    state = "FMUState" if version == 3 else "FMUstate"
    pin, torque = array(c_uint, [13]), array(c_uint, [1])
    return {
        "get": (f"Get{names['Real']}", None, 1, None, *one),
        "set": (f"Set{names['Real']}", None, 1, None, *one),
        "save": (f"Get{state}", None),
        "restore": (f"Set{state}", None),
        "output derivative": (f"Get{'' if one else 'Real'}OutputDerivatives", None, 1, None, None, *one),
        "log categories": ("SetDebugLogging", True, 1, None),
        "knowns": ("GetDirectionalDerivative", pin, 1, None, 1, None, *one, None, *one),
        "seed": ("GetDirectionalDerivative", pin, 1, torque, 1, None, *one, None, *one),
    }


@pytest.mark.parametrize("case", null_calls(2))
def test_null_pointers_are_refused_without_a_crash(plants, case):
    """In a child process: a crash is a failed test, not the end of all tests."""
    plant = plants("slider_crank").start()
    call = null_calls(plant.version)[case]
    child = os.fork()
    if child == 0:
        refused = plant.status_of(*call) == ERROR
        os._exit(0 if refused and plant.status_of("Reset") == Status.OK else 1)
    assert os.waitpid(child, 0)[1] == 0

"""Inputs that change inside a communication step: input derivatives (2.0) and intermediate updates (3.0)."""

import math
from ctypes import c_double, c_int, c_uint

import numpy as np
import pytest
from fmpy import fmi3
from plant import Refused, Status, array

FMI2 = pytest.mark.parametrize("version", [2], ids=["fmi2"])
FMI3 = pytest.mark.parametrize("version", [3], ids=["fmi3"])
END, OMEGA = 0.2, 20.0


def torque(t: float, derivative=0) -> float:
    return [math.sin, math.cos, lambda x: -math.sin(x)][derivative](OMEGA * t) * OMEGA**derivative


def drive(plant, H: float, derivatives: int):
    plant.set("torque", torque(0))
    plant.start(tolerance=1e-9)
    for k in range(round(END / H)):
        plant.set("torque", torque(k * H))
        for order in range(1, derivatives + 1):
            plant.set_input_derivative("torque", order, torque(k * H, order))
        plant.step(H, at=k * H)
    return plant.get_all(["y", "z"])


@FMI2
def test_input_derivatives_raise_the_order_in_the_communication_step(plants):
    reference = drive(plants("slider_crank", logging=False), END / 400, 2)
    order, errors = {}, {}
    for derivatives in [0, 1, 2]:
        errors[derivatives] = [
            np.linalg.norm(drive(plants("slider_crank", logging=False), END / n, derivatives) - reference)
            for n in [10, 20, 40]
        ]
        order[derivatives] = math.log2(errors[derivatives][0] / errors[derivatives][2]) / 2
    assert order[0] == pytest.approx(1, abs=0.15), errors
    assert order[1] == pytest.approx(2, abs=0.25), errors
    assert errors[2][2] < errors[1][2] < errors[0][2]
    assert order[2] > 2.5 or errors[2][2] < 1e-6, errors


@FMI2
def test_continuous_input_is_not_a_jump(plants):
    """A straight line, given by value and slope, continues without a restart."""
    plant = plants("slider_crank", logging=False)
    plant.set("torque", 0.0)
    plant.start(tolerance=1e-6)
    for k in range(20):
        plant.set("torque", 3 * k * 0.01)
        plant.set_input_derivative("torque", 1, 3.0)
        plant.step(0.01, at=k * 0.01)
    assert plant.get("solver.restarts") == 0


@FMI2
def test_new_value_clears_the_derivatives_of_the_old_one(plants):
    stale, clean = plants("slider_crank").start(), plants("slider_crank").start()
    stale.set_input_derivative("torque", 1, 1000.0)
    stale.set_input_derivative("torque", 2, 1000.0)
    for plant in [stale, clean]:
        plant.set("torque", 1.5)
        plant.step(0.01)
    np.testing.assert_array_equal(stale.everything(), clean.everything())


@FMI2
def test_derivatives_are_used_for_one_step_and_the_value_reached_is_kept(plants):
    plant, held = plants("slider_crank").start(tolerance=1e-9), plants("slider_crank").start(tolerance=1e-9)
    for p in [plant, held]:
        p.set("torque", 1.0)
        p.set_input_derivative("torque", 1, 100.0)
        p.step(0.01)
    held.set("torque", 2.0)
    for p in [plant, held]:
        p.step(0.05)
    np.testing.assert_allclose(plant.get("y"), held.get("y"), rtol=0, atol=1e-12)


@FMI2
def test_derivatives_are_part_of_a_saved_state(plants):
    plant = plants("slider_crank").start()
    plant.set("torque", 2.0)
    plant.set_input_derivative("torque", 1, 50.0)
    plant.set_input_derivative("torque", 2, 500.0)
    data = plant.serialize()
    plant.step(0.02)
    for other in [plants("slider_crank"), plant]:
        other.restore_bytes(data)
        other.step(0.02)
        np.testing.assert_array_equal(other.everything(), plant.everything())
    ignored = plants("slider_crank").start()
    ignored.set("torque", 2.0)
    ignored.step(0.02)
    assert abs(ignored.get("theta1") - plant.get("theta1")) > 1e-5


@FMI2
def test_input_derivatives_of_other_orders_and_variables_are_refused(plants):
    plant = plants("slider_crank").start()
    before = plant.serialize()
    for order in [-1, 0, 3]:
        with plant.refuses(Status.ERROR, "order"):
            plant.set_input_derivative("torque", order, 1.0)
    for name in ["theta1", "stiffness", "time"]:
        with plant.refuses(Status.ERROR, f"'{name}' is not an input"):
            plant.set_input_derivative(name, 1, 1.0)
    with plant.refuses(Status.ERROR, "finite"):
        plant.set_input_derivative("torque", 1, math.nan)
    assert plant.serialize() == before


@FMI2
def test_of_several_input_derivatives_all_or_none_are_taken(plants):
    plant = plants("slider_crank").start()
    before = plant.serialize()
    torque = list(plant.fmu.variables["torque"])
    for orders, values in [([1, 3], [7.0, 1.0]), ([2, 1], [7.0, math.nan])]:
        with plant.refuses(Status.ERROR):
            plant.call("SetRealInputDerivatives", array(c_uint, torque * 2), 2, array(c_int, orders),
                       array(c_double, values))  # fmt: skip
        assert plant.serialize() == before


@FMI2
@pytest.mark.parametrize(("name", "value"), [("F", 100.0), ("m", 3.0)])
def test_outputs_show_the_inputs_in_force_however_often_they_are_read(plants, name, value):
    """Also if the input had a slope and a new value has been set for the next step."""
    seen = []
    for looks_before in [True, False]:
        plant = plants("pendulum").start()
        plant.set("F", 1.0)
        plant.set_input_derivative("F", 1, 20.0)
        plant.step(0.05)
        outputs = [*plant.fmu.names("output"), "a"]
        if looks_before:
            seen.append(plant.get_all(outputs))
        plant.set(name, value)
        seen += [plant.get_all(outputs) for _ in range(3)]
    for other in seen[1:]:
        np.testing.assert_array_equal(other, seen[0])


# --- intermediate update ---


@FMI3
def test_every_accepted_substep_is_told_with_its_values(plants):
    seen = []
    plant = plants(
        "slider_crank",
        intermediate=lambda p, t: seen.append((t, p.get("theta1"), p.get("time"))),
        intermediate_variables=["theta1", "time"],
    ).start()
    for k in range(5):
        before, told = plant.get("solver.steps"), len(seen)
        plant.step(0.02, at=0.02 * k)
        times = [t for t, _, _ in seen[told:]]
        assert len(times) == plant.get("solver.steps") - before
        assert times == sorted(set(times)) and times[0] > 0.02 * k and times[-1] == 0.02 * k + 0.02
        assert all(t == own for t, _, own in seen)
    assert plant.update_flags == (True, False)
    angles = [angle for _, angle, _ in seen]
    assert angles == sorted(angles) and angles[-1] == plant.get("theta1")


@FMI3
def test_looking_inside_a_step_does_not_change_it(plants):
    looking = plants(
        "slider_crank",
        intermediate=lambda p, t: p.get_all(["theta1", "pin.x", "energy.total"]) is None or None,
        intermediate_variables=["theta1", "pin.x", "energy.total"],
    )
    plain = plants("slider_crank")
    for plant in [looking, plain]:
        plant.start().run(0.2, 0.05)
    np.testing.assert_array_equal(looking.everything(), plain.everything())


@FMI3
def test_only_announced_variables_can_be_read_inside_a_step(plants):
    statuses = []

    def look(p, _t):
        for name in ["theta1", "x3"]:
            try:
                p.get(name)
                statuses.append(Status.OK)
            except Refused as refused:
                statuses.append(refused.status)

    plant = plants("slider_crank", intermediate=look, intermediate_variables=["theta1"]).start()
    plant.step(0.05)
    assert set(statuses[::2]) == {Status.OK} and set(statuses[1::2]) == {Status.ERROR}
    assert all("announced" in m.text for m in plant.messages if m.status == Status.ERROR)


@FMI3
def test_inputs_set_inside_a_step_act_from_there_on(plants):
    """With the present torque set after every substep, a long step is as accurate as many short ones."""

    def feed(p, t):
        p.set("torque", torque(t))

    result = {}
    for name, H, action in [("fine", END / 400, None), ("held", END / 2, None), ("fed", END / 2, feed)]:
        plant = plants("slider_crank", logging=False, intermediate=action, intermediate_variables=["torque"])
        plant.start({"torque": 0.0, "solver.h_max": END / 400}, tolerance=1e-8)
        for k in range(round(END / H)):
            plant.set("torque", torque(k * H))
            plant.step(H, at=k * H)
        result[name] = plant.get("y")
    assert np.abs(result["fed"] - result["fine"]).max() < 0.05 * np.abs(result["held"] - result["fine"]).max()


def torque_when_asked(p, t):
    p.set("torque", torque(t))


@FMI3
def test_inputs_given_when_asked_for_are_second_order_in_the_substep(plants):
    """The FMU asks for the inputs at the end of a substep before it takes it: one step over the whole run is as accurate
    as many, and without a restart."""
    errors = []
    for substeps in [None, 100, 200, 400]:
        plant = plants("slider_crank", logging=False, inputs=torque_when_asked, intermediate_variables=["torque"])
        plant.start({"torque": 0.0, "solver.fixed_step": END / (substeps or 3200), "solver.tolerance": 1e-12})
        plant.step(END)
        if substeps is None:
            reference = plant.get_all(["y", "z"])
        errors.append(np.linalg.norm(plant.get_all(["y", "z"]) - reference))
        assert plant.get("solver.restarts") == 0
    np.testing.assert_allclose(np.log2(np.divide(errors[1:-1], errors[2:])), 2, atol=0.1)


@FMI3
def test_inputs_are_asked_for_at_the_end_of_every_substep_that_is_tried(plants):
    asked, done = [], []
    plant = plants("slider_crank", inputs=lambda _p, t: asked.append(t), intermediate=lambda _p, t: done.append(t))
    plant.start()
    plain = plants("slider_crank").start()
    for p in [plant, plain]:
        p.run(0.5, 0.05)
    assert len(done) == plant.get("solver.steps")
    assert len(asked) == plant.get("solver.steps") + plant.get("solver.rejected") and plant.get("solver.rejected") > 0
    assert set(done) <= set(asked)
    np.testing.assert_array_equal(plant.everything(), plain.everything())


@FMI3
def test_an_input_that_moves_inside_a_step_stays_where_it_arrived(plants):
    plant = plants("slider_crank", inputs=lambda p, t: p.set("torque", 1 + t), intermediate_variables=["torque"])
    plant.start({"torque": 1.0})
    plant.step(0.1)
    assert plant.get("torque") == pytest.approx(1.1, rel=1e-14)


@FMI3
def test_nothing_can_be_read_while_inputs_are_asked_for(plants):
    statuses = set()

    def look(p, _t):
        for call in [lambda: p.get("theta1"), lambda: p.set("stiffness", 1.0), lambda: p.step(0.01)]:
            try:
                call()
            except Refused as refused:
                statuses.add(refused.status)
            else:
                statuses.add(Status.OK)

    plant = plants("slider_crank", inputs=look, intermediate_variables=["theta1"]).start()
    plant.step(0.05, at=0.0)
    assert statuses == {Status.ERROR}
    assert any("while the FMU asks for inputs" in m.text for m in plant.messages)


@FMI3
@pytest.mark.parametrize("allowed", [True, False])
def test_early_return_is_honoured_only_when_it_was_allowed(plants, allowed):
    times = []

    def ask(_p, t):
        times.append(t)
        return t if t > 0.03 else None

    plant = plants("slider_crank", intermediate=ask, early_return=allowed).start()
    early, reached = plant.step(0.1)
    assert plant.update_flags == (True, allowed)
    assert early == allowed
    assert reached == plant.get("time") == (times[-1] if allowed else 0.1)
    if allowed:
        assert 0.03 < reached < 0.1
        with plant.refuses(Status.ERROR, "is at t ="):
            plant.step(0.1, at=0.1)
        plant.step(0.1 - reached, at=reached)


@FMI3
@pytest.mark.parametrize("asked, expected", [(0.05, 0.05), (0.0500001, 0.0500001), (0.1, 0.1), (0.2, 0.1)])
def test_early_return_is_at_the_time_that_was_asked_for(plants, asked, expected):
    """Asked once, after the first substep; a time beyond the step changes nothing."""
    times = []

    def ask(_p, t):
        times.append(t)
        return asked if len(times) == 1 else None

    plant = plants("slider_crank", intermediate=ask, early_return=True).start()
    early, reached = plant.step(0.1)
    assert len(times) > 2 and times == sorted(set(times))
    assert early == (expected < 0.1)
    assert reached == plant.get("time") == times[-1] == expected
    if early:
        plant.step(0.1 - reached, at=reached)
    plain = plants("slider_crank").start()
    plain.step(0.1)
    np.testing.assert_allclose(plant.get("y"), plain.get("y"), rtol=0, atol=1e-6)


@FMI3
@pytest.mark.parametrize("asked", [0.0, -1.0, np.nan])
def test_early_return_at_a_time_that_has_passed_is_at_once(plants, asked):
    times = []
    plant = plants("slider_crank", intermediate=lambda _p, t: times.append(t) or asked, early_return=True).start()
    early, reached = plant.step(0.1)
    assert early and times == [reached]


@FMI3
def test_earliest_of_several_requests_to_return_counts(plants):
    requests = iter([0.08, 0.06, 0.07])
    plant = plants("slider_crank", intermediate=lambda _p, _t: next(requests, None), early_return=True).start()
    assert plant.step(0.1) == (True, 0.06)


@FMI3
def test_step_that_fails_on_its_way_to_an_early_return_leaves_nothing_behind(plants):
    plant = plants("slider_crank", intermediate=lambda _p, _t: 0.4, early_return=True)
    plant.start({"solver.max_substeps": 3})
    before = plant.serialize()
    with plant.refuses(Status.DISCARD, "substeps"):
        plant.step(0.5)
    assert plant.serialize() == before


@FMI3
def test_run_interrupted_by_early_returns_arrives_at_the_same_values(plants):
    interrupted = plants("slider_crank", intermediate=lambda _p, t: t, early_return=True).start()
    while interrupted.time < 0.2:
        interrupted.step(0.2 - interrupted.time)
    plain = plants("slider_crank").start()
    plain.step(0.2)
    np.testing.assert_allclose(interrupted.get("y"), plain.get("y"), rtol=0, atol=1e-9)
    assert interrupted.get("solver.steps") == plain.get("solver.steps")


@FMI3
def test_calls_that_are_not_for_the_inside_of_a_step_are_refused_there(plants):
    statuses = {}

    def misbehave(p, _t):
        for name, call in {
            "step": lambda: p.step(0.01),
            "reset": p.reset,
            "restore": lambda: p.restore(state),
            "terminate": p.terminate,
            "parameter": lambda: p.set("stiffness", 1.0),
            "event mode": p.enter_event_mode,
        }.items():
            try:
                call()
                statuses[name] = Status.OK
            except Refused as refused:
                statuses[name] = refused.status

    plant = plants("slider_crank", intermediate=misbehave).start()
    state = plant.save()
    plant.step(0.05, at=0.0)
    assert statuses == dict.fromkeys(statuses, Status.ERROR)
    plain = plants("slider_crank").start()
    plain.step(0.05)
    np.testing.assert_array_equal(plant.everything(), plain.everything())


@FMI3
def test_failed_step_forgets_inputs_set_inside_it(plants):
    plant = plants("slider_crank", intermediate=lambda p, _t: p.set("torque", 9.0), intermediate_variables=["torque"])
    plant.start({"solver.max_substeps": 3})
    before = plant.serialize()
    with plant.refuses(Status.DISCARD):
        plant.step(0.5)
    assert plant.serialize() == before


def test_unknown_intermediate_variables_are_refused(load):
    fmu = load("slider_crank", 3)
    component = fmu.slave.fmi3InstantiateCoSimulation(
        b"p", fmu.token.encode(), None, False, False, False, False, array(c_uint, [9999]), 1, None,
        fmi3.fmi3LogMessageCallback(), fmi3.fmi3IntermediateUpdateCallback(),
    )  # fmt: skip
    assert not component

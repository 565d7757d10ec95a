"""Parameters that change between steps: the next step uses them, and the constraints hold."""

import numpy as np
import pytest
from plant import Plant, Refused, Status


def test_every_tunable_parameter_acts_on_the_next_step(any_fmu):
    tunable = [n for n, v in any_fmu.variables.items() if v.description.variability == "tunable"]
    H = any_fmu.experiment[0] / 50
    base = Plant(any_fmu, logging=False).start()
    base.step(3 * H)
    state = base.save()
    base.step(H)
    # Positions, velocities, accelerations if the model shows them, otherwise its outputs
    seen = ["y", "z", "a"] if "y" in any_fmu.variables else any_fmu.names("output")
    expected = base.get_all(seen)
    for name in tunable:
        base.restore(state)
        value = base.get(name)
        # Thin discs have the minimum possible inertia across their axis.
        other = value * (1.001 if name in ["I1", "J1"] else 0.999) if value else 0.01
        base.set(name, other)
        assert base.get(name) == other
        base.step(H)
        assert not np.array_equal(base.get_all(seen), expected), name
        assert base.get("constraint.position") < 1e-6 and base.get("constraint.velocity") < 1e-5, name
    base.free()


def test_an_impossible_parameter_is_also_refused_in_a_run(plants):
    plant = plants("rolling_wheel").start().run(0.5, 0.1)
    there = plant.serialize(plant.save())
    plant.set("I2", 3.0)  # a body cannot have moments 0.5, 3, 0.5
    for _ in range(2):
        with plant.refuses(Status.ERROR, "no body can have this inertia"):
            plant.step(0.1)
    plant.set("I2", 1.0)
    assert plant.serialize(plant.save()) == there
    other = plants("rolling_wheel").start().run(0.5, 0.1)
    plant.step(0.1), other.step(0.1)
    np.testing.assert_array_equal(plant.get_all(["hub.x", "heading"]), other.get_all(["hub.x", "heading"]))


def test_inputs_out_of_their_range_are_told(plants):
    plant = plants("crane").start()
    plant.set("lift_valve", 1.0)
    plant.step(0.01)
    assert not [m for m in plant.messages if m.status == Status.WARNING]
    plant.set("lift_valve", 1.5)
    told = [m for m in plant.messages if m.status == Status.WARNING]
    assert [m.text for m in told] == ["t = 0.01: 'lift_valve' = 1.5 is out of range (-1 to 1); it is used as given"]
    assert plant.get("lift_valve") == 1.5
    plant.step(0.01)


def test_pendulum_with_a_new_length_swings_on_the_new_circle(plants):
    plant = plants("pendulum").start(tolerance=1e-8).run(0.5, 0.05)
    plant.set("l", 1.1)
    plant.step(0.05)
    assert np.linalg.norm(plant.get("y")) == pytest.approx(1.1, abs=1e-9)
    assert plant.get("y") @ plant.get("z") == pytest.approx(0, abs=1e-8)
    energy = plant.get("energy.total")
    plant.run(1.0, 0.05)
    assert plant.get("energy.total") == pytest.approx(energy, abs=1e-4)
    assert plant.get("constraint.position") < 1e-9


def test_change_of_gravity_is_second_order(plants):
    """Weightless after the change, the bob goes around with constant speed."""
    errors = []
    for n in [20, 40, 80]:
        plant = plants("pendulum", logging=False).start({"solver.fixed_step": 1 / n, "solver.tolerance": 1e-12})
        plant.run(0.5, 0.5)
        y, z = plant.get("y"), plant.get("z")
        plant.set("g", 0)
        plant.step(0.5)
        rate = y[0] * z[1] - y[1] * z[0]
        angle = np.arctan2(y[1], y[0]) + 0.5 * rate
        errors.append(np.linalg.norm(plant.get("y") - [np.cos(angle), np.sin(angle)]))
    assert errors[0] < 2e-2
    assert np.log2(errors[0] / errors[2]) / 2 == pytest.approx(2, abs=0.2), errors


def test_stiffness_that_changes_twice_and_back_leaves_no_trace(plants):
    changed, plain = plants("slider_crank").start(), plants("slider_crank").start()
    for plant in [changed, plain]:
        plant.run(0.1, 0.02)
    changed.set("stiffness", 10.0)
    changed.set("stiffness", 1000.0)
    for plant in [changed, plain]:
        plant.step(0.02)
    np.testing.assert_array_equal(changed.everything(), plain.everything())


@pytest.mark.parametrize("length", [0.2, 0.1, 1e-3, 0.0])
def test_length_that_does_not_fit_the_position_is_met_or_refused(plants, length):
    """A mechanism that cannot be assembled never has status OK."""
    plant = plants("slider_crank").start()
    plant.step(0.01)
    state = plant.save()
    plant.set("l2", length)
    try:
        plant.step(0.01)
        assert plant.get("constraint.position") < 1e-6
    except Refused as refused:
        assert refused.status == Status.DISCARD and "t = 0.01" in str(refused)
    plant.restore(state)
    plant.step(0.01)
    assert plant.get("l2") == 0.6 and plant.get("constraint.position") < 1e-9


def test_new_parameters_show_in_outputs_after_the_step_only(plants):
    plant = plants("slider_crank").start()
    plant.step(0.1)
    before = plant.get("energy.potential")
    assert before > 0
    plant.set("stiffness", 2000.0)
    assert plant.get("energy.potential") == before

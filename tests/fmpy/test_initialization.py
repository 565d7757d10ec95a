"""Initialization mode: values can be set and read in any order, and every reading belongs to the values set."""

import math

import numpy as np
import pytest
from plant import Plant, Status


def test_forces_and_accelerations_at_the_start_are_those_of_mechanics(plants):
    """A horizontal pendulum falls with g, its rod carries nothing; a hanging one does not move, its rod carries m g."""
    plant = plants("pendulum")
    plant.enter_initialization()
    np.testing.assert_allclose(plant.get("a"), [0, -9.81], atol=1e-12)
    assert plant.get("rod.force") == pytest.approx(0, abs=1e-12)
    plant.set("y", [0, -1])
    np.testing.assert_allclose(plant.get("a"), [0, 0], atol=1e-12)
    assert plant.get("rod.force") == pytest.approx(9.81)
    plant.set("m", 3)
    assert plant.get("rod.force") == pytest.approx(3 * 9.81)
    plant.set("z", [2, 0])
    assert plant.get("rod.force") == pytest.approx(3 * (9.81 + 4))
    plant.set("F", 6)
    np.testing.assert_allclose(plant.get("a"), [2, 4], atol=1e-12)
    plant.set("g", 0)
    assert plant.get("rod.force") == pytest.approx(12)
    plant.exit_initialization()
    assert plant.get("rod.force") == pytest.approx(12)
    assert plant.get("energy.total") == pytest.approx(6)


def test_start_values_are_moved_onto_the_constraints(plants):
    plant = plants("pendulum")
    plant.set("y", [-2, -2])
    plant.set("z", [1, 1])
    plant.enter_initialization()
    assert np.linalg.norm(plant.get("y")) == pytest.approx(1, abs=1e-12)
    assert plant.get("y") @ plant.get("z") == pytest.approx(0, abs=1e-12)
    plant.set("l", 0.5)
    assert np.linalg.norm(plant.get("y")) == pytest.approx(0.5, abs=1e-12)
    assert plant.get("constraint.position") < 1e-12
    plant.exit_initialization()
    plant.step(0.1)


@pytest.mark.parametrize("theta1", [0.3, 1.0, 2.0, 4.0])
def test_held_coordinates_stay_and_the_others_follow(plants, theta1):
    """The dependent coordinates of the slider-crank are guesses only."""
    plant = plants("slider_crank")
    guess = plant.get("y")
    guess[2], guess[7] = theta1, 0.4
    guess[[0, 1, 3, 4, 6, 8, 9]] += 0.05
    plant.set("y", guess)
    plant.enter_initialization()
    theta2 = -math.asin(0.5 * math.sin(theta1))
    assert plant.get("theta1") == theta1 and plant.get("x4") == 0.4
    assert plant.get("x3") == pytest.approx(0.3 * math.cos(theta1) + 0.6 * math.cos(theta2), abs=1e-12)
    plant.exit_initialization()
    assert plant.get("constraint.position") < 1e-12
    plant.step(0.01)


def test_reaction_at_the_start_follows_from_newtons_law(plants):
    """The ground pin carries the mass times the acceleration of all parts in x, and the guide none of it."""
    plant = plants("slider_crank")
    plant.enter_initialization()
    plant.set("torque", 3.0)
    a = plant.get("a")
    m1, m2, m3 = (plant.get(m) for m in ["m1", "m2", "m3"])
    assert plant.get("pin.x") == pytest.approx(m1 * a[0] + m2 * a[3] + m3 * a[6], rel=1e-9)


def test_settings_and_parameters_are_read_back_as_set(any_fmu):
    plant = Plant(any_fmu)
    values = {}
    for name in any_fmu.names("parameter"):
        v = any_fmu.variables[name]
        old = plant.get(name)
        new = {"Boolean": not old, "Integer": 2}.get(v.kind, 0.99 * old)
        plant.set(name, new)
        values[name] = new
    plant.enter_initialization()
    assert {name: plant.get(name) for name in values} == values
    plant.free()


IMPOSSIBLE = pytest.mark.parametrize("when", ["before", "in"])


@IMPOSSIBLE
def test_mechanism_that_cannot_be_assembled_is_named_and_can_be_mended(plants, when):
    """A rod shorter than the height of the hinge cannot reach the guide."""
    plant = plants("slider_crank")
    if when == "before":
        plant.set("l2", 0.2)
        plant.enter_initialization()
    else:
        plant.enter_initialization()
        plant.set("l2", 0.2)
    reason = "cannot be assembled: constraint '(slider guide|hinge y|crank y|rod y)'.*theta1"
    with plant.refuses(Status.ERROR, reason):
        plant.get("x3")
    with plant.refuses(Status.ERROR, reason):
        plant.exit_initialization()
    plant.set("l2", 0.6)
    assert plant.get("x3") == pytest.approx(0.6 * math.cos(math.pi / 6))
    plant.exit_initialization()
    plant.step(0.1)
    other = plants("slider_crank").start()
    other.step(0.1)
    np.testing.assert_array_equal(plant.everything(), other.everything())


def test_mass_that_vanishes_is_named(plants):
    plant = plants("pendulum")
    plant.set("m", 0)
    plant.enter_initialization()
    with plant.refuses(Status.ERROR, "acceleration|mass"):
        plant.exit_initialization()
    plant.set("m", 1)
    plant.exit_initialization()
    plant.step(0.1)


def test_outputs_can_be_read_as_soon_as_initialization_has_begun(any_fmu):
    plant = Plant(any_fmu)
    plant.enter_initialization()
    inside = plant.everything()
    plant.exit_initialization()
    np.testing.assert_array_equal(plant.everything(), inside)
    plant.free()


@pytest.mark.parametrize("model", ["slider_crank", "pendulum"])
def test_reading_in_initialization_mode_does_not_change_the_run(plants, model):
    looked, plain = plants(model), plants(model)
    for plant in [looked, plain]:
        plant.enter_initialization()
        if plant is looked:
            for name in plant.fmu.names("input"):
                plant.set(name, 5.0)
                plant.everything()
                plant.set(name, 1.0)
        else:
            for name in plant.fmu.names("input"):
                plant.set(name, 1.0)
        plant.exit_initialization()
        plant.run(0.2, 0.02)
    np.testing.assert_array_equal(looked.everything(), plain.everything())

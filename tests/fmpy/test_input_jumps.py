"""Inputs that a master holds over its steps jump at communication points; the order is still 2.

Slider-crank, torque 2 sin(5 t_k) over steps of 10 ms, 25 of them, ρ∞ = 0.7; the numbers are those of an independent
implementation.
"""

import math

import numpy as np
import pytest
from plant import Plant

H = 0.01
CARRIED = {4: [9.04e-04, 9.35e-03], 32: [1.11e-04, 1.12e-03]}  # substeps: errors of y, z
TREATED = {4: [2.90e-05, 4.05e-04], 32: [4.60e-07, 5.72e-06]}


def torque(t: float) -> float:
    return 2 * math.sin(5 * t)


def run(plant, substeps: int, treat=True, event_mode=False, tolerance=1e-12) -> list[np.ndarray]:
    plant.set("torque", torque(0))
    plant.start({"solver.fixed_step": H / substeps, "solver.rho_inf": 0.7, "solver.tolerance": tolerance,
                 "solver.jump_shift": treat})  # fmt: skip
    if event_mode:
        plant.enter_step_mode()
    for k in range(25):
        if event_mode and k > 0:
            plant.enter_event_mode()
        plant.set("torque", torque(k * H))
        if event_mode and k > 0:
            plant.enter_step_mode()
        plant.step(H, at=k * H)
    return [plant.get("y"), plant.get("z")]


@pytest.fixture(scope="module")
def reference(load):
    """With 512 substeps, improved by those with 256: the error is of order h²."""
    fine, coarse = [], []
    for result, substeps in [(fine, 512), (coarse, 256)]:
        plant = Plant(load("slider_crank", 3), logging=False)
        result += run(plant, substeps)
        plant.free()
    return [(4 * f - c) / 3 for f, c in zip(fine, coarse, strict=True)]


def errors(result, reference):
    return [np.linalg.norm(a - b) for a, b in zip(result, reference, strict=True)]


@pytest.mark.parametrize("substeps", TREATED)
def test_errors_with_treated_jumps_are_those_of_the_table(plants, reference, substeps):
    result = run(plants("slider_crank"), substeps)
    np.testing.assert_allclose(errors(result, reference), TREATED[substeps], rtol=0.02)


@pytest.mark.parametrize("substeps", TREATED)
def test_small_jumps_are_treated_without_a_restart_and_with_the_same_errors(plants, reference, substeps):
    """If a jump is small relative to the tolerance, the history is shifted instead of made anew."""
    plant = plants("slider_crank")
    result = run(plant, substeps, tolerance=1e-6)
    assert plant.get("solver.restarts") < 5
    np.testing.assert_allclose(errors(result, reference), TREATED[substeps], rtol=0.1)


def test_history_carried_over_jumps_is_first_order(plants, reference):
    table = {m: errors(run(plants("slider_crank"), m, treat=False), reference) for m in CARRIED}
    for m, expected in CARRIED.items():
        np.testing.assert_allclose(table[m], expected, rtol=0.02)
    np.testing.assert_allclose(np.log2(np.divide(table[4], table[32])) / 3, [1, 1], atol=0.1)


@pytest.mark.parametrize("version", [3], ids=["fmi3"])
@pytest.mark.parametrize("substeps", [4])
def test_event_mode_announces_a_jump_with_the_same_result(plants, substeps):
    announced = run(plants("slider_crank", event_mode=True), substeps, event_mode=True)
    silent = run(plants("slider_crank"), substeps)
    np.testing.assert_allclose(announced[0], silent[0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(announced[1], silent[1], rtol=0, atol=1e-12)


def test_each_large_jump_is_one_restart_and_equal_inputs_are_none(plants):
    plant = plants("slider_crank").start({"solver.tolerance": 1e-6})
    for k in range(10):
        plant.set("torque", 1.0)
        plant.step(H, at=k * H)
    assert plant.get("solver.restarts") == 0
    for k in range(10, 15):
        plant.set("torque", 50.0 * (-1) ** k)
        plant.step(H, at=k * H)
    assert plant.get("solver.restarts") == 5


def test_jumps_keep_step_size_and_matrices(plants):
    """Frequent small jumps need few restarts and hardly more substeps and factorizations than none.

    The solver decides in every step whether derivatives pay, and the smallest change of a run changes the decision:
    several jumps are averaged.
    """
    sizes = [5e-4, 1e-3, 2e-3]
    work = {}
    for jump in [0, *sizes]:
        plant = plants("slider_crank", logging=False).start(tolerance=1e-6)
        plant.run(0.1, H)
        before = plant.statistics()
        for k in range(40):
            plant.set("torque", 1 + jump * (k % 2))
            plant.step(H)
        work[jump] = {name: n - before[name] for name, n in plant.statistics().items()}
    mean = {name: np.mean([work[jump][name] for jump in sizes]) for name in work[0]}
    assert mean["restarts"] < 10
    assert mean["steps"] <= 1.1 * work[0]["steps"] + 5
    assert mean["factorizations"] <= work[0]["factorizations"] + 10, work
    assert mean["jacobians"] <= work[0]["jacobians"] + 5, work

"""Masters may choose any steps: tiny, huge, random, 60 Hz, with accumulated rounding errors."""

import numpy as np
import pytest
from plant import Status

CASES = [("slider_crank", 0.5), ("soi2_problem", 1.0), ("pendulum", 2.0)]
CASE = pytest.mark.parametrize(("model", "end"), CASES)


def final(plant) -> np.ndarray:
    return plant.get_all(["y", "z"])


def precise(plant, end: float) -> np.ndarray:
    """The values with a much smaller tolerance."""
    return final(plant.start(tolerance=1e-9).run(end, end / 50))


@CASE
def test_random_steps_arrive_exactly_and_at_the_same_values(plants, model, end):
    reference = precise(plants(model, logging=False), end)
    whole = plants(model, logging=False).start(tolerance=1e-6)
    whole.step(end)
    error = np.abs(final(whole) - reference).max()
    random = np.random.default_rng(7)
    for _ in range(3):
        plant = plants(model, logging=False).start(tolerance=1e-6)
        while end - plant.time > 1e-9:
            H = min(10 ** random.uniform(-7, -1) * end, end - plant.time)
            target = plant.time + H
            plant.step(H)
            assert plant.get("time") == target
        assert np.abs(final(plant) - reference).max() <= 3 * error + 1e-6


@CASE
@pytest.mark.parametrize("H", [1e-9, 1e-6])
def test_tiny_steps_do_no_harm(plants, model, end, H):
    plant = plants(model, logging=False).start(tolerance=1e-6)
    other = plants(model, logging=False).start(tolerance=1e-6)
    fine = precise(plants(model, logging=False), end)
    for p, tiny in [(plant, H), (other, None)]:
        for k in range(10):
            if tiny:
                for _ in range(3):
                    p.step(tiny)
            p.step((k + 1) * end / 10 - p.time)
            assert p.get("time") == pytest.approx((k + 1) * end / 10, abs=1e-15)
    error = np.abs(final(other) - fine).max()
    assert np.abs(final(plant) - fine).max() <= 2 * error + 1e-6
    assert plant.get("constraint.position") < 1e-6


@CASE
def test_sixty_hertz_and_accumulated_time_reach_the_times_of_the_master(plants, model, end):
    accumulated = plants(model, logging=False).start(stop=end)
    rounded = plants(model, logging=False).start(stop=end)
    t, n = 0.0, round(60 * end)
    for i in range(n):
        H = min(1 / 60, end - t)
        accumulated.step(H, at=t)
        t += H
        assert accumulated.get("time") == t
        rounded.step((i + 1) / 60 - i / 60, at=i / 60)
        assert rounded.get("time") == pytest.approx((i + 1) / 60, abs=1e-15)
    np.testing.assert_allclose(final(accumulated), final(rounded), rtol=0, atol=1e-9)


def test_a_long_run_with_accumulated_time_is_not_refused(plants):
    """1 kHz: the sum of the steps is off by many units of rounding after a while."""
    plant = plants("pendulum", logging=False).start(start=1000.0, stop=1004.0, tolerance=1e-4)
    t = 1000.0
    for _ in range(4000):
        plant.step(1e-3, at=t)
        t += 1e-3
    assert plant.get("time") == t


@CASE
def test_communication_points_do_not_disturb_the_solver(plants, model, end):
    """Step size, history and matrices survive: no restarts, hardly more work than with few points."""
    few = plants(model, logging=False).start(tolerance=1e-6)
    few.run(end, end / 4)
    steps = few.get("solver.steps")
    many = plants(model, logging=False).start(tolerance=1e-6)
    many.run(end, end / max(4, steps // 8))
    a, b = few.statistics(), many.statistics()
    assert a["restarts"] == b["restarts"] == 0
    assert b["steps"] <= 1.25 * a["steps"]
    assert b["factorizations"] <= 1.6 * a["factorizations"] + 5, (a, b)


def test_communication_points_closer_than_substeps_do_not_restart_either(plants):
    plant = plants("pendulum", logging=False).start(tolerance=1e-4)
    plant.run(1, 1e-4)
    work = plant.statistics()
    assert work["steps"] == 10000 and work["restarts"] == 0
    assert work["factorizations"] < 300 and work["jacobians"] < 150, work


@pytest.mark.parametrize("model", ["pendulum", "slider_crank"])
def test_error_follows_the_tolerance_of_the_importer(plants, model):
    def run(tolerance):
        plant = plants(model, logging=False).start(tolerance=tolerance)
        return final(plant.run(0.5, 0.05)), plant.get("solver.steps")

    reference, _ = run(1e-12)
    errors, steps = zip(*[(np.abs(y - reference).max(), n) for y, n in map(run, [1e-8, 1e-9, 1e-10])], strict=True)
    assert errors[0] > 3 * errors[1] > 9 * errors[2]
    assert steps[0] < steps[1] < steps[2]


def test_own_tolerance_takes_precedence_over_that_of_the_importer(plants):
    def steps(importer, own):
        return plants("pendulum").start({"solver.tolerance": own}, tolerance=importer).run(1, 0.1).get("solver.steps")

    assert steps(1e-3, 1e-9) == steps(1e-9, 0) == steps(None, 1e-9)
    assert steps(1e-3, 1e-7) == steps(1e-9, 1e-7) < steps(None, 0)


def test_an_importer_may_ask_for_more_accuracy_than_the_experiment_not_for_less(plants):
    def steps(importer):
        return plants("pendulum").start(tolerance=importer).run(1, 0.1).get("solver.steps")

    assert steps(None) == steps(1e-8) == steps(0.1) < steps(1e-9)


def test_start_time_other_than_zero(plants):
    plant = plants("pendulum").start(start=-5.0)
    assert plant.get("time") == -5.0
    plant.run(-4, 0.1)
    other = plants("pendulum").start().run(1, 0.1)
    assert plant.get("time") == -4.0
    np.testing.assert_allclose(final(plant), final(other), rtol=0, atol=1e-4)  # rounding may change the steps


@pytest.mark.parametrize(("start", "H", "steps"), [(1e3, 1e-3, 300), (1.7e9, 1e-3, 300), (1e8, 1e-4, 2000), (1e3, 1e-9, 300)])
def test_a_run_that_starts_late_is_the_run_that_starts_at_zero(plants, start, H, steps):
    """Also if time is so coarse that steps are longer or shorter than requested."""

    def run(begin):
        plant = plants("slider_crank", logging=False).start({"torque": 1.0}, start=begin)
        for i in range(steps):
            plant.step(begin + (i + 1) * H - plant.get("time"))
        return plant.get("y"), plant.get("z")

    at_zero, late = run(0.0), run(start)
    for here, there in zip(at_zero, late, strict=True):
        np.testing.assert_allclose(there, here, rtol=0, atol=1e-5 * np.abs(here).max() + 20 * 2.4e-7 * (start > 1e9))
    assert np.abs(late[1]).max() > 1e-7


def test_a_step_that_time_cannot_resolve_is_refused(plants):
    plant = plants("pendulum").start(start=1.7e9)
    with plant.refuses(Status.ERROR, "the time has too few digits there for a communication step of 1e-06 s"):
        plant.step(1e-6)
    plant.step(1e-3)


def test_a_step_below_the_resolution_of_time_is_harmless(plants):
    plant = plants("pendulum").start()
    plant.run(1, 0.1)
    before = final(plant)
    for H in [1e-12, 1e-13]:
        plant.step(H)
    np.testing.assert_allclose(final(plant), before, rtol=0, atol=1e-6)
    plant.step(0.1)
    fine = final(plants("pendulum").start(tolerance=1e-9).run(1.1, 0.1))
    np.testing.assert_allclose(final(plant), fine, rtol=0, atol=1e-3)

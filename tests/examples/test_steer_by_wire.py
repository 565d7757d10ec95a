"""The steered vehicle on four posts: the effect of the motor, and convergence of the coupling to a single FMU."""

import numpy as np
import pytest
from conftest import load
from mechfmu.couple import report
from mechfmu.couple.master import Master

LOOP = load("steer_by_wire").LOOP.variant(stop=0.1)
TIMES = [0.01 * i for i in range(11)]


@pytest.fixture(scope="module")
def reference() -> np.ndarray:
    return LOOP.reference(TIMES, 1e-8)


def test_held_inputs_are_of_first_order(reference):
    coarse, fine = (report.error_of(report.coupled(LOOP, 2, H, {}, 1e-8), TIMES, reference) for H in (1e-3, 5e-4))
    assert np.log2(coarse / fine) == pytest.approx(1, abs=0.25)
    assert fine < 0.04


def test_slopes_are_closer_by_far(reference):
    held, sloped = (report.error_of(report.coupled(LOOP, 2, 5e-4, report.COUPLINGS[name], 1e-8), TIMES, reference) for name in ("hold", "slope"))
    assert sloped < held / 4


def test_the_column_follows_while_posts_shake():
    """Half a second in mechfmu's master and in FMPy; the motor holds the angle, and without it the wheels turn the column."""
    loop = LOOP.variant(stop=0.5)
    own, other = (report.run_in(master, loop, 2) for master in ("own", "fmpy_loop"))
    assert report.difference_of(own, other) < 5e-4
    off = np.abs(own["controller.wanted"] - own["plant.angle"]).max()
    assert off < 0.25 * np.abs(own["controller.wanted"]).max()
    without = {"controller.stiffness": 0, "controller.damping": 0, "controller.integral_gain": 0}
    with Master(loop.system(2, **without), loop.signals) as master:
        loose = master.run()
    assert np.abs(loose["controller.torque"]).max() == 0
    assert np.abs(loose["plant.angle"]).max() > 0.01

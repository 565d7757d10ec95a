"""The platform on six servos: masters agree, the coupling has its order, and the platform reaches its target."""

import numpy as np
import pytest
from conftest import load
from mechfmu.couple import report

MODULE = load("gough_stewart")
LOOP = MODULE.LOOP
# The circle begins early, so that orders show in all directions after half a second.
EARLY = LOOP.variant(values={"controller.rise": 0.2, "controller.lift": 0.02}, stop=0.5)


def test_masters_agree():
    """Both versions agree to the last bit; masters, which round times differently, within the tolerance of the plant."""
    first = report.run_in("fmpy_loop", EARLY, 2)
    for master, version, bound in [("fmpy_loop", 3, 0), ("libcosim", 2, 1e-5), ("ecos", 2, 1e-5), ("ecos", 3, 1e-5)]:
        assert report.difference_of(report.run_in(master, EARLY, version), first) <= bound, (master, version)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(("coupling", "order"), [("hold", 1), ("slope", 2)])
def test_error_against_the_whole_has_its_order(version, coupling, order):
    times = [EARLY.stop * i / 10 for i in range(11)]
    reference = EARLY.reference(times)
    coarse, fine = [
        report.error_or_unstable(EARLY, version, steps, report.COUPLINGS[coupling], times, reference)
        for steps in (250, 500)
    ]
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.2)


def test_platform_follows_the_pose():
    errors = MODULE.tracking(LOOP)
    for name, error in errors.items():
        assert error < (10e-3 if "position" in name else np.radians(0.2)), name  # m, rad


def test_start_is_at_rest():
    """Forces carry the weight, and nothing happens in the first step."""
    start = report.run_in("fmpy_loop", LOOP.variant(stop=LOOP.step), 2)
    assert start["controller.f1"][0] == pytest.approx(528.5545059035501, rel=1e-9)
    assert abs(np.diff(start["plant.position.z"])[0]) < 1e-8

"""The whole runs of belt and track against those of an independent description of the same machines."""

from pathlib import Path

import mechfmu
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow


def test_one_turn_of_the_belt():
    """0.2 s, with all segments written out one by one, at a tolerance of 1e-7: the alternator's speed, its bearing and the
    tensioner."""
    result = mechfmu.simulate(ROOT / "models/belt/belt.xml", stop=0.2, interval=1e-3)
    omega, force, arm = result["omega.A"], result["alternator.Fx"], result["tensioner.angle"]
    assert len(omega) == 201
    assert (omega.min(), omega.max(), omega[-1]) == pytest.approx((213.3, 224.2, 218.8), abs=0.05)
    # forces come out within a percent of their range at this tolerance
    assert (force.min(), force.max()) == pytest.approx((-611.56, -351.13), abs=0.01 * (611.56 - 351.13))
    assert (arm.min(), arm.max()) == pytest.approx((-0.0303, -0.0077), abs=5e-5)
    # the belt stays on its pulleys, and every span under tension
    for k in (1, 26, 51, 76):
        assert 50 < result[f"tension_{k}"].min() < result[f"tension_{k}"].max() < 400


def test_the_drive_of_the_track():
    """14 s. The contacts make single values chaotic; the mean torque of the steady drive, from 3 s on, is 12 878.1 or 12 878.3 N.m."""
    result = mechfmu.simulate(ROOT / "models/track/track.xml", stop=14, interval=0.01, tolerance=1e-5)
    steady = result.time >= 3
    assert result["sprocket.torque"][steady].mean() == pytest.approx(12878, rel=1e-3)
    # one turn of the sprocket moves ten shoes of 0.154 m; it reaches 0.4 rad/s within 2 s, on average at half of it
    turned = 0.4 * (14 - 1)
    assert result["sprocket.angle"][-1] == pytest.approx(turned, rel=1e-6)
    assert abs(result["hull.x"][-1] - result["hull.x"][0]) == pytest.approx(turned / (2 * np.pi) * 10 * 0.154, rel=0.01)
    assert np.ptp(result["hull.y"]) < 1e-6

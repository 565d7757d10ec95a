"""A spinning top, through the FMU: errors of its axle after 1 s with constant steps, as found by an independent program.

m = 15 kg, 1 m from the fixed point to the centre of mass, leaning by 0.5 rad. In body axes every slow motion of the axle
oscillates with the spin; in a frame that does not spin the error does not depend on the spin.
"""

import csv

import numpy as np
import pytest
from built import BUILD, run

# Inertia about the fixed point, which is the body's reference point: the mass matters only in the weight.
TOP = """<mechanism name="top_{spins}">
  <parameter name="spin" value="10" unit="rad/s" fixed="true"/>
  <variable name="axle" value="[0, -sin(0.5), cos(0.5)]"/>
  <body name="top" spins="{spins}" mass="15" inertia="15.234375 15.234375 0.46875" rotation="0.5 0 0"
        angular_velocity="spin*axle + 0.3*[0, cos(0.5), sin(0.5)]"/>
  <joint name="pivot" type="spherical" between="ground top"/>
  <force name="weight" body="top" at="1m*axle" value="0 0 (-15*9.81)"/>
  <output name="axle" value="top.z_axis"/>
  <experiment stop="1" step="1"/>
</mechanism>
"""
# Spin [rad/s], h [s], error in body axes, error in a frame that does not spin
TABLE = [
    (10, 0.02, 5.4e-2, 5.2e-4),
    (10, 0.005, 3.4e-3, 3.2e-5),
    (100, 0.02, 1.9, 8.2e-4),
    (100, 0.01, 1.7, 2.1e-4),
    (100, 0.0025, 2.2e-1, 1.3e-5),
    (300, 0.01, 5.1e-1, 1.8e-4),
    (300, 0.0025, 3.6e-1, 1.1e-5),
]


@pytest.fixture(scope="module")
def axle(tmp_path_factory):
    """axle(spins, spin, h): its direction at the end."""
    folder = tmp_path_factory.mktemp("tops")
    for spins in ["true", "false"]:
        (folder / f"{spins}.xml").write_text(TOP.format(spins=spins))
        run(BUILD / "mechfmu", "export", folder / f"{spins}.xml", "--fmi", "2", "-o", folder)

    def simulate(spins, spin, h):
        settings = ["--set", f"spin={spin}", "--set", f"solver.fixed_step={h}", "--set", "solver.tolerance=1e-10"]
        run(BUILD / "mechfmu", "simulate", folder / f"{spins}.fmu", *settings, "-o", folder / "run.csv")
        with (folder / "run.csv").open() as file:
            *_, last = csv.DictReader(file)
        return np.array([float(last[f"axle.{x}"]) for x in "xyz"])

    return simulate


@pytest.mark.parametrize("spin", sorted({row[0] for row in TABLE}))
def test_error_of_the_axle_is_that_of_an_independent_program(axle, spin):
    exact = axle("true", spin, 1.25e-4)
    for _, h, in_body_axes, in_frame in (row for row in TABLE if row[0] == spin):
        assert np.linalg.norm(axle("false", spin, h) - exact) == pytest.approx(in_body_axes, rel=0.03)
        assert np.linalg.norm(axle("true", spin, h) - exact) == pytest.approx(in_frame, rel=0.05)

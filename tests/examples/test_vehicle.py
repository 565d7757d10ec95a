"""Motion and forces of the three-wheeler agree with the bicycle model derived by hand; the loop follows its path."""

from math import cos, hypot, sin, tan
from types import SimpleNamespace

import mechfmu
import numpy as np
import pytest
from conftest import EXAMPLES, ROOT, load
from mechfmu.couple import report
from mechfmu.couple.controller import make_law
from mechfmu.couple.loop import export
from mechfmu.couple.modules import load_module
from mechfmu.fmu import Instance

pytestmark = pytest.mark.skipif(not (ROOT / "build" / "mechfmu").exists(), reason="the tool mechfmu is not built")
GRAVITY = 9.81

design = load_module(EXAMPLES / "vehicle" / "design.py")
LOOP = load("vehicle").LOOP
P = SimpleNamespace(**design.PARAMETERS)
POSE = ["x", "y", "heading", "speed", "steer", "steer.rate"]
FORCES = ["front.lateral", "rear.lateral", "front.load", "left.load", "right.load"]
SLIPS = [f"{wheel}.slip.{axis}" for wheel in ("left", "right", "front") for axis in "xyz"]


def drive(names, times, tolerance=1e-6, **values) -> np.ndarray:
    """Outputs of the vehicle alone, with constant inputs."""
    with Instance(export(EXAMPLES / "vehicle" / "vehicle.xml", LOOP.folder)[2]) as vehicle:
        vehicle.start(values, tolerance=tolerance)
        return vehicle.run(names, times)


class Bicycle:
    """Kane's equations for speed v and steering rate, without trail: yaw rate r = κ v with κ = tan δ / L.

    J_f (r' + δ'') = servo
    (m + κ² I) v' + κ I κ' v + S + κ J_f (r' + δ'') = drive − resistance, S from the wheels' spins
    """

    def __init__(self, steering: float, torque: float):
        self.steering, self.torque = steering, torque
        self.disc = P.wheel_mass * P.radius**2 / 2
        self.J_f = P.fork_inertia + self.disc / 2
        self.m = P.chassis_mass + P.fork_mass + 3 * P.wheel_mass
        # Moment of inertia about the vertical through the middle of the rear axle; the front as a point.
        front = (P.fork_mass + P.wheel_mass) * P.wheelbase**2
        rear = 2 * (P.wheel_mass * P.half_track**2 + self.disc / 2)
        self.I = P.yaw_inertia + P.chassis_mass * P.ahead**2 + front + rear

    def spins(self, k: float, delta: float) -> np.ndarray:
        """Spins of the left, right and front wheel for v = 1."""
        return np.array([1 - k * P.half_track, 1 + k * P.half_track, 1 / cos(delta)]) / P.radius

    def rate(self, s: np.ndarray) -> np.ndarray:
        _, _, heading, v, delta, turn = s
        k, dk = tan(delta) / P.wheelbase, turn / (P.wheelbase * cos(delta) ** 2)
        servo = P.servo_stiffness * (self.steering - delta) - P.servo_damping * turn
        spin = self.spins(k, delta)
        dspin = np.array([-dk * P.half_track, dk * P.half_track, turn * sin(delta) / cos(delta) ** 2]) / P.radius
        mass = self.m + self.I * k**2 + self.disc * spin @ spin
        drive = self.torque / 2 * (spin[0] + spin[1]) - P.resistance * v * spin @ spin
        dv = (drive - k * servo - (self.I * k * dk + self.disc * spin @ dspin) * v) / mass
        dturn = servo / self.J_f - (k * dv + dk * v)
        return np.array([v * cos(heading), v * sin(heading), k * v, dv, turn, dturn])

    def energy(self, s: np.ndarray) -> float:
        _, _, _, v, delta, turn = s
        k = tan(delta) / P.wheelbase
        spin = self.spins(k, delta)
        return ((self.m + self.I * k**2 + self.disc * spin @ spin) * v**2 + self.J_f * (k * v + turn) ** 2) / 2

    def run(self, s: np.ndarray, times, pieces: int = 10) -> np.ndarray:
        """Runge and Kutta's method of fourth order."""
        rows = [s]
        for t, after in zip(times, times[1:]):
            h = (after - t) / pieces
            for _ in range(pieces):
                k1 = self.rate(s)
                k2 = self.rate(s + h / 2 * k1)
                k3 = self.rate(s + h / 2 * k2)
                s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + self.rate(s + h * k3))
            rows.append(s)
        return np.array(rows)


def test_one_constraint_is_redundant_and_two_degrees_of_freedom_remain():
    found = mechfmu.check(EXAMPLES / "vehicle" / "vehicle.xml")
    assert found.degrees_of_freedom == 2
    assert found.redundant in (["left_tyre: slip sideways"], ["right_tyre: slip sideways"])


@pytest.mark.parametrize("trail", [0.0, 0.05])
def test_it_turns_about_the_point_where_the_axles_meet(trail):
    """R = L/tan δ; with a trail (L cos δ − trail)/sin δ. The vehicle stays on that circle."""
    times = np.linspace(0, 10, 101)
    made = drive([*POSE, "heading.rate"], times, steering=0.5, trail=trail, resistance=0.0)
    x, y, heading, speed, steer, steer_rate, rate = made.T
    arm = P.wheelbase * np.cos(steer) - trail
    assert rate == pytest.approx((speed * np.sin(steer) + trail * steer_rate) / arm, rel=1e-5)
    late = times > 5
    assert steer[late] == pytest.approx(steer[-1], rel=1e-3)
    radius = arm[-1] / np.sin(steer[-1])
    if trail == 0:
        assert radius == pytest.approx(P.wheelbase / tan(0.5), rel=1e-3)
    x, y, heading = x[late], y[late], heading[late]
    centre = np.array([x - radius * np.sin(heading), y + radius * np.cos(heading)])
    assert np.ptp(centre, axis=1) == pytest.approx(0, abs=2e-3)


def test_the_motion_is_that_of_the_bicycle_model():
    times = np.linspace(0, 4, 81)
    made = drive([*POSE, "energy.kinetic"], times, 1e-8, steering=0.5, torque=30.0)
    bicycle = Bicycle(0.5, 30.0)
    wanted = bicycle.run(np.array([0, 0, 0, P.speed_start, 0, 0]), times)
    assert np.max(np.abs(made[:, :-1] - wanted), axis=0) == pytest.approx(0, abs=2e-4)
    assert made[:, -1] == pytest.approx([bicycle.energy(s) for s in wanted], rel=1e-5)


def test_energy_is_balanced_and_no_tyre_slips():
    times = np.linspace(0, 4, 81)
    names = ["energy.total", "energy.dissipated", "energy.work"]
    made = drive([*names, *SLIPS], times, steering=0.5, torque=30.0)
    total, dissipated, work = made[:, :3].T
    assert work[-1] > 100
    assert np.ptp(total + dissipated - work) < 1e-3 * work[-1]
    assert np.max(np.abs(made[:, 3:])) < 1e-5


def test_forces_of_a_steady_turn_are_those_of_centripetal_acceleration():
    made = drive([*POSE, "heading.rate", *FORCES], [0.0, 5.0, 10.0], steering=0.5, resistance=0.0, speed_start=2.0)
    _, _, _, v, delta, _, r, front, rear, *loads = made[-1]
    bicycle = Bicycle(0.5, 0.0)
    moment = P.chassis_mass * P.ahead + (P.fork_mass + P.wheel_mass) * P.wheelbase  # Σ m b about the rear axle
    assert front == pytest.approx(moment * v * r / (P.wheelbase * cos(delta)), rel=1e-4)
    assert rear == pytest.approx(bicycle.m * v * r - front * cos(delta), rel=1e-4)
    assert sum(loads) == pytest.approx(bicycle.m * GRAVITY, rel=1e-6)
    # The outer wheel carries the load of the accelerated masses, and the torque that turns the axes of spinning wheels.
    high = P.chassis_mass * P.height + (P.fork_mass + 3 * P.wheel_mass) * P.radius
    spin = v * bicycle.spins(tan(delta) / P.wheelbase, delta) @ [1, 1, cos(delta)]
    assert (loads[2] - loads[1]) * P.half_track == pytest.approx(high * v * r + bicycle.disc * spin * r, rel=1e-4)


def test_gains_are_those_of_the_linear_design():
    parameters = make_law(EXAMPLES / "vehicle" / "controller.py").parameters
    made = design.gains(design.Vehicle())
    assert {name: parameters[name][0] for name in made} == pytest.approx(made, rel=1e-3)
    for v in (0.5, 1.0, 2.0, 3.0):
        assert max(pole.real for poles in design.poles(design.Vehicle(), made, v) for pole in poles) < -0.3


def test_the_linear_model_is_that_of_the_mechanism():
    """A small step of the steering, at constant speed on a straight line."""
    v, step = 2.0, 1e-4
    times = np.linspace(0, 1, 21)
    made = drive(["y", "heading", "steer", "steer.rate"], times, 1e-9, steering=step, resistance=0.0, speed_start=v)
    A, B = design.Vehicle().lateral(v)
    s, wanted = np.zeros(4), [np.zeros(4)]
    for h in np.diff(times) / 200:
        for _ in range(200):
            middle = s + h / 2 * (A @ s + B * step)
            s = s + h * (A @ middle + B * step)
        wanted.append(s)
    assert np.max(np.abs(made - wanted) / np.max(np.abs(wanted), axis=0)) < 2e-3


def test_the_linear_model_is_the_one_that_the_tool_gives():
    """mechfmu linearize, in straight motion at 2 m/s."""
    model = mechfmu.linearize(EXAMPLES / "vehicle" / "vehicle.xml", parameters={"speed_start": 2, "torque": 4})
    states, inputs = model.states, model.inputs
    lateral = [states.index(n) for n in ["chassis.position.y", "chassis.turn.z", "steer.angle", "steer.angle_rate"]]
    A, B = design.Vehicle().lateral(2.0)
    np.testing.assert_allclose(model.A[np.ix_(lateral, lateral)], A, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(model.B[lateral, inputs.index("steering")], B, rtol=1e-6, atol=1e-9)
    spin = states.index("left_axle.angle_rate")
    a, b = design.Vehicle().longitudinal()
    assert model.A[spin, spin] == pytest.approx(a, rel=1e-6)
    assert P.radius * model.B[spin, inputs.index("torque")] == pytest.approx(b, rel=1e-6)


def test_error_falls_with_the_tolerance_down_to_tight_ones():
    """Steps grow with the cube root of the tolerance, errors with its power 2/3: a factor of 20 for one of 100."""
    times = np.linspace(0, 4, 41)
    made = [drive(POSE, times, tolerance, steering=0.5, torque=30.0)[-1] for tolerance in (1e-6, 1e-8, 1e-10)]
    wanted = Bicycle(0.5, 30.0).run(np.array([0, 0, 0, P.speed_start, 0, 0]), times)[-1]
    errors = [np.linalg.norm(m - wanted) for m in made]
    assert errors[0] > 12 * errors[1] and errors[1] > 6 * errors[2], errors  # the last one is near that of the bicycle


def test_it_follows_the_path_and_no_wheel_lifts():
    signals = ["plant.x", "plant.y", "plant.speed", "plant.front.load", "plant.left.load", "plant.right.load"]
    made = report.run_in("fmpy_loop", LOOP, 2)
    x, y, speed, *loads = (made[signal] for signal in signals)
    # Compared with points of the path, not with the controller's output.
    p = np.linspace(0, 2 * np.pi, 20001)
    length, width = LOOP.values["controller.length"], LOOP.values["controller.width"]
    path_x, path_y = length * np.sin(p), width * np.sin(2 * p)
    distances = [np.min(np.hypot(path_x - a, path_y - b)) for a, b in zip(x[::10], y[::10])]
    assert max(distances) < 5e-3
    assert hypot(x[-1], y[-1]) < 1  # back in the middle: one lap
    assert np.max(np.abs(speed[made.t > 5] - 2)) < 0.05
    assert np.min(loads) > 200


def test_orders_of_the_couplings():
    rows = report.orders_in_step(LOOP.variant(stop=2.0), [80, 160], versions=(2,))
    orders = {name: np.log2(errors[0] / errors[1]) for name, errors in rows.items()}
    assert orders["FMI 2.0 hold"] == pytest.approx(1, abs=0.2)
    assert orders["FMI 2.0 slope"] == pytest.approx(2, abs=0.3)
    assert orders["FMI 2.0 implicit"] == pytest.approx(2, abs=0.3)
    assert rows["FMI 2.0 implicit"][-1] < 2e-4

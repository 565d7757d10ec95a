"""The controller's gains from the linear model of the straight run, and the poles they give.

    build/venv/bin/python examples/vehicle/design.py
"""

from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np

VEHICLE = ET.parse(Path(__file__).with_name("vehicle.xml")).getroot()
PARAMETERS = {p.get("name"): float(p.get("value")) for p in VEHICLE.iter("parameter")}


class Vehicle:
    """The properties of the vehicle that matter on a straight line."""

    def __init__(self):
        p = PARAMETERS
        self.L, self.r = p["wheelbase"], p["radius"]
        self.k, self.c, self.drag = p["servo_stiffness"], p["servo_damping"], p["resistance"]
        disc = p["wheel_mass"] * self.r**2 / 2
        self.J = p["fork_inertia"] + disc / 2  # of fork and wheel about the steering axis
        # with turning wheels
        self.m = p["chassis_mass"] + p["fork_mass"] + 3 * p["wheel_mass"] + 3 * disc / self.r**2

    def lateral(self, v: float) -> tuple[np.ndarray, np.ndarray]:
        """A and B of (lateral error, heading error, steering angle, its rate) and the servo's
        command."""
        A = np.zeros((4, 4))
        A[0, 1], A[1, 2], A[2, 3] = v, v / self.L, 1
        A[3, 2:] = -self.k / self.J, -self.c / self.J - v / self.L
        return A, np.array([0, 0, 0, self.k / self.J])

    def longitudinal(self) -> tuple[float, float]:
        """a and b of v' = a v + b torque."""
        return -3 * self.drag / (self.r**2 * self.m), 1 / (self.r * self.m)


def gains(vehicle: Vehicle, v: float = 2.0, distance: float = 1.0, rate: float = 2.0) -> dict[str, float]:
    """Errors of the path decay over `distance` (a double pole per metre), errors of speed at `rate`
    (per second)."""
    a, b = vehicle.longitudinal()
    return {
        "k_lateral": vehicle.L / distance**2,
        "k_heading": 2 * vehicle.L / distance,
        "preview": (vehicle.c + vehicle.J * v / vehicle.L) / vehicle.k,
        "kp": (2 * rate + a) / b,
        "ki": rate**2 / b,
    }


def poles(vehicle: Vehicle, made: dict[str, float], v: float) -> tuple[np.ndarray, np.ndarray]:
    """Poles of the closed loop at this speed: of steering and of speed."""
    A, B = vehicle.lateral(v)
    a, b = vehicle.longitudinal()
    steering = A - np.outer(B, [made["k_lateral"], made["k_heading"], 0, 0])
    speed = [[a - b * made["kp"], b * made["ki"]], [-1, 0]]
    return np.sort_complex(np.linalg.eigvals(steering)), np.sort_complex(np.linalg.eigvals(speed))


def report():
    vehicle = Vehicle()
    made = gains(vehicle)
    print("\nGains of the linear design: " + ", ".join(f"{name} = {value:.4g}" for name, value in made.items()))
    show = lambda values: ", ".join(f"{value:.3g}" for value in values)  # noqa: E731
    for v in (1.0, 2.0):
        A, _ = vehicle.lateral(v)
        steering, speed = poles(vehicle, made, v)
        print(f"  v = {v:g} m/s, poles in 1/s")
        print(f"    open loop   steering {show(np.sort_complex(np.linalg.eigvals(A)))}")
        print(f"                speed    {show([vehicle.longitudinal()[0]])}")
        print(f"    closed loop steering {show(steering)}")
        print(f"                speed    {show(speed)}")


if __name__ == "__main__":
    report()

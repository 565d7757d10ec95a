"""The closed loop in two equations, solved without mechfmu: the reference of the co-simulation.

    (M + m) x'' + m c cos θ θ'' = F − b x' + m c sin θ θ'²       M cart, m pole, c = length/2
    m c cos θ x'' + 4/3 m c² θ'' = m g c sin θ                   F = −K s of the sample before, held

They are solved by the classical Runge–Kutta method with 200 steps per sample, so that its error is
that of rounding.
"""

from math import cos, radians, sin

import numpy as np

CART, POLE, C, G = 1.0, 0.1, 0.5, 9.81


def rate(s: np.ndarray, force: float, friction: float) -> np.ndarray:
    _, speed, angle, turning = s
    matrix = np.array([[CART + POLE, POLE * C * cos(angle)], [POLE * C * cos(angle), 4 / 3 * POLE * C**2]])
    right = [force - friction * speed + POLE * C * sin(angle) * turning**2, POLE * G * C * sin(angle)]
    acceleration = np.linalg.solve(matrix, right)
    return np.array([speed, acceleration[0], turning, acceleration[1]])


def advance(s: np.ndarray, force: float, friction: float, h: float) -> np.ndarray:
    k1 = rate(s, force, friction)
    k2 = rate(s + h / 2 * k1, force, friction)
    k3 = rate(s + h / 2 * k2, force, friction)
    k4 = rate(s + h * k3, force, friction)
    return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def closed_loop(law, angle_start: float, friction: float, sample: float, count: int) -> np.ndarray:
    """position, speed, angle, rate at all samples; `law(s)` is the force, applied one sample
    later."""
    s = np.array([0.0, 0.0, radians(angle_start), 0.0])
    rows, force = [s], law(s)
    for _ in range(count):
        after = law(s)
        for _ in range(200):
            s = advance(s, force, friction, sample / 200)
        force = after
        rows.append(s)
    return np.array(rows)

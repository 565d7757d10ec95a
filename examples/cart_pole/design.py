"""The gains of the controller: a linear-quadratic regulator for the sampled plant.

    build/venv/bin/python examples/cart_pole/design.py

`mechfmu.linearize` gives x' = A x + B u about the upright pole. Over a sample T the force is
constant: x(t+T) = F x + G u with F = exp(A T) and G = ∫ exp(A s) ds B. K minimizes Σ xᵀQx + R u²
(discrete Riccati equation, by iteration). The design ignores the delay of one sample of the force;
the printed poles include it.
"""

from pathlib import Path

import mechfmu
import numpy as np

MECHANISM = Path(__file__).resolve().parents[2] / "models" / "cart_pole" / "cart_pole.xml"

T = 0.01
Q = np.diag([4.0, 1.0, 10.0, 1.0])  # position, speed, angle, rate
R = 0.25


def linear_model() -> tuple[np.ndarray, np.ndarray]:
    """A and B, with states in the order of the controller's inputs."""
    model = mechfmu.linearize(MECHANISM, trim=True, parameters={"rail_friction": 0.1})
    names = ["rail.displacement", "rail.displacement_rate", "hinge.angle", "hinge.angle_rate"]
    order = [model.states.index(name) for name in names]
    return model.A[np.ix_(order, order)], model.B[order]


def sampled(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """exp of [A B; 0 0] T, by its series."""
    n = len(A)
    block = np.zeros((n + 1, n + 1))
    block[:n, :n], block[:n, n:] = A * T, B * T
    power = total = np.eye(n + 1)
    for k in range(1, 20):
        power = power @ block / k
        total = total + power
    return total[:n, :n], total[:n, n:]


def regulator(F: np.ndarray, G: np.ndarray) -> np.ndarray:
    P = Q.copy()
    for _ in range(10000):
        K = np.linalg.solve(R + G.T @ P @ G, G.T @ P @ F)
        after = Q + F.T @ P @ (F - G @ K)
        if np.max(np.abs(after - P)) < 1e-12 * np.max(np.abs(P)):
            break
        P = after
    return K


def closed_loop(F: np.ndarray, G: np.ndarray, K: np.ndarray) -> np.ndarray:
    """The loop with the force one sample late: (x, u) → (F x + G u, −K x)."""
    return np.block([[F, G], [-K, np.zeros((1, 1))]])


def gains() -> tuple[dict[str, float], np.ndarray]:
    """Gains by the names of the controller's parameters, and the poles of the sampled loop with its
    delay, in 1/s."""
    F, G = sampled(*linear_model())
    K = regulator(F, G)
    poles = np.log(np.linalg.eigvals(closed_loop(F, G, K)).astype(complex)) / T
    return dict(zip(["k_position", "k_speed", "k_angle", "k_rate"], K[0])), poles


def main():
    made, poles = gains()
    print("gains: " + "  ".join(f"{name} = {k:.2f}" for name, k in made.items()))
    print("poles of the sampled loop with its delay, 1/s: " + "  ".join(f"{p:.2f}" for p in sorted(poles, key=abs)))


if __name__ == "__main__":
    main()

"""Error tables of the method, through the FMI functions: steps h/3, 2h/3, each one substep.

The errors at t = 1 of the test problem of Jay & Negrut, section 8 (solution e^t, e^-2t, λ = e^-t, ψ = e^t), with
ρ∞ = 0.2 were computed by an independent implementation.
"""

import math

import numpy as np
import pytest

RHO = 0.2
ALPHA = (RHO - 1) / (RHO + 1)
NAMES = ["y", "z", "method.a", "method.lambda", "method.psi"]

RESCALED = {  # 1/h: errors of y, z, a, λ, ψ
    10: [4.706e-03, 4.775e-03, 1.145e-02, 9.849e-04, 2.516e-04],
    20: [1.139e-03, 1.156e-03, 2.870e-03, 2.793e-04, 6.559e-05],
    40: [2.806e-04, 2.847e-04, 7.195e-04, 7.415e-05, 1.669e-05],
    80: [6.965e-05, 7.066e-05, 1.802e-04, 1.909e-05, 4.206e-06],
    160: [1.735e-05, 1.760e-05, 4.508e-05, 4.842e-06, 1.055e-06],
    320: [4.330e-06, 4.393e-06, 1.128e-05, 1.219e-06, 2.644e-07],
}
NOT_RESCALED = {
    20: [1.022e-03, 1.037e-03, 6.288e-03, 4.468e-03, 2.241e-04],
    80: [6.288e-05, 6.380e-05, 1.154e-03, 1.141e-03, 4.365e-05],
    320: [3.916e-06, 3.973e-06, 2.626e-04, 2.866e-04, 1.011e-05],
}


def exact(name: str, t: float) -> np.ndarray:
    e = math.exp
    return np.array(
        {
            "y": [e(t), e(-2 * t)],
            "z": [e(t), -2 * e(-2 * t)],
            "method.a": [e(t), 4 * e(-2 * t)],
            "method.lambda": [e(-t)],
            "method.psi": [e(t)],
        }[name]
    )


def errors(plant, n: int, rescale: bool) -> list[float]:
    settings = {"solver.fixed_step": 1, "solver.tolerance": 1e-13, "solver.rho_inf": RHO, "solver.rescale": rescale}
    plant.start(settings)
    for i in range(n):
        plant.step(1 / (3 * n), at=i / n)
        plant.step((i + 1) / n - plant.time)
    assert plant.get("solver.steps") == 2 * n
    t_a = 1 + ALPHA * 2 / (3 * n)
    return [np.linalg.norm(plant.get(x) - exact(x, t_a if x == "method.a" else 1)) for x in NAMES]


@pytest.mark.parametrize("n", RESCALED)
def test_errors_of_rescaled_steps_are_those_of_the_table(plants, n):
    np.testing.assert_allclose(errors(plants("soi2_problem"), n, True), RESCALED[n], rtol=6e-4)


def test_without_rescaling_accelerations_and_multipliers_fall_to_first_order(plants):
    table = {n: errors(plants("soi2_problem"), n, False) for n in NOT_RESCALED}
    for n, expected in NOT_RESCALED.items():
        np.testing.assert_allclose(table[n], expected, rtol=0.03)
    order = np.log2(np.divide(table[80], table[320])) / 2
    np.testing.assert_allclose(order, [2, 2, 1, 1, 1], atol=0.1)


@pytest.mark.parametrize(("tolerance", "bound"), [(1e-4, 2e-2), (1e-6, 1e-3), (1e-8, 1e-4), (1e-10, 1e-5)])
def test_accelerations_and_multipliers_at_communication_points_follow_the_tolerance(plants, tolerance, bound):
    plant = plants("soi2_problem", logging=False).start(tolerance=tolerance)
    for k in range(1, 21):
        plant.step(k / 20 - plant.time)
        for name, like in [("a", "method.a"), ("lambda", "method.lambda"), ("psi", "method.psi")]:
            np.testing.assert_allclose(plant.get(name), exact(like, k / 20), rtol=0, atol=bound, err_msg=name)

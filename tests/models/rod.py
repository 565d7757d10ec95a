"""Makes rod.flex: the rod of Simeon's slider-crank by two sines of bending and two quadratics of elongation.

python tests/models/rod.py tests/models/rod.flex
"""

import sys

import numpy as np
from mechfmu import flex
from mechfmu.flex.span import inertia_of

LENGTH, SIDE, E, RHO = 0.30, 0.008, 2e11, 7870
MASS = RHO * SIDE**2 * LENGTH


def shapes(s: np.ndarray) -> np.ndarray:
    """ux uy uz rx ry rz of the four shapes at x = s LENGTH, as an array of points x 6 x 4; only q4 moves an end."""
    u = np.zeros((len(s), 6, 4))
    for k in (1, 2):
        u[:, 1, k - 1] = np.sin(k * np.pi * s)
        u[:, 5, k - 1] = k * np.pi / LENGTH * np.cos(k * np.pi * s)
    u[:, 0, 2] = 4 * s * (1 - s)
    u[:, 0, 3] = s * (2 * s - 1)
    return u


def rod() -> flex.Span:
    """All integrals by Gauss points; the section has rotational inertia, but its rotation adds none to the shapes."""
    points, weights = np.polynomial.legendre.leggauss(24)
    s, m = (points + 1) / 2, MASS * weights / 2
    u, X = shapes(s)[:, :3], np.outer(s, [LENGTH, 0, 0])
    section = MASS * SIDE**2 / 12
    stiffness = np.zeros((4, 4))
    stiffness[:2, :2] = E * SIDE**4 / 12 * np.pi**4 / 2 / LENGTH**3 * np.diag([1, 16])
    stiffness[2:, 2:] = E * SIDE**2 / LENGTH / 3 * np.array([[16, -8], [-8, 7]])
    return flex.Span(
        source="rod",
        mass=MASS,
        moment=m @ X,
        inertia=inertia_of(np.einsum("n,na,nb->ab", m, X, X)) / 2 + section * np.diag([2, 1, 1]),
        Ct=np.einsum("n,nak->ka", m, u),
        Cr=np.einsum("n,nak->ka", m, np.cross(X[:, :, None], u, axis=1)),
        M=np.einsum("n,nak,nal->kl", m, u, u),
        K=stiffness,
        D=None,
        J1=inertia_of(np.einsum("n,nak,nb->kab", m, u, X)),
        P=np.einsum("n,nak,nbl->klab", m, u, u),
        labels=["root", "middle", "tip"],
        X=np.array([[0, 0, 0], [LENGTH / 2, 0, 0], [LENGTH, 0, 0]]),
        shapes=shapes(np.array([0, 0.5, 1])),
    )


if __name__ == "__main__":
    nodes = {name: name for name in ("root", "middle", "tip")}
    rod().body(nodes, second_order=1e9, damping=0, about="rod of Simeon's slider-crank: two sines, two quadratics").write(sys.argv[1])

"""Frames of straight beams: stiffness and consistent mass of Euler-Bernoulli beams in space."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Section:
    """A beam's cross-section and material; SI units."""

    E: float  # modulus of elasticity
    G: float  # shear modulus
    rho: float  # density
    A: float  # area
    Iy: float  # bending in the plane of x and z of the element
    Iz: float  # … of x and y
    J: float  # torsion
    polar: float | None = None  # rotary inertia about the axis, per density; None: Iy + Iz

    @staticmethod
    def tube(outer: float, wall: float, E: float, nu: float, rho: float) -> "Section":
        """A round tube by its outer diameter and wall."""
        a, b = outer / 2, outer / 2 - wall
        second = np.pi / 4 * (a**4 - b**4)
        return Section(E, E / 2 / (1 + nu), rho, np.pi * (a**2 - b**2), second, second, 2 * second)


def element(section: Section, start: np.ndarray, end: np.ndarray, up: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """12 x 12 stiffness and mass in global axes; `up` lies in the plane of x and z of the element."""
    s = section
    d = np.asarray(end, float) - start
    L = float(np.linalg.norm(d))
    if not L > 0:
        raise ValueError(f"an element from {start} to {end} has no length")
    d = d / L
    k, m = np.zeros((12, 12)), np.zeros((12, 12))
    mu = s.rho * s.A * L
    polar = s.rho * (s.Iy + s.Iz if s.polar is None else s.polar) * L
    for a, b, stiffness, mass in ((0, 6, s.E * s.A / L, mu), (3, 9, s.G * s.J / L, polar)):
        k[np.ix_((a, b), (a, b))] += stiffness * np.array([[1, -1], [-1, 1]])
        m[np.ix_((a, b), (a, b))] += mass / 6 * np.array([[2, 1], [1, 2]])
    bend = np.array([[12, 6 * L, -12, 6 * L], [6 * L, 4 * L**2, -6 * L, 2 * L**2], [-12, -6 * L, 12, -6 * L], [6 * L, 2 * L**2, -6 * L, 4 * L**2]])
    inert = np.array([[156, 22 * L, 54, -13 * L], [22 * L, 4 * L**2, 13 * L, -3 * L**2], [54, 13 * L, 156, -22 * L], [-13 * L, -3 * L**2, -22 * L, 4 * L**2]])
    for dofs, sign, second in (((1, 5, 7, 11), 1, s.Iz), ((2, 4, 8, 10), -1, s.Iy)):
        turn = np.diag([1, sign, 1, sign])
        k[np.ix_(dofs, dofs)] += s.E * second / L**3 * turn @ bend @ turn
        m[np.ix_(dofs, dofs)] += mu / 420 * turn @ inert @ turn
    if up is None:
        up = np.array([0, 0, 1.0]) if abs(d[2]) < 0.9 else np.array([1.0, 0, 0])
    y = np.cross(up, d)
    y /= np.linalg.norm(y)
    R = np.kron(np.eye(4), np.array([d, y, np.cross(d, y)]))
    return R.T @ k @ R, R.T @ m @ R


def beams(X: np.ndarray, elements: "list[tuple[int, int]]", section: "Section | list[Section]") -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and mass of a frame: nodes X (n x 3), elements as pairs of nodes, one section or one per element."""
    X = np.asarray(X, float)
    sections = [section] * len(elements) if isinstance(section, Section) else section
    K, M = np.zeros((6 * len(X), 6 * len(X))), np.zeros((6 * len(X), 6 * len(X)))
    for (i, j), s in zip(elements, sections, strict=True):
        k, m = element(s, X[i], X[j])
        dof = np.r_[6 * i : 6 * i + 6, 6 * j : 6 * j + 6]
        K[np.ix_(dof, dof)] += k
        M[np.ix_(dof, dof)] += m
    return K, M

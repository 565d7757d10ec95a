"""From a body given by shapes and their inertia integrals, as in modal files, to free modes in mean axes.

  u = sum phi_k q_k in any axes: of a node, of a chord, of the finite element model
  free modes of the span of phi and the rigid motions:  psi = phi V + a + b x x   with int psi dm = int x cross psi dm = 0

Every term of second order in displacements is a moment int f f' dm of the fields f = 1, x, phi_k; those of psi are sums of these:
  N_k = int phi_k x' dm    from J1_k = 2 tr(N) 1 - N - N'   and  C_r = int x cross phi_k dm
  P_kl = int phi_k phi_l' dm   from J2_kl = 2 tr(P) 1 - P - P'  and  g_kl = int phi_k cross phi_l dm
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from .body import FlexibleBody, default_damping
from .model import Damping, ModelError, modes_of, rigid_motions, skew


def moments(J: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """int a b' of J = 2 tr(.) 1 - (.) - (.)' and turn = int b cross a; any number of them."""
    trace = np.trace(J, axis1=-2, axis2=-1)[..., None, None] / 4 * np.eye(3)
    cross = np.zeros(J.shape)
    for a in range(3):
        cross += turn[..., a, None, None] * skew(np.eye(3)[a])
    return trace - J / 2 + cross / 2


def inertia_of(moment: np.ndarray) -> np.ndarray:
    """2 tr(.) 1 - (.) - (.)'."""
    return 2 * np.trace(moment, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - moment - np.swapaxes(moment, -1, -2)


@dataclass
class Span:
    """Shapes and their integrals in the axes and about the origin of the file, SI units; n shapes, N nodes."""

    source: str
    mass: float
    moment: np.ndarray  # 3: int x dm
    inertia: np.ndarray  # 3 x 3, about the origin
    Ct: np.ndarray  # n x 3: int phi dm
    Cr: np.ndarray  # n x 3: int x cross phi dm
    M: np.ndarray  # n x n
    K: np.ndarray  # n x n
    D: np.ndarray | None  # n x n
    J1: np.ndarray  # n x 3 x 3
    P: np.ndarray | None  # n x n x 3 x 3: int phi phi' dm; None: not known
    labels: list[str]
    X: np.ndarray  # N x 3
    shapes: np.ndarray  # N x 6 x n
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name, A in (("modal mass", self.M), ("modal stiffness", self.K)):
            scale = np.sqrt(np.abs(np.outer(np.diag(A), np.diag(A)))) + 1e-9 * np.abs(A).max()
            r, c = np.unravel_index((np.abs(A - A.T) / scale).argmax(), A.shape)
            if np.abs(A - A.T)[r, c] > 1e-3 * scale[r, c]:
                self.fail(f"the {name} matrix is not symmetric: ({r + 1}, {c + 1}) is {A[r, c]:.6g} and ({c + 1}, {r + 1}) is {A[c, r]:.6g}")
        self.M, self.K, self.inertia = (self.M + self.M.T) / 2, (self.K + self.K.T) / 2, (self.inertia + self.inertia.T) / 2

    def fail(self, text: str) -> None:
        """Raise an error with the name of the file."""
        raise ModelError(f"{self.source}: {text}")

    def from_millimetres(self) -> "Span":
        """Convert a file from mm, t, N, s; amplitudes keep their numbers."""
        third = 1e-3 * np.ones(6)
        third[3:] = 1
        return replace(
            self, mass=1e3 * self.mass, inertia=1e-3 * self.inertia, Cr=1e-3 * self.Cr, M=1e-3 * self.M, K=1e-3 * self.K, D=None if self.D is None else 1e-3 * self.D,
            J1=1e-3 * self.J1, P=None if self.P is None else 1e-3 * self.P, X=1e-3 * self.X, shapes=self.shapes * third[:, None],
        )  # fmt: skip

    def check(self) -> None:
        """Raise an error if no body can have these numbers."""
        if not self.mass > 0:
            self.fail(f"the mass of the body is {self.mass:.6g} kg")
        centre = self.moment / self.mass
        J = self.inertia + self.mass * skew(centre) @ skew(centre)
        principal = np.linalg.eigvalsh(J)
        if principal[0] <= 0 or principal[2] > 1.001 * (principal[0] + principal[1]):
            self.fail(f"no body of {self.mass:.6g} kg with its centre at {centre} has the principal inertias {principal} about it; mass, centre and inertia may have different units")
        gyration = np.sqrt(principal[2] / self.mass)
        size = np.linalg.norm(self.X - centre, axis=1).max(initial=0)
        if not gyration / 100 < size < 100 * gyration:
            self.fail(f"nodes reach {size:.3g} m from the centre of mass and the radius of gyration is {gyration:.3g} m: places and inertia may have different units")
        if not 1e-4 < self.mass / gyration**3 < 1e6:
            self.fail(f"a body of {self.mass:.3g} kg with a radius of gyration of {gyration:.3g} m: units must be m, kg, s (--millimetres is for mm, t, N, s)")

    def body(self, interface: "Mapping[str, str] | None" = None, second_order: float = 1000.0, damping: Damping = None, about: str = "") -> FlexibleBody:
        """Free modes of the span, with the nodes {name: label}; by default all nodes, named n and their label."""
        self.check()
        interface = interface or {"n" + label: label for label in self.labels}
        missing = [label for label in interface.values() if str(label) not in self.labels]
        if missing:
            self.fail(f"there is no node {missing[0]}; it has {', '.join(self.labels[:8])}{' …' if len(self.labels) > 8 else ''}")
        rigid = np.block([[self.mass * np.eye(3), -skew(self.moment)], [skew(self.moment), self.inertia]])
        coupling = np.vstack([self.Ct.T, self.Cr.T])
        away = -np.linalg.solve(rigid, coupling)  # the motion that makes each shape free of momentum
        M = self.M + coupling.T @ away
        V, frequency = self.free(M)
        R = away @ V  # translations and rotations about the origin
        n, s = V.shape[1], 0
        # N = int psi x' of the free modes; J1 is the same about any point, since int psi dm = 0
        x_x = np.trace(self.inertia) / 2 * np.eye(3) - self.inertia
        base = [np.outer(e, self.moment) for e in np.eye(3)] + [skew(e) @ x_x for e in np.eye(3)]
        N = moments(self.J1, self.Cr)
        J1 = inertia_of(np.einsum("kab,km->mab", N, V) + np.einsum("iab,im->mab", np.array(base), R))
        P = np.zeros((0, 0, 3, 3))
        if self.P is not None:
            s = int((frequency < second_order).sum())
            P = self.free_moments(N, x_x, V[:, :s], R[:, :s])
        g = np.stack([P[..., 1, 2] - P[..., 2, 1], P[..., 2, 0] - P[..., 0, 2], P[..., 0, 1] - P[..., 1, 0]], axis=-1)
        chosen = [self.labels.index(str(label)) for label in interface.values()]
        moved = np.einsum("nik,km->nim", self.shapes[chosen], V) + np.einsum("nij,jm->nim", rigid_motions(self.X[chosen], np.zeros(3)).reshape(-1, 6, 6), R)
        for name, at in zip(interface, chosen, strict=True):
            if len(V) and np.abs(self.shapes[at, :3]).max() > 0 and not self.shapes[at, 3:].any():
                self.notes.append(f"node {self.labels[at]} ({name}) has no rotations in the file: it turns as the body does; use it for forces and joints that leave rotations free")
        if damping is None and self.D is not None and self.D.any():
            def damping(f):
                return np.diag(V.T @ self.D @ V) / (4 * np.pi * f)
        return FlexibleBody(
            mass=self.mass,
            centre=self.moment / self.mass,
            inertia=self.inertia + self.mass * skew(self.moment / self.mass) @ skew(self.moment / self.mass),
            nodes={name: self.X[at] for name, at in zip(interface, chosen, strict=True)},
            frequency=frequency,
            damping=default_damping(frequency) if damping is None else damping(frequency) if callable(damping) else np.full(n, float(damping)),
            shapes=moved,
            inertia_1=J1,
            inertia_2=inertia_of(P),
            coriolis=g,
            about=about,
        )

    def free(self, M: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Modes K v = w^2 M v with v'Mv = 1, and w/2 pi; M of shapes without momentum. Rigid motions in the span are left out."""
        if not len(M):
            return np.zeros((0, 0)), np.zeros(0)
        scale = 1 / np.sqrt(np.maximum(np.diag(self.M), 1e-300))
        mass = scale[:, None] * M * scale
        least = np.linalg.eigvalsh(mass)[0]
        if least < -1e-4:
            self.fail(
                f"shapes have more momentum than their modal mass allows ({least:.3g} of it is left): modal mass, mass of the body and "
                "couplings of translations and rotations do not belong together; units may differ"
            )
        unit = 1 / np.sqrt(np.maximum(np.diag(self.K), 1e-12 * np.abs(np.diag(self.K)).max()))
        k, U = np.linalg.eigh(unit[:, None] * self.K * unit)
        if k[0] < -1e-6:
            self.fail(f"the modal stiffness is not positive: of shapes with stiffness 1, a sum of squares 1 has {k[0]:.3g}")
        soft = unit[:, None] * U[:, k < 1e-9]  # rigid motions in the span have no stiffness and, by now, no mass
        for v in soft.T:
            if v @ M @ v > 1e-6 * (v @ self.M @ v):
                self.fail("shapes without stiffness move the body in a way that is not rigid: a part hangs on nothing")
        A = unit[:, None] * U[:, k >= 1e-9]
        w, V = modes_of(A.T @ self.K @ A, A.T @ M @ A)
        return A @ V, w / 2 / np.pi

    def free_moments(self, N: np.ndarray, x_x: np.ndarray, V: np.ndarray, R: np.ndarray) -> np.ndarray:
        """int psi_k psi_l' dm of psi = phi V + translations and rotations R."""
        E = np.array([skew(e) for e in np.eye(3)])
        rigid = np.zeros((6, 6, 3, 3))  # of translations and rotations with one another
        mixed = np.zeros((6, len(self.M), 3, 3))  # … with the shapes
        for a in range(3):
            e = np.eye(3)[a]
            for b in range(3):
                rigid[a, b] = self.mass * np.outer(e, np.eye(3)[b])
                rigid[a, 3 + b] = np.outer(e, E[b] @ self.moment)
                rigid[3 + b, a] = rigid[a, 3 + b].T
                rigid[3 + a, 3 + b] = E[a] @ x_x @ E[b].T
            mixed[a] = np.einsum("i,kj->kij", e, self.Ct)
            mixed[3 + a] = np.einsum("ij,kmj->kim", E[a], N)
        P = np.einsum("km,klab,ln->mnab", V, self.P, V, optimize=True)
        P += np.einsum("im,ijab,jn->mnab", R, rigid, R, optimize=True)
        cross = np.einsum("im,ikab,kn->mnab", R, mixed, V, optimize=True)
        return P + cross + cross.transpose(1, 0, 3, 2)

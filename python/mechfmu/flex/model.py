"""From the matrices of a finite element model to the numbers of a flexible body.

  u = B u_b + C p           constraint modes B = -K_ii^-1 K_ib of interface nodes, modes C of the body held at these
  the span of (B, C) as free modes: K v = w^2 M v, without the six rigid motions; then int phi dm = int x cross phi dm = 0

Velocity of a node in mean axes: Omega x (x + u) + u'. With W0 the rigid rotations and W1_k the displacements of mode k turned
by them, all inertia is a triple product with M:
  J1_k = W0'M W1_k + (..)',   J2_kl = W1_k'M W1_l + W1_l'M W1_k,   g_kl = W1_k'M phi_l, antisymmetric
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .body import FlexibleBody, default_damping

Matrix = Any  # an array, or a sparse matrix of scipy
Damping = float | Callable[[np.ndarray], np.ndarray] | None  # of frequencies in Hz


# Densities in kg/m3 and speeds of sound in m/s, with a margin for properties that nodes do not show
HEAVIEST = 3e4  # osmium 2.3e4
FASTEST, SOFT, SLOWEST = 4e4, 500.0, 10.0  # diamond 1.2e4, steel 5e3, rubber 5e1


class ModelError(ValueError):
    """The matrices cannot belong to a flexible body: the message names the matrix, the error and the remedy."""


def skew(v: np.ndarray) -> np.ndarray:
    """v x … as a matrix."""
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rigid_motions(X: np.ndarray, about: np.ndarray, dofs: np.ndarray | None = None) -> np.ndarray:
    """Translations and rotations about a point, as columns: all six numbers of each node, or those in dofs."""
    P = np.zeros((len(X), 6, 6))
    P[:, :3, :3] = np.eye(3)
    P[:, 3:, 3:] = np.eye(3)
    for n, x in enumerate(np.asarray(X, float) - about):
        P[n, :3, 3:] = -skew(x)
    P = P.reshape(6 * len(X), 6)
    return P if dofs is None else P[dofs]


def modes_of(K: np.ndarray, M: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """K v = w^2 M v with v'Mv = 1, K positive definite: w ascending, and v as columns.

    Motions without mass are left out. The problem M v = mu K v, mu = 1/w^2, resolves each mu only
    to rounding errors of the largest. It is therefore solved again among the vectors that are
    K-orthogonal to the modes found so far; each round accepts the mu down to 1e-6 of its largest.
    """
    d = 1 / np.sqrt(np.maximum(np.diag(K), np.finfo(float).tiny))
    K, M = d[:, None] * K * d, d[:, None] * M * d
    least, most = np.linalg.eigvalsh(K)[[0, -1]] if len(K) else (1, 1)
    if least < 4 * len(K) * np.finfo(float).eps * most:
        raise ModelError(
            f"the stiffness leaves more than six rigid motions: without them its smallest eigenvalue is {least:.3g}, its largest {most:.3g} (relative to its diagonal); a part hangs on nothing, or a joint is left open"
        )
    mu, modes, rest = np.zeros(0), np.zeros((len(K), 0)), np.eye(len(K))
    while rest.shape[1]:
        L = np.linalg.cholesky(rest.T @ K @ rest)
        inner = np.linalg.solve(L, np.linalg.solve(L, rest.T @ M @ rest).T)
        found, V = np.linalg.eigh((inner + inner.T) / 2)
        accepted = found > max(1e-6 * found[-1], 1e-14 * mu.max(initial=0))
        if not accepted.any():
            break
        mu = np.concatenate([mu, found[accepted][::-1]])
        modes = np.hstack([modes, (rest @ np.linalg.solve(L.T, V[:, accepted]))[:, ::-1]])
        rest = _complement((K @ modes).T)
    return 1 / np.sqrt(mu), d[:, None] * modes / np.sqrt(mu)


class Model:
    """Stiffness K and mass M of a free body, in SI units.

    X (n x 3) are the positions of the nodes. Rows and columns belong to ux uy uz rx ry rz of node 0, node 1, …; of solid elements to
    ux uy uz. `dofs` overrides this: 6 * node + component for each row.
    """

    def __init__(self, K: Matrix, M: Matrix, X: ArrayLike, dofs: "Sequence[int] | None" = None) -> None:
        def dense(A):
            return np.array(A.todense() if hasattr(A, "todense") else A, float)

        self.K, self.M, self.X = dense(K), dense(M), np.array(X, float)
        self.notes: list[str] = []  # warnings about the model
        n = len(self.X)
        size = self.K.shape[0]
        if self.X.ndim != 2 or self.X.shape[1] != 3:
            raise ModelError(f"node positions must be an n x 3 array, but this one is {'x'.join(map(str, self.X.shape))}")
        if self.K.shape != self.M.shape or self.K.shape != (size, size):
            raise ModelError(f"stiffness is {self.K.shape[0]} x {self.K.shape[1]} and mass {self.M.shape[0]} x {self.M.shape[1]}; both must be square and of the same size")
        if dofs is not None:
            self.dofs = np.array(dofs, int)
        elif size == 6 * n:
            self.dofs = np.arange(6 * n)
        elif size == 3 * n:
            self.dofs = (6 * np.arange(n)[:, None] + np.arange(3)).ravel()
        else:
            raise ModelError(f"matrices of {size} rows fit neither 6 nor 3 degrees of freedom at each of {n} nodes; give dofs")
        if len(self.dofs) != size:
            raise ModelError(f"matrices have {size} rows and dofs {len(self.dofs)}")
        self.check()

    def check(self) -> None:
        """Raise ModelError if the matrices cannot belong to a body."""
        for name, A in (("stiffness", self.K), ("mass", self.M)):
            if not np.isfinite(A).all():
                raise ModelError(f"the {name} matrix has numbers that are not finite")
            apart = np.abs(A - A.T).max()
            if apart > 1e-6 * np.abs(A).max():
                r, c = np.unravel_index(np.abs(A - A.T).argmax(), A.shape)
                raise ModelError(f"the {name} matrix is not symmetric: ({r + 1}, {c + 1}) is {A[r, c]:.6g} and ({c + 1}, {r + 1}) is {A[c, r]:.6g}; write both halves, or one half in a file marked as symmetric")
            negative = np.flatnonzero(np.diag(A) < -1e-12 * np.abs(A).max())
            if len(negative):
                raise ModelError(f"the {name} matrix is not positive: number {negative[0] + 1} of its diagonal is {A[negative[0], negative[0]]:.6g}")
        self.K, self.M = (self.K + self.K.T) / 2, (self.M + self.M.T) / 2
        W = rigid_motions(self.X, np.zeros(3), self.dofs)
        total = W.T @ self.M @ W
        masses = np.diag(total)[:3]
        self.mass = masses.mean()
        if not self.mass > 0:
            raise ModelError(f"the mass of the body is {self.mass:.6g} kg")
        if np.ptp(masses) > 1e-3 * self.mass:
            raise ModelError(f"the body has the mass {masses[0]:.6g} kg along x, {masses[1]:.6g} along y and {masses[2]:.6g} along z: nodes are missing, or the rows are in another order")
        t = (total - total.T) / 2 + (total + total.T) / 2
        self.centre = np.array([t[1, 5] - t[2, 4], t[2, 3] - t[0, 5], t[0, 4] - t[1, 3]]) / 2 / self.mass
        self.W = rigid_motions(self.X, self.centre, self.dofs)
        size = max(np.linalg.norm(self.X - self.centre, axis=1).max(), 1e-300)
        scaled = self.W / np.array([1, 1, 1, size, size, size])
        force = np.abs(self.K @ scaled).max(axis=0)
        worst = int(force.argmax())
        if force[worst] > 1e-5 * np.abs(self.K).max():
            motion = ("moves along x", "moves along y", "moves along z", "turns about x", "turns about y", "turns about z")[worst]
            raise ModelError(
                f"a body that {motion} as a whole is held by {force[worst] / np.abs(self.K).max():.3g} of its largest stiffness: "
                "the model is not free (take its supports away), or places and matrices have different units or orders"
            )
        # a rotation is compared with one of the size of the body: the matrices, and so their eigenvalues, have no units
        unit = 1 / np.where(self.dofs % 6 < 3, 1, size)
        for name, A in (("stiffness", self.K), ("mass", self.M)):
            least, *_, most = np.linalg.eigvalsh(unit[:, None] * A * unit)
            if least < -1e-7 * most:
                raise ModelError(f"the {name} matrix is not positive: its smallest eigenvalue is {least:.6g}, its largest {most:.6g} (rotations times {size:.3g} m, the size of the body)")
        self.check_units(size)

    def check_units(self, size: float) -> None:
        """Raise ModelError if no material has such a density or speed of sound; note values that only soft materials have."""
        remedy = "units must be m, kg, s, N (Model.from_millimetres and --millimetres are for models in mm, t, s, N)"
        density = self.mass / size**3
        if not 1e-4 < density < 1e5:
            raise ModelError(f"a body of {self.mass:.3g} kg that reaches {size:.3g} m from its centre of mass: {remedy}")
        box = np.ptp((self.X - self.centre) @ np.linalg.svd(self.X - self.centre, full_matrices=False)[2].T, axis=0)
        volume = float(np.prod(box))  # of a box that holds all nodes
        if box.min() > 1e-3 * size and self.mass > HEAVIEST * volume:
            raise ModelError(
                f"a body of {self.mass:.3g} kg in a box of {' x '.join(f'{x:.3g}' for x in box)} m has {self.mass / volume:.3g} kg/m3 at least, "
                f"more than any material ({HEAVIEST:g} kg/m3): {remedy}"
            )
        speed = self.speed_of_sound()
        if speed is None:
            return
        numbers = f"stiffness, mass and distances of the nodes belong to a speed of sound of about {speed:.2g} m/s"
        if not SLOWEST < speed < FASTEST:
            raise ModelError(f"{numbers}; steel has 5000, rubber 50: {remedy}, or one of the matrices is wrong by a factor of {(speed / 5000) ** 2:.2g}")
        if speed < SOFT:
            self.notes.append(f"{numbers}; steel has 5000: right for rubber and foam, else stiffness or mass may be wrong by a factor of a thousand")

    def speed_of_sound(self) -> "float | None":
        """h sqrt(k/m) / sqrt(3) of single nodes, which is sqrt(E/rho) along a bar; the median of all nodes, None without any."""
        found = []
        stiffness, mass = np.diag(self.K), np.diag(self.M)
        for n in np.unique(self.dofs // 6):
            rows = np.flatnonzero((self.dofs // 6 == n) & (self.dofs % 6 < 3) & (mass > 1e-12 * mass.max()))
            away = np.linalg.norm(self.X - self.X[n], axis=1)
            away = away[away > 1e-6 * away.max()]
            if len(rows) and len(away):
                found.append(away.min() * np.sqrt(max(0.0, (stiffness[rows] / mass[rows]).max()) / 3))
        return float(np.median(found)) if found else None

    @classmethod
    def from_millimetres(cls, K: ArrayLike, M: ArrayLike, X: ArrayLike, dofs: "Sequence[int] | None" = None) -> "Model":
        """Convert a model from mm, t, N, s: rotations are radians in both."""
        K, M = np.array(K, float), np.array(M, float)
        n = len(X)
        rows = np.array(dofs, int) if dofs is not None else np.arange(6 * n) if K.shape[0] == 6 * n else (6 * np.arange(n)[:, None] + np.arange(3)).ravel()
        way = np.where(rows % 6 < 3, 1e3, 1.0)  # millimetres per metre
        energy = 1e-3  # N.mm -> J
        return cls(energy * K * way[:, None] * way, energy * M * way[:, None] * way, np.array(X, float) / 1e3, dofs)

    def tied(self, spiders: "Mapping[str, tuple[Sequence[float], Sequence[int]]]") -> "Model":
        """The model with rigid spiders: {name: (place, nodes)} gives a node at `place` that holds those nodes, which move with it."""
        K, M, X, dofs = self.K, self.M, self.X, self.dofs
        for place, nodes in spiders.values():
            held = np.isin(dofs // 6, np.array(nodes, int))
            if not held.any():
                raise ModelError(f"there are no nodes {list(nodes)} for a spider")
            T = np.zeros((len(dofs), (~held).sum() + 6))
            T[np.flatnonzero(~held), np.arange((~held).sum())] = 1
            T[held, -6:] = rigid_motions(X, np.array(place, float), dofs)[held]
            K, M = T.T @ K @ T, T.T @ M @ T
            dofs = np.concatenate([dofs[~held], 6 * len(X) + np.arange(6)])
            X = np.vstack([X, place])
        return Model(K, M, X, dofs)

    def frequencies(self, count: int = 12) -> np.ndarray:
        """The first free frequencies, Hz."""
        N = _complement(self.W.T @ self.M)
        w, _ = modes_of(N.T @ self.K @ N, N.T @ self.M @ N)
        return w[:count] / 2 / np.pi

    def reduce(
        self,
        interface: "Mapping[str, int]",
        modes: int = 12,
        second_order: float = 1000.0,
        damping: "Damping" = None,
        recovery: "Mapping[str, np.ndarray] | None" = None,
        geometric: "Mapping[str, np.ndarray] | None" = None,
        outputs: "Mapping[str, int] | None" = None,
        about: str = "",
    ) -> FlexibleBody:
        """Craig-Bampton with interface nodes {name: node}, and this number of modes of the body held there.

        second_order: J2 and coriolis of modes below this frequency, Hz. damping: a ratio, or a function of frequencies. recovery: rows
        that give stresses from all displacements. geometric: {"zz": K_G} stiffness per W_z^2 as a matrix of the model, in mean axes.
        outputs: further nodes, which move with the modes and are not held in the reduction; the file contains their missing flexibility.
        """
        if not interface:
            raise ModelError("name at least one interface node")
        rows = []
        for name, node in interface.items():
            own = [np.flatnonzero(self.dofs == 6 * node + c) for c in range(6)]
            if any(len(r) != 1 for r in own):
                raise ModelError(f"interface node '{name}' (node {node}) has no rotations or does not exist; a spider (Model.tied) holds nodes of solids")
            rows += [int(r[0]) for r in own]
        b = np.array(rows)
        if len(set(rows)) != len(rows):
            raise ModelError("a node is listed twice as an interface node")
        i = np.setdiff1d(np.arange(len(self.dofs)), b)
        modes = min(modes, len(i))
        Psi = np.zeros((len(self.dofs), len(b) + modes))
        Psi[b, np.arange(len(b))] = 1
        if len(i):
            K_ii = self.K[np.ix_(i, i)]
            try:
                L = np.linalg.cholesky(K_ii)
            except np.linalg.LinAlgError:
                raise ModelError("with its interface nodes held the body can still move: it has unconnected parts, or the stiffness is not positive") from None
            Psi[i, : len(b)] = -np.linalg.solve(L.T, np.linalg.solve(L, self.K[np.ix_(i, b)]))
            if modes:
                inner = np.linalg.solve(L, np.linalg.solve(L, self.M[np.ix_(i, i)]).T)
                V = np.linalg.eigh((inner + inner.T) / 2)[1]
                Psi[i, len(b) :] = np.linalg.solve(L.T, V[:, ::-1][:, :modes])
        # Free modes of the span: motions without momentum
        A = Psi @ _complement(self.W.T @ self.M @ Psi)
        w, V = modes_of(A.T @ self.K @ A, A.T @ self.M @ A)
        Phi, frequency = A @ V, w / 2 / np.pi
        body = self._body(interface, frequency, Phi, second_order, damping, recovery or {}, geometric or {}, outputs or {}, about)
        if outputs:
            body.residual = self._residual(outputs, b[:6], Phi, frequency)
        return body

    def _residual(self, nodes: "Mapping[str, int]", held: np.ndarray, Phi: np.ndarray, frequency: np.ndarray) -> dict[str, tuple[float, float]]:
        """Static flexibility of nodes that the modes leave out, for a free body whose inertia balances the load."""
        rest = np.setdiff1d(np.arange(len(self.dofs)), held)
        total = np.linalg.inv(self.W.T @ self.M @ self.W)
        found = {}
        for name, node in nodes.items():
            F = (self.dofs[:, None] == 6 * node + np.arange(6)).astype(float)
            u = np.zeros(F.shape)
            balanced = F - self.M @ self.W @ total @ self.W.T @ F
            u[rest] = np.linalg.solve(self.K[np.ix_(rest, rest)], balanced[rest])
            u -= self.W @ total @ self.W.T @ self.M @ u
            modal = F.T @ Phi / (2 * np.pi * frequency)
            G = F.T @ u - modal @ modal.T
            parts = [np.linalg.eigvalsh((A + A.T) / 2)[-1] for A in (G[:3, :3], G[3:, 3:])]
            whole = [np.linalg.eigvalsh((A + A.T) / 2)[-1] for A in ((F.T @ u)[:3, :3], (F.T @ u)[3:, 3:])]
            if any(part > 1e-3 * all_of for part, all_of in zip(parts, whole, strict=True)):
                found[name] = (max(parts[0], 0.0), max(parts[1], 0.0))
        return found

    def _body(self, interface, frequency, Phi, second_order, damping, recovery, geometric, outputs, about) -> FlexibleBody:
        m, n = Phi.shape[1], len(self.X)
        U = np.zeros((6 * n, m))
        U[self.dofs] = Phi
        U = U.reshape(n, 6, m)
        s = int((frequency < second_order).sum())
        MPhi = self.M @ Phi
        W0 = self.W[:, 3:]
        W1 = np.zeros((n, 6, 3, m))
        for a in range(3):
            W1[:, :3, a] = np.einsum("ij,njk->nik", skew(np.eye(3)[a]), U[:, :3])
        W1 = W1.reshape(6 * n, 3, m)[self.dofs]
        J1 = np.einsum("na,nbk->kab", self.M @ W0, W1)
        low = W1[:, :, :s]
        MW1 = np.tensordot(self.M, low, axes=(1, 0))
        D = np.einsum("nak,nbl->klab", low, MW1)
        J2 = D + D.transpose(1, 0, 3, 2)
        J2 = (J2 + J2.transpose(0, 1, 3, 2)) / 2
        g = np.einsum("nak,nl->kla", low, MPhi[:, :s])
        g = (g - g.transpose(1, 0, 2)) / 2
        K_G = None
        if geometric:
            K_G = np.zeros((m, m, 6))
            for c, axes in enumerate(("xx", "yy", "zz", "xy", "xz", "yz")):
                if axes in geometric:
                    K_G[:, :, c] = Phi.T @ np.asarray(geometric[axes], float) @ Phi
        names = {**interface, **outputs}
        return FlexibleBody(
            mass=self.mass,
            centre=self.centre,
            inertia=W0.T @ self.M @ W0,
            nodes={name: self.X[node] for name, node in names.items()},
            frequency=frequency,
            damping=default_damping(frequency) if damping is None else damping(frequency) if callable(damping) else np.full(m, float(damping)),
            shapes=np.array([U[node] for node in names.values()]).reshape(len(names), 6, m),
            inertia_1=J1 + J1.transpose(0, 2, 1),
            inertia_2=J2,
            coriolis=g,
            geometric=K_G,
            recovery={name: np.asarray(row, float) @ Phi for name, row in recovery.items()},
            about=about,
        )


def _complement(rows: np.ndarray) -> np.ndarray:
    """Columns that span the vectors orthogonal to the rows."""
    q, _ = np.linalg.qr(rows.T, mode="complete")
    return q[:, rows.shape[0] :]

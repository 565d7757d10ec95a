"""The numbers of a flexible body, and the .flex file."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def default_damping(frequency: np.ndarray) -> np.ndarray:
    """1 % of critical below 100 Hz, 10 % below 1 kHz, 100 % above: modes that only carry forces decay immediately."""
    return np.where(frequency < 100, 0.01, np.where(frequency < 1000, 0.1, 1.0))


@dataclass
class FlexibleBody:
    """Free elastic modes in mean axes, modal mass 1; axes and origin of the finite element model."""

    mass: float
    centre: np.ndarray  # 3
    inertia: np.ndarray  # 3 x 3 about the centre
    nodes: dict[str, np.ndarray]  # places of interface nodes
    frequency: np.ndarray  # Hz, m
    damping: np.ndarray  # ratios, m
    shapes: np.ndarray  # nodes x 6 x m
    inertia_1: np.ndarray  # m x 3 x 3: dJ/dq
    inertia_2: np.ndarray  # s x s x 3 x 3: d2J/dq dq, of the first s modes
    coriolis: np.ndarray  # s x s x 3
    geometric: np.ndarray | None = None  # g x g x 6: stiffness per W_x^2 W_y^2 W_z^2 W_xW_y W_xW_z W_yW_z, of the first g modes
    recovery: dict[str, np.ndarray] = field(default_factory=dict)  # name: m numbers
    about: str = ""
    residual: dict[str, tuple[float, float]] = field(default_factory=dict)  # per node: flexibility that modes leave out, m/N and rad/(N m)

    def write(self, path: "str | Path") -> None:
        """The text file that <flexible file="…"/> reads."""
        lines: list[str] = ["flexible_body 1"]
        w = lines.append

        def text(numbers, digits: int = 12) -> str:
            # numbers at the roundoff of the others become zero
            numbers = np.atleast_1d(np.asarray(numbers, float))
            return " ".join(f"{x:.{digits}g}" for x in numbers + 0.0)

        def six(J: np.ndarray, digits: int = 9) -> str:
            return text([(J[a, b] + J[b, a]) / 2 for a, b in SIX], digits)

        if self.about:
            w("about " + " ".join(self.about.split()))
        w("mass " + text(self.mass))
        w("centre " + text(_clean(self.centre, np.abs(self.inertia).max() ** 0.5 / self.mass**0.5)))
        w("inertia " + six(_clean(self.inertia), 12) + "   # about the centre: xx yy zz xy xz yz")
        w(f"nodes {len(self.nodes)}   # name x y z")
        for name, place in self.nodes.items():
            w(f"{name} " + text(place))
        w(f"modes {len(self.frequency)}   # frequency Hz, damping ratio; then of every node ux uy uz rx ry rz")
        for k, frequency in enumerate(self.frequency):
            w(f"mode {frequency:.12g} {self.damping[k]:.6g}")
            rows = _clean(self.shapes[:, :, k])
            lines += [text(row, 9) for row in rows]
        if len(self.frequency):
            w("inertia_1   # dJ/dq: mode xx yy zz xy xz yz")
            scale = np.abs(self.inertia_1).max()
            for k, J in enumerate(self.inertia_1):
                if np.abs(J).max() > 1e-12 * scale:
                    w(f"{k + 1} " + six(_clean(J, scale)))
        pairs = [(k, l) for k in range(len(self.inertia_2)) for l in range(k, len(self.inertia_2))]
        if pairs:
            w("inertia_2   # d2J/dq dq: mode mode xx yy zz xy xz yz")
            scale = np.abs(self.inertia_2).max()
            for k, l in pairs:
                if np.abs(self.inertia_2[k, l]).max() > 1e-9 * scale:
                    w(f"{k + 1} {l + 1} " + six(_clean(self.inertia_2[k, l], scale)))
            w("coriolis   # int phi x phi dm: mode mode x y z")
            scale = np.abs(self.coriolis).max()
            for k, l in pairs:
                if k != l and np.abs(self.coriolis[k, l]).max() > 1e-9 * scale:
                    w(f"{k + 1} {l + 1} " + text(_clean(self.coriolis[k, l], scale), 9))
        if self.geometric is not None and len(self.geometric):
            w("geometric   # stiffness per W_x^2 W_y^2 W_z^2 W_xW_y W_xW_z W_yW_z: mode mode and six numbers")
            scale = np.abs(self.geometric).max()
            for k in range(len(self.geometric)):
                for l in range(k, len(self.geometric)):
                    if np.abs(self.geometric[k, l]).max() > 1e-12 * scale:
                        w(f"{k + 1} {l + 1} " + text(_clean(self.geometric[k, l], scale), 9))
        if self.residual:
            w("residual   # node, then the static flexibility that the modes leave out: m/N, rad/(N m)")
            for name, parts in self.residual.items():
                w(f"{name} " + text(parts, 4))
        if self.recovery:
            w("recovery   # name, then what a unit of each mode brings")
            for name, row in self.recovery.items():
                w(f"{name} " + text(row, 9))
        w("end")
        Path(path).write_text("\n".join(lines) + "\n")


def _clean(numbers: np.ndarray, scale: float | None = None) -> np.ndarray:
    """Set numbers at the roundoff of the others to zero."""
    numbers = np.array(numbers, float)
    largest = np.abs(numbers).max(initial=0) if scale is None else scale
    numbers[np.abs(numbers) < 1e-12 * largest] = 0
    return numbers

#!/usr/bin/env python3
"""The frame of the ATV: 26 steel tubes 22 x 1.5 mm welded at 16 corners, as a flexible body.

  python models/atv/frame.py models/atv/frame.flex

Lower rails at y = ±0.15 m from x = 0 to 1.5 m, upper rails 0.3 m above from 0.375 to 1.125 m, uprights and cross tubes
at all stations; elements of 75 mm. Interface nodes are the corners n0 … n15 and the middles n16, n17 of the first and last lower cross tube.
"""

import itertools
import sys

import numpy as np
from mechfmu import flex

LENGTH = 0.075  # of an element
FIXED_MODES = 32  # of the frame held at its interface nodes
DAMPING = 1e-4  # over stiffness, s
TUBE = flex.Section.tube(0.022, 0.0015, E=2.1e11, nu=0.3, rho=7850)


def members() -> list[tuple[tuple, tuple]]:
    """Tubes from corner to corner."""
    lower, upper = [0, 0.375, 0.75, 1.125, 1.5], [0.375, 0.75, 1.125]
    tubes = []
    for y in (-0.15, 0.15):
        tubes += [((a, y, 0), (b, y, 0)) for a, b in itertools.pairwise(lower)]
        tubes += [((a, y, 0.3), (b, y, 0.3)) for a, b in itertools.pairwise(upper)]
        tubes += [((x, y, 0), (x, y, 0.3)) for x in upper]
    tubes += [((x, -0.15, 0), (x, 0.15, 0)) for x in lower]
    return tubes + [((x, -0.15, 0.3), (x, 0.15, 0.3)) for x in upper]


def mesh() -> tuple[np.ndarray, list[tuple[int, int]], dict[str, int]]:
    """Places of nodes, elements, and interface nodes."""
    places: dict[tuple, int] = {}

    def number(p) -> int:
        return places.setdefault(tuple(float(c) for c in np.round(p, 6) + 0.0), len(places))

    corners = sorted({end for tube in members() for end in tube})
    interface = [number(c) for c in corners]
    elements = []
    for a, b in members():
        a, b = np.array(a, float), np.array(b, float)
        count = round(float(np.linalg.norm(b - a)) / LENGTH)
        elements += itertools.pairwise([number(a + (b - a) * k / count) for k in range(count + 1)])
    interface += [number((0, 0, 0)), number((1.5, 0, 0))]
    return np.array(list(places)), elements, {f"n{k}": node for k, node in enumerate(interface)}


def bending_stress(X: np.ndarray, elements: list[tuple[int, int]], at: tuple, towards: tuple) -> np.ndarray:
    """Row that gives the bending stress at the top fibre of a tube, at its end: E r w'' of the element there."""
    index = {tuple(x): n for n, x in enumerate(X)}
    i, j = index[at], index[towards]
    L = float(np.linalg.norm(X[j] - X[i]))
    row = np.zeros(6 * len(X))
    # along x: w'' at the first node from uz and the slope -ry of both ends
    row[[6 * i + 2, 6 * j + 2]] = -6 / L**2, 6 / L**2
    row[[6 * i + 4, 6 * j + 4]] = 4 / L, 2 / L
    return -TUBE.E * 0.011 * row


def model() -> tuple[flex.Model, list[tuple[int, int]], dict[str, int]]:
    """The whole finite element model."""
    X, elements, interface = mesh()
    return flex.Model(*flex.beams(X, elements, TUBE), X), elements, interface


if __name__ == "__main__":
    whole, elements, interface = model()
    body = whole.reduce(
        interface,
        FIXED_MODES,
        second_order=300,
        damping=lambda frequency: DAMPING * np.pi * frequency,
        recovery={"rail": bending_stress(whole.X, elements, (0.75, -0.15, 0.0), (0.825, -0.15, 0.0))},
        about="frame of an ATV: steel tube 22 x 1.5 mm, Craig-Bampton with 18 interface nodes; made by models/atv/frame.py",
    )
    body.write(sys.argv[1])
    print(f"{len(whole.X)} nodes, {len(elements)} elements, {body.mass:.4f} kg, free modes {np.round(whole.frequencies(5), 3)} Hz")
    print(f"{len(body.frequency)} modes from {body.frequency[0]:.2f} to {body.frequency[-1]:.1f} Hz")

#!/usr/bin/env python3
"""The map of cart_pole.toml: the side to which the pole falls.

    cart_pole_map.py cart_pole.results map.png

The axes are the initial angle of the pole and the force on the cart. A cart and a pole that
accelerate together, a = F/(M + m), keep an angle with tan φ = a/g. Pushed harder than F = (M + m) g
tan φ the pole falls to the left, otherwise to the right. The line is this force for the mean
masses. The program prints how many poles fall to the side that their own masses predict.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from mechfmu.sweep.map import draw_map, read_table

G = 9.81


def force_that_holds(phi_deg, mass):
    return mass * G * np.tan(np.radians(phi_deg))


def agreement(results: Path) -> str:
    runs, _ = read_table(results)
    force = force_that_holds(runs["angle_start"], runs["cart_mass"] + runs["pole_mass"])
    right = np.sign(force - runs["force"]) == np.sign(runs["angle.rate.end"])
    return f"{right.sum()} of {len(right)} poles fall to the side that theory says"


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    results, picture = map(Path, sys.argv[1:])
    figure, axis = plt.subplots(figsize=(7, 5), layout="constrained")
    draw_map(axis, results, "angle_start", "force", "angle.rate.end", cmap="coolwarm", vmin=-4, vmax=4)
    phi = np.linspace(*axis.get_xlim())
    limits = axis.get_ylim()
    axis.plot(phi, force_that_holds(phi, 1 + 0.1), "k", linewidth=1.2, label="F = (M + m) g tan φ")
    axis.set(ylim=limits, title="Half a second after the push: the pole falls left (blue) or right (red)")
    axis.legend(loc="upper left")
    figure.savefig(picture, dpi=100)
    print(agreement(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())

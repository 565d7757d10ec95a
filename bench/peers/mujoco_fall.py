#!/usr/bin/env python3
"""The arm and the tree in space of bench/structures.h solved by MuJoCo: joint coordinates, constant
steps.

    mujoco_fall.py --structure spatial_arm|spatial_tree --bodies n --step h
                   [--integrator RK4|implicitfast] [--end t]

A hinge is one coordinate. There are no constraints: no loops, contacts, limits or damping. All
steps are one call of MuJoCo, on one thread; only that call is timed. Prints one JSON line.
"""

import argparse
import json
import math
import sys
import time
import xml.etree.ElementTree as ET

try:
    import mujoco
    import numpy as np
except ImportError:
    sys.exit("mujoco_fall: the Python package mujoco is needed; bench/peers/peers.sh installs it")

# The numbers of bench/structures.h
MASS, LENGTH, WIDTH, HEIGHT, GRAVITY = 1.0, 1.0, 0.1, 0.2, 9.81
INERTIA = [MASS / 12 * (a * a + b * b) for a, b in ((WIDTH, HEIGHT), (LENGTH, HEIGHT), (LENGTH, WIDTH))]
ACROSS = [(0, math.sqrt(0.5), math.sqrt(0.5)), (0, 1, 0), (0, 0, 1)]  # axes of the hinges in turn
PARENT = {"spatial_arm": lambda k: k - 1, "spatial_tree": lambda k: (k - 1) // 2}


def rotation(k: int) -> np.ndarray:
    """Axes of rod k at t = 0."""
    side = 0 if k == 0 else (1 if k % 2 == 1 else -1)
    about_y, about_z = -0.2 * side, 0.4 * side
    c, s = math.cos(about_y), math.sin(about_y)
    turn_y = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    c, s = math.cos(about_z), math.sin(about_z)
    return turn_y @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def words(numbers) -> str:
    return " ".join(repr(float(number)) for number in numbers)


def make_xml(structure: str, bodies: int, step: float, integrator: str) -> str:
    root = ET.Element("mujoco")
    ET.SubElement(root, "compiler", angle="radian", inertiafromgeom="false")
    option = ET.SubElement(root, "option", timestep=repr(step), integrator=integrator, gravity=words((0, 0, -GRAVITY)))
    # autoreset would silently restart an unstable run.
    ET.SubElement(option, "flag", contact="disable", constraint="disable", autoreset="disable")
    rods = []
    for k in range(bodies):
        parent = PARENT[structure](k)
        turn, at = rotation(k), (0, 0, 0)
        above = ET.SubElement(root, "worldbody") if k == 0 else rods[parent]
        if k > 0:
            turn, at = rotation(parent).T @ turn, (LENGTH, 0, 0)
        quaternion = np.empty(4)
        mujoco.mju_mat2Quat(quaternion, turn.ravel())
        rod = ET.SubElement(above, "body", name=f"rod {k + 1}", pos=words(at), quat=words(quaternion))
        ET.SubElement(rod, "inertial", pos=words((LENGTH / 2, 0, 0)), mass=repr(MASS), diaginertia=words(INERTIA))
        ET.SubElement(rod, "joint", type="hinge", axis=words(ACROSS[k % 3]), damping="0")
        rods.append(rod)
    return ET.tostring(root, encoding="unicode")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--structure", choices=list(PARENT), required=True)
    parser.add_argument("--bodies", type=int, required=True)
    parser.add_argument("--step", type=float, required=True, help="constant step [s]")
    parser.add_argument("--integrator", choices=["RK4", "implicitfast"], default="RK4")
    parser.add_argument("--end", type=float, default=1.0, help="end time [s]")
    options = parser.parse_args()

    steps = round(options.end / options.step)
    xml = make_xml(options.structure, options.bodies, options.end / steps, options.integrator)
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    begin = time.perf_counter()
    mujoco.mj_step(model, data, nstep=steps)
    seconds = time.perf_counter() - begin
    if any(warning.number for warning in data.warning) or not np.isfinite(data.qpos).all():
        sys.exit("mujoco_fall: the run became unstable")
    mujoco.mj_kinematics(model, data)  # positions that belong to the last step
    x, y, z = data.body(f"rod {options.bodies}").xipos  # MuJoCo numbers a tree branch by branch
    print(json.dumps({"solver": f"mujoco {options.integrator}", "version": mujoco.__version__,
                      "structure": options.structure, "n": options.bodies, "h": options.end / steps,
                      "end": options.end, "steps": steps, "seconds": seconds,
                      "seconds_per_step_and_body": seconds / steps / options.bodies,
                      "x": x, "y": y, "z": z}))  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())

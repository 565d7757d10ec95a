"""Public robots on the whole path: imported, checked, animated, exported, and run in FMPy as in the tool.

    python tests/robots/tour.py --packages build/oracles/lib/python3.11/site-packages [--keep FOLDER] [names ...]

Runs in the project's Python, which has FMPy; the packages with the robots are those of tests/robots/requirements.txt. Prints a
table; ends with 1 if a command fails or FMPy's last values differ from the tool's by more than 1e-6 of the largest.
"""

import argparse
import csv
import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from fmpy import simulate_fmu

EXAMPLES = "cmeel.prefix/share/example-robot-data/robots"
ROBOTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "panda": (f"{EXAMPLES}/panda_description/urdf/panda.urdf", ("--set", "panda_joint4=-1.5")),
    "ur5": (f"{EXAMPLES}/ur_description/urdf/ur5_robot.urdf", ("--set", "shoulder_lift_joint=-1")),
    "kinova": (f"{EXAMPLES}/kinova_description/robots/kinova.urdf", ()),
    "anymal": (f"{EXAMPLES}/anymal_b_simple_description/robots/anymal.urdf", ("--free-base",)),
    "solo12": (f"{EXAMPLES}/solo_description/robots/solo12.urdf", ("--free-base",)),
    "go1": (f"{EXAMPLES}/go1_description/urdf/go1.urdf", ("--free-base",)),
    "g1": (f"{EXAMPLES}/g1_description/urdf/g1_29dof_rev_1_0.urdf", ("--free-base",)),
    "talos": (f"{EXAMPLES}/talos_data/robots/talos_reduced.urdf", ("--free-base",)),
    "tiago": (f"{EXAMPLES}/tiago_description/robots/tiago.urdf", ()),
    "baxter": (f"{EXAMPLES}/baxter_description/urdf/baxter.urdf", ()),
    "cassie": (f"{EXAMPLES}/cassie_description/robots/cassie_v2.sdf", ("--loops-by-points",)),
    "humanoid": ("dm_control/suite/humanoid.xml", ()),
    "ant": ("gymnasium/envs/mujoco/assets/ant.xml", ()),
    "half_cheetah": ("gymnasium/envs/mujoco/assets/half_cheetah.xml", ()),
}
STOP, STEP = 0.1, 0.01


def run(tool: Path, *words: object) -> str:
    done = subprocess.run([tool, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{words[0]}: {done.stderr.strip().splitlines()[-1][:150]}")
    return done.stdout


def tour(tool: Path, source: Path, root: Path, options: tuple[str, ...], name: str, folder: Path) -> tuple[str, bool]:
    mechanism, fmu = folder / f"{name}.xml", folder / f"{name}.fmu"
    run(tool, "import", source, "--root", root, "-q", "-o", mechanism, *options)
    text = mechanism.read_text()
    facts = json.loads(run(tool, "check", "--json", mechanism))
    picture = folder / f"{name}.png"
    run(tool, "animate", mechanism, "--stop", STOP, "-o", picture)
    run(tool, "export", mechanism, "--compile", "never", "--fmi", "2", "-o", fmu)
    table = list(csv.DictReader(io.StringIO(run(tool, "simulate", mechanism, "-q", "--stop", STOP, "--step", STEP, "-o", "-"))))
    names = [n for n in table[0] if n.endswith((".angle", ".displacement"))]
    result = simulate_fmu(str(fmu), stop_time=STOP, output_interval=STEP, output=names)
    own = np.array([float(table[-1][n]) for n in names])
    other = np.array([result[n][-1] for n in names])
    worst = float(np.max(np.abs(own - other)) / max(np.max(np.abs(own)), 1e-9))
    groups, loops = (len(re.findall(p, text)) for p in ("<use ", r'type="point_on_line"|type="spherical"'))
    bodies = len(facts["bodies"])
    looks, meshes = (len(re.findall(p, text)) for p in ("<look ", "<look [^>]*file="))
    line = (
        f"| {name} | {source.suffix[1:].upper().replace('XML', 'MJCF')} | {bodies} | {facts['degrees_of_freedom']} | {loops} | {groups} | {looks} ({meshes}) "
        f"| {fmu.stat().st_size / 1e6:.1f} MB | {worst:.1e} |"
    )
    return line, worst < 1e-6 and picture.stat().st_size > 5000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(ROBOTS))
    parser.add_argument("--tool", type=Path, default=Path("build/mechfmu"))
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    print("| robot | format | bodies | degrees of freedom | points | copies of groups | looks (of meshes) | FMU | FMPy against the tool |\n|---|---|---:|---:|---:|---:|---:|---:|---:|")
    bad = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.names:
            path, words = ROBOTS[name]
            source = options.packages / path
            root = options.packages / EXAMPLES if path.startswith(EXAMPLES) else source.parent
            try:
                line, fine = tour(options.tool.resolve(), source, root, words, name, folder)
            except RuntimeError as error:
                line, fine = f"| {name} | {error} |", False
            bad += not fine
            print(line, flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

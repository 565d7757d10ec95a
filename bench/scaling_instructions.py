#!/usr/bin/env python3
"""Instructions per step and body against the number of bodies, counted by callgrind.

bench/scaling --plain runs a number of steps and twice as many; the difference excludes set-up and
warm-up.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STEPS = 25  # the same for every size, so that the motion is the same
ALL = [3, 10, 30, 100, 1000, 10000]
PLANAR, SPATIAL = [3, 10, 100, 1000, 10000], [3, 10, 30, 100, 1000]
SIZES = {"chain": PLANAR, "tree": PLANAR, "ladder": PLANAR, "spatial_arm": SPATIAL, "spatial_tree": SPATIAL}


def instructions(program: Path, structure: str, bodies: int, steps: int) -> int:
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "--plain",
         "--structure", structure, "--bodies", str(bodies), "--steps", str(steps)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode != 0:
        raise RuntimeError(f"{structure} of {bodies}: {run.stderr.strip()[-500:]}")
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder (default: build)")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("scaling_instructions: valgrind was not found; install the package valgrind", file=sys.stderr)
        return 1
    program = options.build / "bench" / "scaling"
    print("| mechanism | " + " | ".join(f"{n} bodies" for n in ALL) + " |")
    print("|---|" + "---:|" * len(ALL))
    for structure, sizes in SIZES.items():
        cells = []
        for bodies in ALL:
            if bodies not in sizes:
                cells.append("")
                continue
            print(f"scaling_instructions: {structure} of {bodies}", file=sys.stderr)
            real = bodies // 3 * 3 if structure == "ladder" else bodies
            more = instructions(program, structure, bodies, 2 * STEPS) - instructions(program, structure, bodies, STEPS)
            cells.append(f"{more / STEPS / real:.0f}")
        print(f"| {structure} | " + " | ".join(cells) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

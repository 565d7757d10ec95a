#!/usr/bin/env python3
"""The cost per step of pairs that never touch: 40 balls, each on a separate spring, without and with contacts of all
780 pairs.

Instructions per step, counted by callgrind in `mechfmu simulate`: a run of two seconds minus one of one second.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
BALLS = 40
CONTACTS = '<contact name="hit" between="ball* ball*" local="true" radius="0.1" shape="sphere" radius_a="0.1" stiffness="1e5"/>'


def mechanism(contacts: bool) -> str:
    """Balls that swing by some centimetres, half a metre apart."""
    return f"""<mechanism name="Idle" gravity="0 0 -9.81" length_scale="0.5">
  <repeat name="i" from="1" to="{BALLS}">
    <body name="ball[i]" at="0.5m*i 0 0.02m*sin(i)" mass="1" inertia="0.004 0.004 0.004"/>
    <bushing name="hold[i]" between="ground ball[i]" at="0.5m*i 0 0" stiffness="900 900 900" damping="1 1 1" torsion="4 4 4"/>
  </repeat>
  {CONTACTS if contacts else ""}
  <output name="z" value="ball[1].position.z" unit="m"/>
  <experiment stop="1" step="0.1" tolerance="1e-7"/>
</mechanism>
"""


def count(tool: Path, file: Path, stop: float) -> tuple[int, int]:
    """Instructions and steps of a run."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", tool, "simulate", file, "--stop", str(stop), "-o", file.with_suffix(".csv")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip()[-500:])
    return int(re.search(r"Collected : (\d+)", run.stderr)[1]), int(re.search(r"solver\.steps (\d+)", run.stdout)[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder of the tool (default: build)")
    options = parser.parse_args()
    print("| pairs that never touch | steps per second | instructions per step | added |\n|---:|---:|---:|---:|")
    alone = 0.0
    with TemporaryDirectory() as folder:
        for contacts in (False, True):
            file = Path(folder) / "idle.xml"
            file.write_text(mechanism(contacts))
            (first, few), (second, all_of) = count(options.build / "mechfmu", file, 1), count(options.build / "mechfmu", file, 2)
            each = (second - first) / (all_of - few)
            alone = alone or each
            print(f"| {BALLS * (BALLS - 1) // 2 if contacts else 0} | {all_of - few} | {each:.0f} | {100 * (each / alone - 1):.1f} % |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

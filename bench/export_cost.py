#!/usr/bin/env python3
"""What the export of a mechanism file costs: reading, compiling, linking, describing, packing.

Processor time, not time on the clock, so that other work on the machine counts little; and as multiples of what the same
compiler takes for an empty main that includes Eigen, measured in the same run. On a busy machine the ratios of two runs still
differ by a third; the least of three runs counts, of 100 bodies and more the only one.
The mechanisms are chains of bodies on revolute joints, with a damper of one's own in each.
"""

import argparse
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REPEATS = 3


def chain(bodies: int, stop: float) -> str:
    """Bodies of 1 m in a row, 1 to n, hanging from the ground by the first; they start level."""
    lines = ['<mechanism name="Chain" gravity="0 -9.81 0">', '  <parameter name="d" value="0.5" unit="N.m.s/rad"/>']
    for i in range(1, bodies + 1):
        before = f"b{i - 1}" if i > 1 else "ground"
        lines += [
            f'  <body name="b{i}" at="{i - 0.5} 0 0" mass="1" box="1 0.1 0.1"/>',
            f'  <joint name="J{i}" type="revolute" between="{before} b{i}" at="{i - 1} 0 0" axis="0 0 1"/>',
            f'  <torque name="t{i}" joint="J{i}" value="-d*J{i}.rate"/>',
        ]
    lines += [f'  <output name="tip" value="b{bodies}.position.y" unit="m"/>']
    lines += [f'  <experiment stop="{stop}" step="0.01"/>', "</mechanism>"]
    return "\n".join(lines) + "\n"


def processor_time(words, cwd, repeats=REPEATS) -> tuple[float, str]:
    """Least time of some runs, with all that the program starts; and what it writes to its error stream."""
    best, text = float("inf"), ""
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise RuntimeError(f"{shlex.join(map(str, words))}: {done.stderr[-2000:]}")
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        text = done.stderr
    return best, text


def costs(tool: Path, folder: Path, bodies: int, stop: float) -> dict[str, float]:
    """Processor time by stage, in seconds."""
    (folder / "chain.xml").write_text(chain(bodies, stop))
    repeats = REPEATS if bodies < 100 else 1
    total, said = processor_time([tool, "export", "chain.xml", "--keep", "kept", "-v"], folder, repeats)
    commands = [shlex.split(line) for line in said.splitlines() if not line.startswith("mechfmu:")]
    _, _, link, link_describe, describe = commands
    pack = [tool.parent / "packaging/mechfmu_pack", "packed.fmu"]
    packs = [[*pack, f"kept/files/fmi{version}", "kept/Chain.so=binaries/linux64/Chain.so"] for version in (2, 3)]
    times = {"read": processor_time([tool, "generate", "chain.xml", "-o", "chain.cpp"], folder)[0], "compile": 0.0}
    times["link"] = processor_time(link, folder)[0] + processor_time(link_describe, folder)[0]
    times["describe"] = processor_time(describe, folder, repeats)[0]
    times["pack"] = sum(processor_time(words, folder)[0] for words in packs)
    times["compile"] = total - sum(times.values())
    return {**times, "all": total}


def empty_main(tool: Path, folder: Path) -> float:
    """With the compiler and options that the tool uses."""
    kit = dict(re.findall(r"^(\w+) = (.*)$", (tool.parent / "mechfmu.kit").read_text(), re.M))
    (folder / "main.cpp").write_text("#include <Eigen/Dense>\nint main() {}\n")
    words = [os.environ.get("CXX") or kit["compiler"], *kit["compile"].split(";"), "-c", "main.cpp", "-o", "main.o"]
    return processor_time(words, folder)[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder (default: build)")
    options = parser.parse_args()
    tool = options.build.resolve() / "mechfmu"
    if not tool.exists():
        print(f"export_cost: {tool} is missing; build it, or name the build folder by --build", file=sys.stderr)
        return 1
    runs = [(3, 1.0), (30, 1.0), (300, 1.0), (3, 100.0)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unit = empty_main(tool, folder)
        rows = [(bodies, stop, costs(tool, folder, bodies, stop)) for bodies, stop in runs]
    stages = list(rows[0][2])
    print(f"An empty main with Eigen takes {unit:.2f} s; everything else as multiples of that:\n")
    print(f"| bodies | experiment | {' | '.join(stages)} | seconds |")
    print("|---:|---:|" + "---:|" * (len(stages) + 1))
    for bodies, stop, times in rows:
        cells = " | ".join(f"{times[stage] / unit:.2f}" for stage in stages)
        print(f"| {bodies} | {stop:g} s | {cells} | {times['all']:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

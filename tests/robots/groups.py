"""Robots whose branches repeat: a file with groups moves like the one in which everything is written out.

    python tests/robots/groups.py --tool build/mechfmu robot.urdf ...

Imports every file with and without groups. If there are groups, compares accelerations of all joints at t = 0, and
coordinates after 0.1 s of falling, without motors. Ends with 1 if accelerations differ by more than 1e-8 of the largest
(of 1 rad/s2 or m/s2 if they are less; fingers of almost no weight come near to it) or coordinates by more than 1e-5 rad
or m, or if a file is refused.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from oracles import Problem, rows

OUTPUT = re.compile(r'<output name="([^"]*\.(?:angle|displacement))"\s+value="([^" ]*)\.(angle|displacement)[^"]*"')


def run(tool: Path, source: Path, folder: Path, *words: str) -> tuple[str, np.ndarray, np.ndarray]:
    """The text of the mechanism file, accelerations at t = 0 and coordinates at the end, in the order of their names."""
    target = folder / "robot.xml"
    done = subprocess.run([tool, "import", source, "-q", "-o", target, "--without-motors", "--without-looks", *words], capture_output=True, text=True)
    if done.returncode:
        raise Problem("import: " + done.stderr.strip().split("\n")[0][:200])
    text = target.read_text()
    found = sorted(set(OUTPUT.findall(text)))
    more = [f'<output name="acceleration{i}" value="{path}.acceleration" unit="{"rad" if kind == "angle" else "m"}/s2"/>' for i, (_, path, kind) in enumerate(found)]
    target.write_text(text.replace("</mechanism>", "\n".join([*more, "</mechanism>"])))
    table = rows(tool, target, "--stop", "0.1", "--step", "0.01")
    accelerations = [float(table[0][f"acceleration{i}"]) for i in range(len(found))]
    return text, np.array(accelerations), np.array([float(table[-1][name]) for name, _, _ in found])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--tool", type=Path, default=Path("build/mechfmu"))
    options = parser.parse_args()
    files, tool, bad = [f.resolve() for f in options.files], options.tool.resolve(), 0
    print("| robot | groups | copies | lines, written out | lines, with groups | accelerations | after 0.1 s |\n|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for source in files:
            try:
                text, a, q = run(tool, source, Path(folder))
            except Problem:
                continue  # oracles.py knows which files are wrong themselves
            if "<group " not in text:
                continue
            try:
                plain, b, r = run(tool, source, Path(folder), "--without-groups")
            except Problem as problem:
                bad += 1
                print(f"| {source.name} | {problem} |", flush=True)
                continue
            accelerations = float(np.max(np.abs(a - b)) / max(np.max(np.abs(b)), 1.0))
            after = float(np.max(np.abs(q - r)))
            bad += not (accelerations < 1e-8 and after < 1e-5)
            counts = [len(re.findall(what, text)) for what in ("<group ", "<use ")]
            lines = [t.split("<mechanism", 1)[1].count("\n") for t in (plain, text)]
            print(f"| {source.name} | {counts[0]} | {counts[1]} | {lines[0]} | {lines[1]} | {accelerations:.1e} | {after:.1e} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

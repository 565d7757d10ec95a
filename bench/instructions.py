#!/usr/bin/env python3
"""Instructions of a step, counted by callgrind and split like the time in bench/step_cost.

A model's experiment runs once and twice; the difference is one run without start-up and
initialization. Counts are the same on every run and every machine with the same compiler; times are
not.
"""

import argparse
import csv
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Functions through which the solver calls a model and its linear algebra; their counts include the
# functions that they call.
PARTS = {
    "evaluation": r"\bModelSystem<.*>::(set_inputs|get_inputs|mass|multiply_mass|values|tilde|"
    r"constraint_acceleration)\(|\bSystem::(displace|grow_scales)\(",
    "derivatives": r"\bDenseKkt::(evaluate|finite)\(",
    "factor": r"\bDenseKkt::factor_(mass|newton)\(",
    "solve": r"\bDenseLu::solve\(|\bDenseKkt::subtract_tilde\(",
}
LINE = re.compile(r"^\s*([\d,]+) \(\s*[\d.]+%\)\s+(.*)$")


def total_and_inclusive(annotation: str) -> tuple[int, dict[str, int]]:
    """All instructions, and those of each function including its callees, from the text of
    callgrind_annotate."""
    total, inclusive = 0, {}
    for line in annotation.splitlines():
        if not (match := LINE.match(line)):
            continue
        count, name = int(match[1].replace(",", "")), match[2]
        if name == "PROGRAM TOTALS":
            total = count
        else:
            inclusive[name] = max(count, inclusive.get(name, 0))
    return total, inclusive


def split(annotation: str) -> dict[str, int]:
    """Instructions by part, "total" included."""
    total, inclusive = total_and_inclusive(annotation)
    parts = {
        part: sum(count for name, count in inclusive.items() if re.search(pattern, name))
        for part, pattern in PARTS.items()
    }
    if missing := [part for part, instructions in parts.items() if instructions == 0]:
        raise RuntimeError(f"no function of {', '.join(missing)} in the profile: their names have changed")
    return {"total": total, **parts}


def count(program: Path, model: str, passes: int) -> tuple[dict[str, int], dict[str, str]]:
    """Instructions by part of a run, and the program's report about one pass."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind"
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, model, "--plain",
             "--passes", str(passes)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if run.returncode != 0:
            raise RuntimeError(f"{program.name} {model} failed under valgrind:\n{run.stderr[-2000:]}")
        annotate = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", "--auto=no", out]
        text = subprocess.run(annotate, capture_output=True, text=True, check=True).stdout
    return split(text), next(csv.DictReader(run.stdout.splitlines()))


def row(program: Path, model: str) -> str:
    once, about = count(program, model, 1)
    twice, _ = count(program, model, 2)
    one_pass = {part: twice[part] - once[part] for part in once}
    steps = int(about["steps"])
    total = one_pass.pop("total")
    one_pass["rest"] = total - sum(one_pass.values())
    shares = " | ".join(f"{100 * value / total:.0f} %" for value in one_pass.values())
    newton = int(about["newton_iterations"]) / steps
    return f"| {model} | {newton:.2f} | {shares} | {total / steps:.0f} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="all models when none is named")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder (default: build)")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("instructions: valgrind is needed and was not found; install it", file=sys.stderr)
        return 1
    program = options.build / "bench/step_cost"
    lister = options.build / "bench/convergence"
    for tool in (program, lister):
        if not tool.exists():
            print(f"instructions: {tool} is missing; build it, or name the build folder by --build", file=sys.stderr)
            return 1
    known = subprocess.run([lister, "--list"], capture_output=True, text=True, check=True).stdout.split()
    for model in options.models:
        if model not in known:
            print(f"instructions: there is no model '{model}'; there are: {', '.join(known)}", file=sys.stderr)
            return 2

    print(f"| model | Newton/step | {' | '.join(PARTS)} | rest | instructions/step |")
    print("|---|" + "---:|" * (len(PARTS) + 3))
    for model in options.models or known:
        print(row(program, model), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

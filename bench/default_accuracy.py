#!/usr/bin/env python3
"""Error of a run at the default tolerance, for every model.

The error is |y − y_exact| of the worst output, in percent of its range. Each FMU of the build runs
its default experiment with several tolerances; "exact" is the run at a tolerance of 1e-11. An
output whose range is below a hundredth of the largest value of outputs with its unit counts as
constant: its error is relative to that value.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from fmpy import read_model_description

ROOT = Path(__file__).resolve().parents[1]
EXACT = 1e-11
TOLERANCES = [1e-4, 1e-6, 1e-8]
# Inputs of models that do not move without them, from t = 0.
INPUTS = {
    "crane": {"lift_valve": 0.3, "jib_valve": -0.2},
    "double_wishbone": {"road": 0.05, "steer": 0.01},
    "gough_stewart": {"f1": 600, "f4": 500},
}
SMALL = 0.01
NOISE = 1e-12  # bound of outputs that are 0 except for rounding
NOT_OF_THE_MODEL = ("solver.", "constraint.")


def units(description) -> dict[str, str]:
    return {
        v.name: v.unit or ""
        for v in description.modelVariables
        if v.causality == "output" and not v.name.startswith(NOT_OF_THE_MODEL)
    }


def run(tool: Path, fmu: Path, values: dict[str, float]) -> tuple[dict[str, list[float]], int]:
    """Columns by name, and the number of steps of the solver."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.csv"
        settings = [word for name, value in values.items() for word in ("--set", f"{name}={value!r}")]
        done = subprocess.run([tool, "simulate", fmu, "-o", path, *settings], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{fmu.name}: {done.stderr.strip()}")
        with path.open() as file:
            rows = list(csv.reader(file))
    columns = {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}
    return columns, int(done.stdout.split("solver.steps ")[1].split(",")[0])


def worst(result, exact, unit: dict[str, str]) -> tuple[float, str]:
    """The largest error of an output over its range, and its name."""
    reach: dict[str, float] = defaultdict(float)
    for name, kind in unit.items():
        reach[kind] = max(reach[kind], *(abs(value) for value in exact[name]))
    found = (0.0, "")
    for name, kind in unit.items():
        span = max(exact[name]) - min(exact[name])
        if span < SMALL * reach[kind]:
            span = reach[kind]
        if span > NOISE:
            error = max(abs(a - b) for a, b in zip(result[name], exact[name], strict=True))
            found = max(found, (error / span, name))
    return found


def row(tool: Path, fmu: Path) -> str | None:
    """None for a model without outputs."""
    description = read_model_description(str(fmu))
    unit = units(description)
    if not unit:
        return None
    values = INPUTS.get(fmu.stem, {})
    exact, _ = run(tool, fmu, values | {"solver.tolerance": EXACT})
    cells = [fmu.stem, f"{float(description.defaultExperiment.stopTime):g}"]
    for tolerance in TOLERANCES:
        result, steps = run(tool, fmu, values | {"solver.tolerance": tolerance})
        error, _ = worst(result, exact, unit)
        cells += [f"{100 * error:.3f}", f"{steps}"]
    result, steps = run(tool, fmu, values)
    error, name = worst(result, exact, unit)
    cells += [description.defaultExperiment.tolerance, f"{100 * error:.3f}", f"`{name}`", f"{steps}"]
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="all models when none is named")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder (default: build)")
    options = parser.parse_args()
    tool, folder = options.build / "mechfmu", options.build / "fmus"
    known = {path.stem: path for path in sorted(folder.glob("*.fmu")) if not path.stem.endswith(".fmi3")}
    for model in options.models:
        if model not in known:
            print(f"default_accuracy: there is no FMU '{model}'; there are: {', '.join(known)}", file=sys.stderr)
            return 2
    heads = [f"error at {tolerance:g} [%] | steps" for tolerance in TOLERANCES]
    print(f"| model | stop [s] | {' | '.join(heads)} | default | error [%] | worst output | steps |")
    print("|---|" + "---:|" * (2 + 2 * len(TOLERANCES) + 1) + "---|---:|")
    for model in options.models or known:
        if line := row(tool, known[model]):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

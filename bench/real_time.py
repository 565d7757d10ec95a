#!/usr/bin/env python3
"""Instructions of a doStep of the plants of examples/ in their closed loops at H = 1 ms: is the
work of a call bounded?

    build/venv/bin/python bench/real_time.py [LOOP …] [--steps 500] [--iterations 2]

Each loop runs once, and the inputs of its plant at every communication point are recorded; they are
constant over a step and jump at the next one. `mechfmu simulate` then repeats that with the plant
alone under callgrind, which counts every call of fmi2DoStep and of the fmi2GetReal that follow it.
Three modes: substeps by the tolerance 1e-6, one substep (solver.fixed_step = H), real time
(solver.real_time). Counts are the same on every run and every machine with the same compiler; times
are not. The ratio of the worst call to the median shows the share of a cycle to keep free.
"""

import argparse
import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from mechfmu.couple import Master, load, loops
from mechfmu.couple.loop import export

ROOT = Path(__file__).resolve().parents[1]
H = 1e-3


def record(loop, plant: str, steps: int, values: dict, file: Path) -> float:
    """Writes the inputs of the plant in the closed loop, for simulate --input. Returns the largest
    solver.residual."""
    residual = 0.0
    with Master(loop.system(2, step=H, **values), unit_tolerance=1e-6, inputs="hold") as master, file.open("w") as out:
        ends = master.ends_of[plant]
        unit = master.units[plant]
        rows = csv.writer(out)
        rows.writerow(["time", *(master.ends[i].variable for i in ends)])
        for step in range(min(steps, round(loop.stop / H))):
            held = [float(master.y[i]) for i in ends]
            rows.writerow([repr(step * H), *held])
            rows.writerow([repr((step + 1) * H), *held])
            master.step(loop.stop)
            residual = max(residual, unit.get(["solver.residual"])[0])
    return residual


def counts(tool: Path, loop, plant: str, values: dict, inputs: Path, steps: int, folder: Path) -> np.ndarray:
    """Instructions of each call, including outputs."""
    fmu = export(loop.home / loop.mechanisms[plant], loop.folder)[2]
    settings = {name.split(".", 1)[1]: value for name, value in {**loop.values, **values}.items() if name.startswith(plant + ".")}
    driven = inputs.read_text().splitlines()[0].split(",")
    words = [word for name, value in settings.items() if name not in driven for word in ("--set", f"{name}={value!r}")]
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/calls", "--toggle-collect=fmi2DoStep",
         "--toggle-collect=fmi2GetReal", "--dump-before=fmi2SetReal", tool, "simulate", fmu, "--input", inputs,
         "--step", repr(H), "--stop", repr(steps * H), "--tolerance", "1e-6", "--quiet", *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip()[-1000:])
    # Setting the inputs before each call dumps the counts since the last one; the end dumps the
    # rest. No work happens between two inputs.
    found = {}
    for path in folder.glob("calls*"):
        number = int(path.suffix[1:]) if path.suffix else sys.maxsize
        found[number] = int(re.search(r"^totals: (\d+)", path.read_text(), re.M)[1])
    calls = np.array([found[number] for number in sorted(found) if found[number] > 0])
    if len(calls) < steps:
        raise RuntimeError(f"{len(calls)} calls were counted instead of {steps}")
    return calls[-steps:][1:]  # the first one makes data that the others reuse


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loops", nargs="*", metavar="LOOP", help="folders of examples/; all when none is named")
    parser.add_argument("--steps", type=int, default=500, help="calls (default: 500)")
    parser.add_argument("--iterations", type=int, default=2, help="solver.real_time (default: 2)")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder of the tool (default: build)")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("real_time: valgrind is needed and was not found; install it", file=sys.stderr)
        return 1
    print("| loop | mode | instructions per call, median | worst | worst/median | largest residual |\n|---|---|---:|---:|---:|---:|")
    for folder in [ROOT / "examples" / name for name in options.loops] or loops(ROOT / "examples"):
        loop = load(folder).LOOP
        if loop.has_algebraic_loop:
            continue
        plant = next(iter(loop.mechanisms))
        modes = {
            "by tolerance": {},
            "one substep": {f"{plant}.solver.fixed_step": H},
            "real time": {f"{plant}.solver.real_time": options.iterations},
        }
        for mode, values in modes.items():
            with TemporaryDirectory() as scratch:
                inputs, dumps = Path(scratch) / "inputs.csv", Path(scratch) / "dumps"
                dumps.mkdir()
                residual = record(loop, plant, options.steps, values, inputs)
                steps = len(inputs.read_text().splitlines()) // 2
                calls = counts(options.build / "mechfmu", loop, plant, values, inputs, steps, dumps)
            median, worst = np.median(calls), calls.max()
            print(f"| {folder.name} | {mode} | {median:.0f} | {worst} | {worst / median:.2f} | {residual:.1e} |", flush=True)
    return 0


if __name__ == "__main__":
    status = main()
    # FMUs of pythonfmu that have run in this process may crash it at its end, when their libraries
    # are unloaded.
    sys.stdout.flush()
    os._exit(status)

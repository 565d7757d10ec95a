#!/usr/bin/env python3
"""Measures the cost of jumps of inputs in the closed loops of examples/, at communication steps of 1 ms; prints a Markdown table.

    build/venv/bin/python bench/input_jumps.py [LOOP …] [--time] [--build FOLDER]

Each closed loop runs for a second, and the inputs of its mechanisms are recorded. bench/input_jumps then gives them to
the FMU of a mechanism again, without the controller: as values that jump at every step and stay until the next one, and
as straight lines from value to value, which do not jump. After every step it reads the outputs that the controller
reads. callgrind counts instructions over the second half of a second, by a run that is twice as long; with --time, or
without valgrind, it is CPU time, the fastest of several runs in turns. Steps follow the tolerance 1e-6, or there is one
per communication step.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]

H = 1e-3
STEPS = 500  # of the shorter of the two runs that are counted


def record(loop) -> dict[str, tuple[dict[str, list[float]], list[str]]]:
    """The values of the connected inputs of each mechanism in the closed loop at every step, and its connected outputs."""
    from mechfmu.couple import Master

    scheme = "implicit" if loop.has_algebraic_loop else "hold"
    with Master(loop.system(2, step=H), unit_tolerance=1e-6, inputs=scheme) as master:
        values = [master.y.copy()]
        while len(values) <= min(2 * STEPS, round(loop.stop / H)):
            master.step(loop.stop)
            values.append(master.y.copy())
        return {
            name: (
                {master.ends[i].variable: [float(row[i]) for row in values] for i in master.ends_of[name]},
                sorted({master.begins[i].variable for i in master.begins_of[name]}),
            )
            for name in loop.mechanisms
        }


def arguments_of(loop, component: str, inputs: dict[str, list[float]], outputs: list[str], folder: Path) -> tuple[list, list]:
    """The command line of bench/input_jumps for the FMU of a mechanism, unpacked in the folder; with more words for fixed steps."""
    from fmpy import extract, read_model_description
    from mechfmu.couple.loop import export

    fmu = export(loop.home / loop.mechanisms[component], loop.folder)[2]
    extract(fmu, folder)
    description = read_model_description(fmu, validate=False)
    reference = {v.name: v.valueReference for v in description.modelVariables if v.type == "Real"}
    values = folder / "inputs.txt"
    values.write_text("".join(" ".join(map(repr, row)) + "\n" for row in zip(*inputs.values(), strict=True)))
    line = [folder / "binaries" / "linux64" / f"{description.coSimulation.modelIdentifier}.so", "--token", description.guid,
            "--h", f"{H:g}", "--inputs", ",".join(str(reference[name]) for name in inputs), "--values", values]  # fmt: skip
    if outputs:
        line += ["--outputs", ",".join(str(reference[name]) for name in outputs)]
    for name, value in loop.values.items():
        unit, variable = name.split(".", 1)
        if unit == component and variable not in inputs:
            line += ["--set", f"{reference[variable]}={float(value)!r}"]
    return line, ["--set", f"{reference['solver.fixed_step']}={H!r}"]


def instructions(program: Path, line: list, only: str) -> float:
    """Per step."""

    def count(steps: int) -> int:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, *line, "--only", only,
             "--steps", str(steps)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if run.returncode != 0:
            raise RuntimeError(run.stderr.strip()[-500:])
        return int(re.search(r"Collected : (\d+)", run.stderr)[1])

    return (count(2 * STEPS) - count(STEPS)) / STEPS


def times(program: Path, line: list) -> tuple[float, float]:
    """Microseconds per step without jumps, and with them."""
    run = subprocess.run([program, *line, "--steps", str(2 * STEPS)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip())
    found = json.loads(run.stdout)
    return 1e6 * found["lines"], 1e6 * found["jumps"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loops", nargs="*", metavar="LOOP", help="folders of examples/; all when none is named")
    parser.add_argument("--time", action="store_true", help="CPU time instead of instructions")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder of the program (default: build)")
    options = parser.parse_args()
    from mechfmu.couple import load, loops

    program = options.build / "bench" / "input_jumps"
    if not program.exists():
        print(f"input_jumps: {program} is missing; build it, or name the build folder by --build", file=sys.stderr)
        return 1
    counted = not options.time and shutil.which("valgrind")
    unit = "instructions" if counted else "µs"
    print(f"| loop | mechanism | steps | {unit} per step, inputs on lines | … that jump | ratio |\n|---|---|---|---:|---:|---:|")
    for name in options.loops or [folder.name for folder in loops(ROOT / "examples")]:
        loop = load(ROOT / "examples" / name).LOOP
        for component, (inputs, outputs) in record(loop).items():
            with TemporaryDirectory() as folder:
                line, fixed = arguments_of(loop, component, inputs, outputs, Path(folder))
                for mode, more in {"by tolerance": [], "one of 1 ms": fixed}.items():
                    if counted:
                        lines, jumps = (instructions(program, [*line, *more], only) for only in ("lines", "jumps"))
                    else:
                        lines, jumps = times(program, [*line, *more])
                    shown = f"{lines:.0f} | {jumps:.0f}" if counted else f"{lines:.2f} | {jumps:.2f}"
                    print(f"| {name} | {component} | {mode} | {shown} | {jumps / lines:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    status = main()
    # FMUs of pythonfmu that have run in this process may crash it when it unloads their libraries at its end.
    sys.stdout.flush()
    os._exit(status)

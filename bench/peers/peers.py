#!/usr/bin/env python3
"""Compares mechfmu with other solvers on rods that fall; prints a Markdown table.

    peers.py [--spatial] [--quick] [--bodies n …] [--error 1e-5] [--rounds 3] [--json FILE]

On a planar chain with IDA (SUNDIALS) and Exudyn; with --spatial, on an arm and a tree in space with
MuJoCo. Every solver runs with finer and finer tolerances or steps until the centre of the last rod
at the end of the run stays within the given error of the reference. The time at exactly that error
is interpolated, in logarithms, between the last run above it and the next one. Then the runs are
repeated, all solvers in turn, and the fastest counts. One thread, one processor; set-up is not
timed. Missing solvers are left out. Progress: standard error.
"""

import argparse
import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# made by peers.sh, with the solvers that are Python packages
VENV = ROOT / "build" / "peers_venv" / "bin" / "python"
CHAIN_BODIES, SPATIAL_BODIES = [10, 100, 1000], [10, 30, 100]
JUMP = "1e-3"  # [s] between the jumps of an input
SHORT = 0.1  # [s] shorter runs are made SHORT/time, at most 5 times in a round
LONG = 10  # [s] longer runs are not repeated
THREADS = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]

TOLERANCES = ["1e-2", "3e-3", "1e-3", "3e-4", "1e-4", "3e-5", "1e-5", "3e-6", "1e-6", "3e-7", "1e-7", "3e-8", "1e-8",
              "3e-9", "1e-9"]  # fmt: skip
STEPS = ["1e-2", "5e-3", "2.5e-3", "1.25e-3", "6.25e-4", "3.125e-4", "1.5625e-4"]
LONG_STEPS = ["4e-2", "2e-2", *STEPS]
# Steps of a one-step method with a new input every JUMP: it has no history, so the jump itself
# costs nothing.
SHORT_STEPS = [JUMP, "5e-4", "2.5e-4", "1.25e-4"]
FIRST_ORDER_STEPS = [f"{1e-3 / 4**k:.3g}" for k in range(6)]
# Runs in space that must agree before anything is measured: joint coordinates against absolute ones
# with constraints.
AGREEMENT = 1e-8  # [m]
FINE_STEPS = ["2e-4", "1e-4"]
FINE_TOLERANCE = "3e-14"
# After a jump IDA begins at order 1 and doubles its steps, so that the first ones determine its
# error; a first step chosen for the error needs fewer steps than a tolerance alone. With a
# tolerance of 1e-3 it stays at order 1 after some first steps, 9e-6 for one, and the error rises to
# 1e-3 m.
IDA_JUMPS = ["--tolerance", "1e-6"]
FIRST_STEPS = ["9e-5", "4e-5", "2.3e-5", "1.6e-5", "1.3e-5", "1.1e-5", "8e-6"]


@dataclass
class Solver:
    """A solver in one mode: a command, the option that refines it, the reference of its ratios."""

    name: str
    command: list[str | Path]
    option: str
    values: list[str]
    against: str = ""

    def arguments(self, bodies: int, value: str) -> list[str | Path]:
        return [*self.command, "--bodies", str(bodies), self.option, value]


@dataclass
class Result:
    """The runs of a solver with one number of rods, from coarse to fine."""

    solver: Solver
    runs: list[dict] = field(default_factory=list)
    stopped: str = ""  # the reason for stopping, if the error was not reached

    def first_good(self, error: float) -> int | None:
        """The first of the runs that stay within the error to the end of the sequence."""
        if not self.runs or self.runs[-1]["error"] > error:
            return None
        bad = [k for k, run in enumerate(self.runs) if run["error"] > error]
        return bad[-1] + 1 if bad else 0

    def seconds(self, error: float) -> float | None:
        """Time at exactly this error."""
        k = self.first_good(error)
        if k is None or k == 0:
            return None if k is None else self.runs[0]["seconds"]
        coarse, fine = self.runs[k - 1], self.runs[k]
        part = math.log(error / coarse["error"]) / math.log(max(fine["error"], 1e-300) / coarse["error"])
        return coarse["seconds"] * (fine["seconds"] / coarse["seconds"]) ** part

    def run(self, error: float) -> dict:
        """The run that the columns about steps describe."""
        k = self.first_good(error)
        return self.runs[-1 if k is None else k]


def say(text: str) -> None:
    print(f"peers: {text}", file=sys.stderr, flush=True)


def python_of_solvers() -> Path:
    return VENV if VENV.exists() else Path(sys.executable)


def has_package(name: str) -> bool:
    find = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{name}') is None)"
    return subprocess.run([python_of_solvers(), "-c", find], check=False).returncode == 0


def ours(build: Path, structure: str) -> list[Solver]:
    fall = build / "bench" / "fall"
    if not fall.exists():
        say(f"{fall} is missing; mechfmu is left out")
        return []
    run = [fall, "--structure", structure]
    return [
        Solver("mechfmu", run, "--tolerance", TOLERANCES),
        Solver("mechfmu, constant steps", run, "--step", STEPS),
        Solver("mechfmu, jumps every 1 ms", [*run, "--jump", JUMP], "--tolerance", TOLERANCES),
    ]


def mujoco(structure: str, integrator: str = "RK4") -> list[str | Path]:
    return [python_of_solvers(), HERE / "mujoco_fall.py", "--structure", structure, "--integrator", integrator]


def spatial_solvers(build: Path, structure: str) -> list[Solver]:
    run = mujoco(structure)
    return [
        *ours(build, structure),
        Solver("MuJoCo, RK4", run, "--step", LONG_STEPS, "mechfmu"),
        Solver("MuJoCo, RK4, steps ≤ 1 ms", run, "--step", SHORT_STEPS, "mechfmu, jumps every 1 ms"),
        Solver("MuJoCo, implicitfast", mujoco(structure, "implicitfast"), "--step", FIRST_ORDER_STEPS, "mechfmu"),
    ]


def chain_solvers(build: Path) -> list[Solver]:
    """The installed solvers."""
    found = ours(build, "chain")
    ida = build / "bench" / "peers" / "ida_chain"
    if ida.exists():
        found += [
            Solver("IDA", [ida], "--tolerance", TOLERANCES, "mechfmu"),
            Solver("IDA, jumps every 1 ms", [ida, "--jump", JUMP, *IDA_JUMPS], "--first-step", FIRST_STEPS,
                   "mechfmu, jumps every 1 ms"),
        ]  # fmt: skip
    else:
        say(f"{ida} is missing; IDA is left out")
    if has_package("exudyn"):
        exudyn = [python_of_solvers(), "-W", "ignore", HERE / "exudyn_chain.py"]
        against = "mechfmu, constant steps"
        found += [
            Solver("Exudyn", exudyn, "--step", STEPS, against),
            Solver("Exudyn, Newton to 1e-6", [*exudyn, "--newton", "1e-6"], "--step", STEPS, against),
            Solver("Exudyn, index 2", [*exudyn, "--index2"], "--step", STEPS, against),
        ]
    else:
        say("the Python package exudyn is missing; Exudyn is left out")
    return found


class Bench:
    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.lines: list[str] = []
        self.environment = os.environ | dict.fromkeys(THREADS, "1")

    def call(self, arguments: list[str | Path]) -> dict:
        """The JSON line of a program; RuntimeError if there is none."""
        try:
            run = subprocess.run(arguments, capture_output=True, text=True, check=False, env=self.environment,
                                 timeout=self.options.limit)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"more than {self.options.limit:g} s") from None
        lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
        if run.returncode != 0 or not lines:
            message = (run.stderr.strip() or run.stdout.strip() or f"exit code {run.returncode}").splitlines()[-1]
            raise RuntimeError(message)
        self.lines.append(lines[-1])
        return json.loads(lines[-1])

    def chain_reference(self, bodies: int) -> dict:
        program = self.options.build / "bench" / "peers" / "chain_reference"
        coarse, fine = (self.call([program, "--bodies", str(bodies), "--tolerance", e]) for e in ("1e-11", "1e-13"))
        say(f"{bodies} rods: reference x = {fine['x']:.12g}, y = {fine['y']:.12g}, "
            f"two tolerances differ by {distance(coarse, fine):.1e}")  # fmt: skip
        if distance(coarse, fine) > 1e-4 * self.options.error:
            raise RuntimeError("the reference is not accurate enough")
        return fine

    def spatial_reference(self, structure: str, bodies: int) -> dict:
        """MuJoCo with fine steps, if finer ones and mechfmu agree with it."""
        fall = [self.options.build / "bench" / "fall", "--structure", structure]
        coarse, fine = (self.call([*mujoco(structure), "--bodies", str(bodies), "--step", h]) for h in FINE_STEPS)
        own = self.call([*fall, "--bodies", str(bodies), "--tolerance", FINE_TOLERANCE])
        differences = distance(coarse, fine), distance(own, fine)
        say(f"{structure} of {bodies}: reference x = {fine['x']:.12g}, y = {fine['y']:.12g}, z = {fine['z']:.12g}; "
            # fmt: skip
            f"MuJoCo with twice the step differs by {differences[0]:.1e} m, mechfmu by {differences[1]:.1e} m")
        if max(differences) > AGREEMENT:
            raise RuntimeError(f"{structure} of {bodies}: MuJoCo and mechfmu do not agree to {AGREEMENT:g} m")
        return fine

    def measure(self, solver: Solver, bodies: int, value: str, reference: dict) -> dict:
        run = self.call(solver.arguments(bodies, value))
        for _ in range(1, min(5, int(SHORT / max(run["seconds"], 1e-9)))):
            keep_fastest(run, self.call(solver.arguments(bodies, value)))
        run["error"] = distance(run, reference)
        run["value"] = value
        say(f"{bodies} rods, {solver.name} {solver.option} {value}: error {run['error']:.2e}, {run['steps']} steps, "
            f"{run['seconds'] * 1e3:.1f} ms")  # fmt: skip
        return run

    def sweep(self, solver: Solver, bodies: int, reference: dict) -> Result:
        """Refines until two successive runs are within the error."""
        result = Result(solver)
        for value in solver.values:
            try:
                result.runs.append(self.measure(solver, bodies, value, reference))
            except RuntimeError as error:
                say(f"{bodies} rods, {solver.name} {solver.option} {value}: {error}")
                result.stopped = str(error)
                if "more than" in str(error):
                    break
                continue
            if len(result.runs) > 1 and all(run["error"] <= self.options.error for run in result.runs[-2:]):
                break
        return result

    def compare(self, bodies: int, all_solvers: list[Solver], reference: dict) -> list[Result]:
        results = [self.sweep(solver, bodies, reference) for solver in all_solvers]
        for _ in range(1, self.options.rounds):
            for k in range(max(len(result.runs) for result in results)):
                for result in results:
                    # Only the runs of the table: the last one above the error and the one after it.
                    good = result.first_good(self.options.error)
                    first = len(result.runs) - 1 if good is None else max(good - 1, 0)
                    if first <= k < len(result.runs) and result.runs[k]["seconds"] < LONG:
                        again = self.measure(result.solver, bodies, result.runs[k]["value"], reference)
                        keep_fastest(result.runs[k], again)
        return [result for result in results if result.runs]


def keep_fastest(run: dict, again: dict) -> None:
    for name in ("seconds", "seconds_per_step_and_body"):
        run[name] = min(run[name], again[name])


def distance(a: dict, b: dict) -> float:
    return math.dist([a["x"], a["y"], a.get("z", 0)], [b["x"], b["y"], b.get("z", 0)])


def ratio(value: float) -> str:
    return f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def rows(first: list[str], results: list[Result], error: float, with_ratios: bool) -> list[list[str]]:
    by_name = {result.solver.name: result for result in results}
    table = []
    for result in results:
        run, seconds = result.run(error), result.seconds(error)
        per_step = run["seconds_per_step_and_body"]
        row = [
            *first,
            result.solver.name,
            f"{result.solver.option[2:].replace('-', ' ')} {run['value']}",
            str(run["steps"]),
            f"{run['newton'] / run['steps']:.2f}" if "newton" in run else "",
            f"{run['error']:.1e}",
            f"{per_step * 1e6:.2f}",
            f"{seconds * 1e3:.3g}" if seconds else "not reached",
        ]
        if with_ratios:
            ours = by_name.get(result.solver.against)
            ours_seconds = ours and ours.seconds(error)
            row.append(ratio(per_step / ours.run(error)["seconds_per_step_and_body"]) if ours else "")
            row.append(ratio(seconds / ours_seconds) if seconds and ours_seconds else "")
        table.append(row)
    return table


def markdown(table: list[list[str]]) -> str:
    widths = [max(len(row[k]) for row in table) for k in range(len(table[0]))]
    # columns of words
    left = {k for k, name in enumerate(table[0]) if name in ("mechanism", "solver", "setting")}

    def line(row: list[str]) -> str:
        cells = [text.ljust(w) if k in left else text.rjust(w) for k, (text, w) in enumerate(zip(row, widths))]
        return "| " + " | ".join(cells) + " |"

    rule = "|" + "|".join("-" * (w + 1) + ("-" if k in left else ":") for k, w in enumerate(widths)) + "|"
    return "\n".join([line(table[0]), rule, *map(line, table[1:])])


def bodies_of(options: argparse.Namespace, usual: list[int]) -> list[int]:
    return options.bodies or (usual[:-1] if options.quick else usual)


def header(first: list[str], error: float, with_ratios: bool) -> list[str]:
    names = [*first, "solver", "setting", "steps", "Newton/step", "error [m]", "µs/(step rod)", f"ms at {error:g} m"]
    return names + (["step: ratio", "time: ratio"] if with_ratios else [])


def compare_chains(bench: Bench) -> list[list[str]]:
    options = bench.options
    found = chain_solvers(options.build)
    with_ratios = any(solver.name == "mechfmu" for solver in found)
    table = [header(["rods"], options.error, with_ratios)]
    for bodies in bodies_of(options, CHAIN_BODIES):
        results = bench.compare(bodies, found, bench.chain_reference(bodies))
        table += rows([str(bodies)], results, options.error, with_ratios)
    return table


def compare_in_space(bench: Bench) -> list[list[str]]:
    if not has_package("mujoco"):
        raise RuntimeError("the Python package mujoco is missing; bench/peers/peers.sh installs it")
    options = bench.options
    table = [header(["mechanism", "rods"], options.error, True)]
    for structure in ("spatial_arm", "spatial_tree"):
        found = spatial_solvers(options.build, structure)
        for bodies in bodies_of(options, SPATIAL_BODIES):
            results = bench.compare(bodies, found, bench.spatial_reference(structure, bodies))
            table += rows([structure, str(bodies)], results, options.error, True)
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder (default: build)")
    parser.add_argument("--spatial", action="store_true", help="arm and tree in space, with MuJoCo")
    parser.add_argument("--bodies", type=int, nargs="+",
                        # fmt: skip
                        help=f"numbers of rods (default: {CHAIN_BODIES}, in space {SPATIAL_BODIES})")
    parser.add_argument("--quick", action="store_true", help="without the largest of these")
    parser.add_argument("--error", type=float, default=1e-5, help="wanted error [m] (default: 1e-5)")
    parser.add_argument("--rounds", type=int, default=3, help="how often a run is made (default: 3)")
    parser.add_argument("--limit", type=float, default=120, help="longest run [s] (default: 120)")
    parser.add_argument("--json", type=Path, help="file for the JSON lines of all runs")
    options = parser.parse_args()

    # the programs started from here stay on this processor too
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    bench = Bench(options)
    try:
        table = compare_in_space(bench) if options.spatial else compare_chains(bench)
    except (OSError, RuntimeError) as error:
        print(f"peers: {error}", file=sys.stderr)
        return 1
    finally:
        if options.json:
            options.json.write_text("".join(line + "\n" for line in bench.lines), encoding="utf-8")
    print(markdown(table))
    return 0


if __name__ == "__main__":
    sys.exit(main())

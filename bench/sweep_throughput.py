#!/usr/bin/env python3
"""Runs per second of a sweep: the overhead of a run, and the gain of more workers.

All in one run, and as ratios to a run that resets one instance, because times differ between
machines. The methods take turns, and the fastest turn of each counts. Each run sets a parameter and
takes the steps of the slider-crank up to 0.5 s or 1 s. Compare workers with the same number of
processes that only loop: these show the limit of the machine.
"""

import argparse
import os
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

from fmpy import simulate_fmu
from mechfmu.fmu import Instance
from mechfmu.sweep import runs as fmu_runs
from mechfmu.sweep.pool import open_pool

ROOT = Path(__file__).resolve().parents[1]

STEP, HALF = 5e-3, 100  # s, steps
RECORDED = (("x3", "end"),)
TURNS, RUNS = 7, 30  # of each way within one process
SWEEP = 2000  # runs on workers

cold = fmu_runs.Experiment(STEP, HALF, recorded=RECORDED)
whole = fmu_runs.Experiment(STEP, 2 * HALF, recorded=RECORDED)
warm = fmu_runs.Experiment(STEP, 2 * HALF, first=HALF, recorded=RECORDED)


def values(run: int) -> dict[str, float]:
    return {"stiffness": 500 + run % 1000}


def ways(path: Path, data: bytes):
    """Functions that do one run each."""
    fmu_runs.provide("bench", data)
    fmu = fmu_runs.models["bench"]
    instance = Instance(fmu)
    state = instance.load(fmu_runs.warm_state("bench", warm))

    def anew(run):
        other = Instance(fmu)
        fmu_runs.simulate(other, cold, run, values(run))
        other.close()

    def from_file(run):
        start = {"stiffness": 500.0 + run % 1000}
        simulate_fmu(str(path), stop_time=HALF * STEP, output_interval=STEP, start_values=start, output=["x3"])

    def reset(run):
        fmu_runs.simulate(instance, cold, run, values(run))

    return {
        "0.5 s: one instance, reset": reset,
        "0.5 s: a new instance for each run": anew,
        "0.5 s: fmpy.simulate_fmu with the file": from_file,
        "1 s: one instance, reset": lambda run: fmu_runs.simulate(instance, whole, run, values(run)),
        "1 s: warm start at 0.5 s": lambda run: fmu_runs.simulate(instance, warm, run, values(run), state),
    }


def seconds_per_run(functions) -> dict[str, float]:
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(TURNS):
        for name, function in functions.items():
            begin = time.perf_counter()
            for run in range(RUNS):
                function(run)
            best[name] = min(best[name], (time.perf_counter() - begin) / RUNS)
    return best


def sweep_seconds(data: bytes, workers: int, size: int | None = None) -> float:
    """Seconds without the start of the processes, which is negligible in a long sweep."""
    runs = list(range(SWEEP if size is None else SWEEP // 10))
    with open_pool("bench", data, workers, None) as pool:
        list(pool.outcomes(cold, None, values, runs[: 4 * workers], 1))
        begin = time.perf_counter()
        list(pool.outcomes(cold, None, values, runs, size))
        return (time.perf_counter() - begin) / len(runs)


def plain_loop(path: Path, barrier, count: int) -> None:
    function = ways(path, path.read_bytes())["0.5 s: one instance, reset"]
    barrier.wait()
    for run in range(count):
        function(run)
    barrier.wait()


def plain_seconds(path: Path, processes: int) -> float:
    """Seconds of the same number of independent processes."""
    context = get_context("spawn")
    barrier = context.Barrier(processes + 1)
    arguments = (path, barrier, SWEEP // processes)
    children = [context.Process(target=plain_loop, args=arguments) for _ in range(processes)]
    for child in children:
        child.start()
    barrier.wait()
    begin = time.perf_counter()
    barrier.wait()
    seconds = time.perf_counter() - begin
    for child in children:
        child.join()
    return seconds / SWEEP


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder (default: build)")
    path = parser.parse_args().build / "fmus" / "slider_crank.fmu"
    if not path.exists():
        print(f"sweep_throughput: {path} is missing; build it, or name the build folder by --build", file=sys.stderr)
        return 1
    data = path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        times = seconds_per_run(ways(path, data))
        parallel = {
            "0.5 s: 1 process that loops": lambda: plain_seconds(path, 1),
            "0.5 s: sweep with 1 worker": lambda: sweep_seconds(data, 1),
            "0.5 s: 2 processes that loop": lambda: plain_seconds(path, 2),
            "0.5 s: sweep with 2 workers": lambda: sweep_seconds(data, 2),
            "0.5 s: sweep with 2 workers, chunks of one run": lambda: sweep_seconds(data, 2, 1),
        }
        turns = [{name: measure() for name, measure in parallel.items()} for _ in range(3)]
        times |= {name: min(turn[name] for turn in turns) for name in parallel}
    unit = times["0.5 s: one instance, reset"]
    about = f"slider_crank, steps of {STEP:g} s, {os.cpu_count()} processors"
    print(f"{about}; multiples of {unit * 1e3:.2f} ms per run:\n")
    print("| a run | time | runs/s |\n|---|---:|---:|")
    for name, seconds in times.items():
        print(f"| {name} | {seconds / unit:.2f} | {1 / seconds:.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

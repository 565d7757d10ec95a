"""How long a doStep of the plants of examples/ takes, in their closed loops at H = 1 ms: is it fit for real time?

    build/venv/bin/python bench/real_time.py [steps]

Adaptive at tolerance 1e-6, and with one substep a step (solver.fixed_step = H). Times are those of this machine, with whatever else it
was doing; the ratio of the slowest to the median says more than either. The last column is the median of a step after a jump of
the inputs over that of one without: the loops hold their inputs, so that every step begins with a jump.
"""

import sys
import time
from pathlib import Path

import numpy as np
from mechfmu.couple import Master, load, loops

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
H = 1e-3


def step_times(loop, steps: int, values: dict, inputs: str) -> np.ndarray:
    """In seconds; the run is begun again when it has come to its end."""
    name = next(iter(loop.mechanisms))
    times = []
    while len(times) < steps:
        with Master(loop.system(2, step=H, **values), unit_tolerance=1e-6, inputs=inputs) as master:
            fmu = master.units[name].slave
            do_step = fmu.doStep

            def timed(*arguments):
                begin = time.perf_counter_ns()
                result = do_step(*arguments)
                times.append(time.perf_counter_ns() - begin)
                return result

            fmu.doStep = timed
            while master.t < loop.stop and len(times) < steps:
                master.step(loop.stop)
    return np.array(times) * 1e-9


def main(steps: int):
    print(f"{steps} steps of 1 ms{'':16}{'median':>10}{'99.9 %':>10}{'worst':>10}{'H/median':>10}{'H/worst':>9}{'jump/none':>11}")
    for folder in loops(EXAMPLES):
        name, loop = folder.name, load(folder).LOOP
        if loop.has_algebraic_loop:
            continue
        plant = next(iter(loop.mechanisms))
        for mode, values in {"adaptive": {}, "one substep": {f"{plant}.solver.fixed_step": H}}.items():
            held = step_times(loop, steps, values, "hold")
            smooth = step_times(loop, steps, values, "slope")
            median, late, worst = np.median(held), np.quantile(held, 0.999), held.max()
            print(
                f"  {name:<15} {mode:<13}{1e6 * median:7.1f} us{1e6 * late:7.1f} us{1e6 * worst:7.0f} us"
                f"{H / median:10.0f}{H / worst:9.1f}{median / np.median(smooth):11.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20000)

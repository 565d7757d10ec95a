"""Reports on a closed loop: comparison of masters, effect of roundoff, orders of accuracy, cost,
plot. Each function prints a table."""

import importlib
import textwrap
import time

import numpy as np

from ..fmu import STATISTICS, Discarded
from .loop import Loop
from .master import Master

# module in masters: the FMI versions it imports
MASTERS = {"fmpy_loop": (2, 3), "own": (2, 3), "libcosim": (2,), "ecos": (2, 3), "fmpy_ssp": (2,)}
COUPLINGS = {
    "hold": {},
    "hold, one after the other": {"sequential": True},
    "slope": {"inputs": "slope"},
    "implicit": {"inputs": "implicit"},
}


def run_in(master: str, loop: Loop, version: int, **choices):
    return importlib.import_module(f"{__package__}.masters.{master}").run(loop.system(version), loop.signals, **choices)


def compare_masters(loop: Loop) -> dict:
    """Run the loop in every master that is installed and print the difference of each from FMPy."""
    print(f"\nMasters, H = {1000 * loop.step:g} ms, largest difference from the first, in units of the largest value")
    results = {}
    for master, versions in MASTERS.items():
        for version in versions:
            begin = time.perf_counter()
            try:
                results[master, version] = run_in(master, loop, version)
            except ModuleNotFoundError as error:
                print(f"  {master:<10} FMI {version}.0   left out, {error.name} is not installed")
                continue
            spent = time.perf_counter() - begin
            difference = difference_of(results[master, version], results["fmpy_loop", 2])
            print(f"  {master:<10} FMI {version}.0   {difference:8.1e}   {spent:5.2f} s")
    return results


def difference_of(a, b) -> float:
    """Return the largest difference at common times; masters differ in whether they record the
    start."""
    count = min(len(a.t), len(b.t))
    x, y = a.values[-count:], b.values[-count:]
    return float(np.max(np.abs(x - y) / np.maximum(np.max(np.abs(y), axis=0), 1e-12)))


def error_of(result, times, reference: np.ndarray) -> float:
    """Return the largest error at these times, in units of the largest value of each signal."""
    rows = [int(np.argmin(np.abs(result.t - t))) for t in times]
    assert np.allclose(result.t[rows], times, rtol=0, atol=1e-9), "the result has no values at these times"
    return float(np.max(np.abs(result.values[rows] - reference) / np.max(np.abs(reference), axis=0)))


def print_orders(head: str, columns: list[str], rows: dict[str, list[float]]):
    print("\n" + head)
    print(" " * 36 + "".join(f"{c:>10}" for c in columns) + "   order")
    for name, errors in rows.items():
        shown = "".join(f"{e:10.1e}" if np.isfinite(e) else "  unstable" for e in errors)
        order = f"{np.log2(errors[-2] / errors[-1]):8.2f}" if np.isfinite(errors[-2:]).all() else ""
        print(f"  {name:<34}{shown}{order}")


def orders_in_step(loop: Loop, steps: list[int], versions=(2, 3), points: int = 20) -> dict[str, list[float]]:
    """Print errors against the whole, for numbers of communication steps, each twice the previous
    one."""
    times = [loop.stop * i / points for i in range(points + 1)]
    reference = loop.reference(times)
    rows = {}
    for version in versions:
        for name, choices in COUPLINGS.items():
            rows[f"FMI {version}.0 {name}"] = [
                error_or_unstable(loop, version, n, choices, times, reference) for n in steps
            ]
    columns = [f"{1000 * loop.stop / n:g} ms" for n in steps]
    print_orders("Error against the whole in one FMU, over the communication step H", columns, rows)
    return rows


def error_or_unstable(loop: Loop, version: int, steps: int, choices: dict, times, reference) -> float:
    """Return the error; a coupling that oscillates without bound ends in a step that the plant
    discards."""
    try:
        return error_of(coupled(loop, version, loop.stop / steps, choices), times, reference)
    except Discarded:
        return np.inf


def coupled(loop: Loop, version: int, step: float, choices: dict, tolerance: float = 1e-10, **values):
    """Return the compared signals, with a tolerance of the units at which their error is far below
    that of the coupling."""
    system = loop.system(version, step=step, **values)
    with Master(system, list(loop.compared), unit_tolerance=tolerance, **choices) as master:
        return master.run()


def cost(loop: Loop, version: int = 2, tolerance: float = 1e-6):
    """Print the solver's work per master step, with inputs held (jumps) and with slopes
    (none)."""
    print(f"\nWork of the plant in one master step of {1000 * loop.step:g} ms, tolerance {tolerance:g}")
    print(" " * 34 + "".join(f"{name:>18}" for name in STATISTICS) + f"{'real-time factor':>18}")
    for name, choices in COUPLINGS.items():
        if name == "implicit":
            continue
        with Master(loop.system(version), loop.signals, unit_tolerance=tolerance, **choices) as master:
            begin = time.perf_counter()
            while master.t < loop.stop:
                master.step(loop.stop)
            spent = time.perf_counter() - begin
            statistics = master.units[next(iter(loop.mechanisms))].statistics()
            count = master.work.steps
        print(f"  {name:<32}" + "".join(f"{n / count:18.3f}" for n in statistics.values()) + f"{loop.stop / spent:18.0f}")


def roundoff(loop: Loop, tolerances=(1e-6, 1e-8, 1e-10), runs: int = 3) -> dict[float, tuple[float, float]]:
    """Print how far runs move apart whose inputs differ in their last digits, as in different
    masters, beside the error of the run itself."""
    print(f"\nInputs disturbed by 1e-15 of their size, H = {1000 * loop.step:g} ms, in units of the largest value")
    print(f"{'tolerance':>12}{'difference':>14}{'error':>10}")
    found = {}
    for tolerance in tolerances:
        run = disturbed(loop, tolerance, None)
        difference = max(difference_of(disturbed(loop, tolerance, seed), run) for seed in range(runs))
        error = difference_of(run, disturbed(loop, tolerance / 100, None))
        print(f"{tolerance:12g}{difference:14.1e}{error:10.1e}")
        found[tolerance] = difference, error
    return found


def disturbed(loop: Loop, tolerance: float, seed: int | None):
    """Return a run whose inputs are disturbed by random roundoff; with no seed, an undisturbed
    run."""
    noise = None if seed is None else np.random.default_rng(seed)

    def disturb(master: Master) -> None:
        if noise is not None:
            master.y = master.y * (1 + 1e-15 * noise.standard_normal(len(master.y)))

    with Master(loop.system(2), loop.signals, unit_tolerance=tolerance) as master:
        return master.run(disturb)


def plot(loop: Loop, result, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    heights = [2 if panel.over else 1 for panel in loop.panels]
    figure, axes = plt.subplots(
        len(loop.panels), 1, figsize=(7, 1.9 * sum(heights)), squeeze=False, height_ratios=heights
    )
    for axis, panel in zip(axes[:, 0], loop.panels):
        for i, (signal, legend) in enumerate(panel.signals.items()):
            over = result[panel.over[signal]] if panel.over else result.t
            style = "--" if panel.over and i else "-"  # the path to follow is drawn below the curve that follows it
            axis.plot(over, panel.scale * result[signal], style, label=legend, linewidth=1.2)
        if panel.over:
            axis.set_aspect("equal")
            axis.set_xlabel(panel.over_label)
        elif axis is not axes[-1, 0]:
            axis.sharex(axes[-1, 0])
            axis.tick_params(labelbottom=False)
        axis.set_ylabel(panel.label)
        axis.grid(alpha=0.3)
        if len(panel.signals) > 2:  # a row above the axis, where it covers no curve
            axis.legend(loc="lower right", bbox_to_anchor=(1, 0.98), ncols=6, fontsize=8, frameon=False, borderaxespad=0)
        elif len(panel.signals) > 1:
            axis.legend(loc="best", fontsize=8)
    axes[-1, 0].set_xlabel("time in s")
    figure.suptitle(textwrap.fill(loop.about, 80), fontsize=10)
    figure.tight_layout()
    figure.savefig(file, dpi=120)
    plt.close(figure)
    print(f"\nplot: {file}")

"""Motions of open chains against those of Pinocchio and MuJoCo: their accelerations, integrated by SciPy's DOP853 to 1e-12.

    python tests/robots/trajectories.py --tool build/mechfmu robot.urdf ... [--stop 1]

From a random state, without limits and contacts. Prints the largest errors of joints for some tolerances, and ends with 1
if a hundredth of the tolerance does not reduce the error by a factor of five, or the tightest is not within 1e-3.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from oracles import Problem, State, imported, in_temporary_folder, names_in, oracle_of, rows, start_of, with_state
from scipy.integrate import solve_ivp

TOLERANCES = ("1e-6", "1e-8", "1e-10")


def errors(tool: Path, path: Path, stop: float, seed: int) -> list[float]:
    random = np.random.default_rng(seed)
    oracle = oracle_of(path)
    with tempfile.TemporaryDirectory() as folder:
        text = imported(tool, path, Path(folder))
        names = names_in(text, oracle)
        own = State({n: random.uniform(-0.5, 0.5) for n in names}, {n: random.uniform(-0.5, 0.5) for n in names}, {})
        target = Path(folder) / "state.xml"
        target.write_text(with_state(text, own))
        runs = [rows(tool, target, "--stop", str(stop), "--step", str(stop / 50), "--tolerance", tolerance) for tolerance in TOLERANCES]
        start = start_of(runs[-1][0], names, own)
    order = list(names.values())
    n = len(order)

    def rate(_, y):
        a = oracle.accelerations(State(dict(zip(order, y[:n], strict=True)), dict(zip(order, y[n:], strict=True)), {}))
        return np.concatenate([y[n:], [a[name] for name in order]])

    y = [*start.q.values(), *start.v.values()]
    times = [float(r["time"]) for r in runs[0]]
    wanted = solve_ivp(rate, (0, times[-1]), y, method="DOP853", rtol=1e-12, atol=1e-12, t_eval=times).y[:n]
    found = []
    for run in runs:
        got = np.array([[float(r[f"q{i}"]) for r in run] for i in range(n)])
        found.append(float(np.max(np.abs((got - wanted + np.pi) % (2 * np.pi) - np.pi))))  # angles may be counted differently
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--tool", type=Path, default=Path("build/mechfmu"))
    parser.add_argument("--stop", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"| robot | {' | '.join('tolerance ' + t for t in TOLERANCES)} |\n|---|{'---:|' * len(TOLERANCES)}")
    files, tool = [f.resolve() for f in options.files], options.tool.resolve()
    in_temporary_folder()
    bad = 0
    for path in files:
        try:
            found = errors(tool, path, options.stop, options.seed)
        except Problem as problem:
            bad += 1
            print(f"| {path.name} | {problem} |", flush=True)
            continue
        bad += not (found[0] > 5 * found[1] > 25 * found[2] and found[2] < 1e-3)
        print(f"| {path.name} | {' | '.join(f'{e:.1e}' for e in found)} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Work of mechfmu and of IDA (BDF) at equal measured error on large mechanisms.

    large.py [--quick] [--check] [--draw] [--only belt …]
             [--parts free control statistics instructions scaling]

Every solver runs a model with finer and finer tolerances. The error of a run is that of its worst
output, the largest over the rows of the run, in percent of the output's range in the reference.
Work at 10, 3, 1 and 0.1 % is interpolated, in logarithms, on the front of the cheapest runs. IDA,
whose tolerance of velocities is a further choice, gets the best of several.

All runs are stored in docs/figures/large.csv, from which the tables of docs/large.md and the figure
docs/figures/large.png are made (--draw makes them anew without runs). --check only runs IDA and
mechfmu with tight tolerances against models/*/reference.csv. --quick makes shorter runs of fewer
tolerances and prints the tables, but does not write to docs/. Time is processor time of the
integration without set-up and rows.
"""

import argparse
import csv
import json
import math
import re
import resource
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "bench" / "large" / "large"
RESULTS = ROOT / "docs" / "figures" / "large.csv"
FIGURE = ROOT / "docs" / "figures" / "large.png"
PAGE = ROOT / "docs" / "large.md"
LIMIT = 60  # [s] of processor time for one run; longer runs are left out


@dataclass
class Model:
    title: str
    end: float
    interval: float
    outputs: list[str]
    control: list[str]
    controlled: tuple[float, float]  # end and interval with a controller
    check: tuple[float, float]  # end and interval of models/*/reference.csv
    bound: float  # [%] of the range: agreement of reference.csv and tight runs
    repeat: int = 1  # so that short runs can be timed
    levels: tuple[float, ...] = (10, 3, 1, 0.1)  # [%]


MODELS = {
    "belt": Model("belt", 0.05, 1e-3, ["alternator.Fx", "omega.A", "tensioner.angle", "tension_1"],
                  ["--body", "C", "--axis", "5", "--gain", "1"], (0.02, 1e-3), (0.01, 1e-3), 0.1),
    "track": Model("track", 1, 1e-2, ["shoe9.velocity.x", "shoe9.velocity.z", "sprocket.torque", "idler.travel"],
                   ["--body", "idler", "--axis", "0", "--gain", "1e4"], (0.2, 1e-2), (0.1, 1e-2), 1),
    "atv": Model("vehicle", 1, 1e-2, ["ball_rr", "pitch_rate", "stress"],
                 ["--body", "rider.body", "--axis", "2", "--gain", "500"], (0.05, 5e-3), (0.2, 2e-2), 1),
    "andrews": Model("Andrews", 0.03, 1e-3, ["beta", "Theta", "spring.force", "P.x"], [], (0, 0), (0.02, 1e-3), 0.1, 50, (10, 1, 0.1, 0.01, 0.001)),
}  # fmt: skip
STATISTICS_END = 3  # [s] of the track, from 1 s on

OURS = ["1e-2", "1e-3", "1e-4", "3e-5", "1e-5", "3e-6", "1e-6", "1e-7", "1e-8", "1e-9"]
# Methods in tables and figure: name in results, label, command, tolerances, weights of velocities
IDA = ["--solver", "ida"]
METHODS = {
    "soi2": ("soi2", ["--solver", "soi2"], OURS, []),
    "hht_i3": ("hht_i3", ["--solver", "hht_i3"], OURS, []),
    "bdf5": ("BDF ≤ 5", [*IDA, "--order", "5"], ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8"], ["100", "1000", "1e4"]),
    "bdf2": ("BDF ≤ 2", [*IDA, "--order", "2"], ["1e-3", "1e-4", "1e-5", "1e-6"], ["1000", "1e4"]),
    "bdf1": ("BDF 1", [*IDA, "--order", "1"], ["1e-3", "1e-4", "1e-5"], ["1e4"]),
    "bdf5_i3": ("BDF ≤ 5, index 3", [*IDA, "--order", "5", "--index", "3"], ["1e-4", "1e-5"], ["1e6"]),
    "bdf2_i3": ("BDF ≤ 2, index 3", [*IDA, "--order", "2", "--index", "3"], ["1e-4", "1e-5"], ["1e6"]),
}  # fmt: skip
CONTROLLED = {
    "soi2": ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9"],
    "hht_i3": ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9"],
    "bdf5": ["1e-4", "1e-5", "1e-6", "1e-7"],
}
COUNTS = ["steps", "rejected", "newton", "evaluations", "jacobians", "factorizations", "restarts"]
FIELDS = ["part", "model", "method", "tolerance", "velocity", "error", "seconds", "linear_seconds", *COUNTS, "unknowns", "remark"]


def say(text: str) -> None:
    print(f"large: {text}", file=sys.stderr, flush=True)


def rows_of(path: Path) -> tuple[list[str], list[list[float]]]:
    with path.open() as file:
        lines = list(csv.reader(file))
    return lines[0], [[float(x) for x in line] for line in lines[1:]]


def column(table: tuple[list[str], list[list[float]]], name: str) -> list[float]:
    at = table[0].index(name)
    return [row[at] for row in table[1]]


def error_of(table, reference, outputs: list[str]) -> float:
    """Percent of the range, of the worst output."""
    worst = 0.0
    for name in outputs:
        exact, values = column(reference, name), column(table, name)
        if len(exact) != len(values):
            raise ValueError(f"{name}: {len(values)} rows instead of {len(exact)}")
        spread = max(exact) - min(exact)
        worst = max(worst, max(abs(a - b) for a, b in zip(values, exact)) / spread)
    return 100 * worst


def run(model: str, arguments: list[str], folder: Path, limit: int = LIMIT):
    """Facts and rows of a run; its error message if it failed."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    out = folder / "rows.csv"
    command = [PROGRAM, ROOT / "models" / model / f"{model}.xml", *arguments, "--out", out]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=bounded)
    if done.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
        return f"more than {limit} s", None
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}", None
    return json.loads(done.stdout), rows_of(out)


class Bench:
    def __init__(self, quick: bool, folder: Path):
        self.quick, self.folder = quick, folder
        self.results: list[dict] = []

    def end(self, model: str, part: str) -> list[str]:
        m = MODELS[model]
        end, interval = (m.end, m.interval) if part == "free" else m.controlled
        shorter = 5 if self.quick else 1
        return ["--end", str(end / shorter), "--interval", str(interval), "--repeat", str(m.repeat)]

    def note(self, part, model, method, tolerance, velocity, facts, error) -> None:
        row = {"part": part, "model": model, "method": method, "tolerance": tolerance, "velocity": velocity}
        if isinstance(facts, str):
            row["remark"] = facts
        else:
            row |= {name: facts[name] for name in COUNTS} | {"error": error, "seconds": facts["seconds"]}
            row["unknowns"] = facts.get("unknowns", facts["n"] + facts["m"])
            row["linear_seconds"] = facts.get("in_factors", 0) + facts.get("in_solves", 0) or ""
        self.results.append(row)
        text = f"{error:.3g} %, {facts['seconds']:.3g} s" if error is not None else row["remark"]
        say(f"{part} {model} {method} {tolerance} {velocity}: {text}")

    def reference(self, part: str, model: str, more: list[str]):
        """The reference: BDF 5 with a tight tolerance. Its distance from tight mechfmu goes to the
        results."""
        tight = "1e-7" if self.quick else "1e-8"
        velocity = "100" if MODELS[model].control else "10"
        more = [*self.end(model, part), *more]
        bdf, rows = run(model, [*IDA, "--tolerance", tight, "--velocity", velocity, *more, "--go-on"], self.folder, 300)
        ours, check = run(model, ["--solver", "soi2", "--tolerance", "1e-8" if self.quick else "1e-9", *more], self.folder, 300)
        if rows is None:
            say(f"{model}: BDF with a tight tolerance: {bdf}; mechfmu's run is the reference")
            self.note(part, model, "reference", "1e-9", "", ours, 0)
            return check
        self.note(part, model, "reference", tight, velocity, bdf, 0)
        self.note(part, model, "agreement", "1e-9", "", ours, error_of(check, rows, MODELS[model].outputs) if check else None)
        return rows

    def sweep(self, part: str, model: str, jobs) -> None:
        more = [] if part == "free" else ["--control", "1e-3", *MODELS[model].control]
        exact = self.reference(part, model, more)
        for method, command, tolerance, velocity, extra in jobs:
            weight = ["--velocity", velocity] if velocity else []
            facts, rows = run(model, [*command, "--tolerance", tolerance, *weight, *self.end(model, part), *more, *extra], self.folder)
            self.note(part, model, method, tolerance, velocity, facts, error_of(rows, exact, MODELS[model].outputs) if rows else None)

    def free(self, model: str) -> None:
        jobs = []
        for k in range(len(OURS)):  # the codes take turns
            for method, (_, command, tolerances, weights) in METHODS.items():
                if k >= len(tolerances) or (self.quick and (method not in ("soi2", "bdf5") or k % 2)):
                    continue
                jobs += [(method, command, tolerances[k], w, []) for w in (weights[1:2] if self.quick else weights) or [""]]
        self.sweep("free", model, jobs)

    def control(self, model: str) -> None:
        if not MODELS[model].control:
            return
        jobs = []
        for k in range(7):
            for method, tolerances in CONTROLLED.items():
                if k >= len(tolerances) or (self.quick and k % 2):
                    continue
                command = METHODS[method][1]
                if method != "bdf5":
                    jobs.append((method, command, tolerances[k], "", []))
                    continue
                for weight in ["1000"] if self.quick else ["1000", "1e4"]:
                    jobs.append((method + "_anew", command, tolerances[k], weight, []))
                    jobs.append((method + "_on", command, tolerances[k], weight, ["--go-on"]))
        self.sweep("control", model, jobs)

    def statistics(self) -> None:
        """Statistics of the track after its first second: mean and deviation of outputs, in percent
        of the range."""
        if self.quick:
            return
        names = MODELS["track"].outputs
        end = ["--end", str(STATISTICS_END), "--interval", "2e-3"]

        def numbers(rows) -> list[float]:
            made = []
            for name in names:
                values = [v for t, v in zip(column(rows, "time"), column(rows, name)) if t >= 1]
                mean = sum(values) / len(values)
                made += [mean, math.sqrt(sum((v - mean) ** 2 for v in values) / len(values)), max(values) - min(values)]
            return made

        facts, rows = run("track", ["--solver", "soi2", "--tolerance", "1e-8", *end], self.folder, 400)
        if rows is None:
            say(f"statistics: {facts}")
            return
        exact = numbers(rows)
        self.note("statistics", "track", "reference", "1e-8", "", facts, 0)
        jobs = [("soi2", t, []) for t in ("1e-4", "1e-5", "1e-6")] + [("hht_i3", t, []) for t in ("1e-5", "1e-6")]
        jobs += [("bdf5", t, ["1000"]) for t in ("1e-4", "1e-5", "1e-6")] + [("bdf2", t, ["1000"]) for t in ("1e-4", "1e-5")]
        for method, tolerance, weight in jobs:
            velocity = ["--velocity", *weight] if weight else []
            facts, rows = run("track", [*METHODS[method][1], "--tolerance", tolerance, *velocity, *end], self.folder)
            error = None
            if rows:
                made = numbers(rows)
                error = max(100 * abs(made[3 * i + j] - exact[3 * i + j]) / exact[3 * i + 2] for i in range(len(names)) for j in (0, 1))
            self.note("statistics", "track", method, tolerance, "".join(weight), facts, error)


# --- tables ---


def load() -> list[dict]:
    with RESULTS.open() as file:
        return [{k: v for k, v in row.items() if v != ""} for row in csv.DictReader(file)]


def save(results: list[dict], parts: list[str], only: list[str]) -> list[dict]:
    """Stores runs; those of other parts and models stay."""
    kept = [r for r in load() if r["part"] not in parts or r["model"] not in only] if RESULTS.exists() else []
    with RESULTS.open("w") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for row in kept + results:
            writer.writerow({k: f"{v:.5g}" if isinstance(v, float) else v for k, v in row.items()})
    return load()


def front(results, part, model, method, work="seconds") -> list[tuple[float, float, dict]]:
    """Error, work and run of all runs that no other one beats in both, from large errors to small
    ones."""
    runs = [(float(r["error"]), float(r[work]), r) for r in results
            # fmt: skip
            if r["part"] == part and r["model"] == model and r["method"] == method and "error" in r and work in r]
    runs.sort(key=lambda r: (r[0], r[1]))
    best, made = math.inf, []
    for error, cost, r in runs:
        if cost < best:
            best = cost
            made.append((error, cost, r))
    return made[::-1]


def work_at(points, level: float) -> float | None:
    """Work at a level, interpolated in logarithms; that of the cheapest run if all are better than
    the level."""
    if not points or points[-1][0] > level:
        return None
    before = None
    for error, cost, _ in points:
        if error <= level:
            if before is None:
                return cost
            part = math.log(level / before[0]) / math.log(error / before[0])
            return before[1] * (cost / before[1]) ** part if before[1] > 0 else cost
        before = (error, cost)
    return None


def number(x: float | None, digits: int = 3) -> str:
    if x is None:
        return "–"
    return f"{x:.0f}" if x >= 1000 else f"{x:.{digits}g}"


def free_table(results, model: str) -> str:
    levels = MODELS[model].levels
    lines = ["| | " + " | ".join(f"{level} %" for level in levels) + " | steps, evaluations, Jacobians, factorizations at 1 % |",
             "|---|" + "---:|" * len(levels) + "---|"]  # fmt: skip
    for method, (label, *_) in METHODS.items():
        seconds = [work_at(front(results, "free", model, method), level) for level in levels]
        counts = [work_at(front(results, "free", model, method, c), 1) for c in ("steps", "evaluations", "jacobians", "factorizations")]
        lines.append(f"| {label} | " + " | ".join(number(s) for s in seconds) + " | " + ", ".join(number(c) for c in counts) + " |")
    for label, ours in (("BDF / soi2", "soi2"), ("BDF / hht_i3", "hht_i3")):
        cells = []
        for level in levels:
            mine = work_at(front(results, "free", model, ours), level)
            others = [work_at(front(results, "free", model, m), level) for m in METHODS if m.startswith("bdf")]
            others = [o for o in others if o is not None]
            cells.append(f"**{min(others) / mine:.2g}**" if others and mine else "–")
        lines.append(f"| {label}, best of BDF | " + " | ".join(cells) + " | |")
    return "\n".join(lines)


def control_table(results) -> str:
    levels = MODELS["belt"].levels
    lines = ["| | | " + " | ".join(f"{level} %" for level in levels) + " |", "|---|---|" + "---:|" * len(levels)]
    labels = {"soi2": "soi2", "hht_i3": "hht_i3", "bdf5_anew": "BDF ≤ 5, begins anew", "bdf5_on": "BDF ≤ 5, continues"}
    for model in MODELS:
        if not MODELS[model].control:
            continue
        times = {m: [work_at(front(results, "control", model, m), level) for level in levels] for m in labels}
        for method, label in labels.items():
            lines.append(f"| {MODELS[model].title} | {label} | " + " | ".join(number(s) for s in times[method]) + " |")
        for method in ("bdf5_anew", "bdf5_on"):
            ratios = [f"**{b / a:.2g}**" if a and b else "–" for a, b in zip(times["soi2"], times[method])]
            lines.append(f"| | {labels[method]} / soi2 | " + " | ".join(ratios) + " |")
    return "\n".join(lines)


def share_table(results) -> str:
    """The part of BDF's time that is not linear algebra, in the run next below 1 %."""
    lines = ["| | soi2 at 1 % / s | BDF ≤ 5 at 1 % / s | its LU and substitutions | BDF without them / soi2 |", "|---|---:|---:|---:|---:|"]
    for part, method, title in (("free", "bdf5", ""), ("control", "bdf5_anew", ", controlled, begins anew"), ("control", "bdf5_on", ", controlled, continues")):
        for model in MODELS:
            points = front(results, part, model, method)
            mine, its = work_at(front(results, part, model, "soi2"), 1), work_at(points, 1)
            good = [p for p in points if p[0] <= 1 and "linear_seconds" in p[2]]
            if not (mine and its and good) or MODELS[model].repeat > 1:
                continue
            share = float(good[0][2]["linear_seconds"]) / good[0][1]
            lines.append(f"| {MODELS[model].title}{title} | {number(mine)} | {number(its)} | {100 * share:.0f} % | {its * (1 - share) / mine:.2g} |")
    return "\n".join(lines)


def agreement_table(results) -> str:
    lines = ["| | reference | soi2 at 1e-9 differs by |", "|---|---|---:|"]
    for part, title in (("free", ""), ("control", ", controlled")):
        for model in MODELS:
            rows = {r["method"]: r for r in results if r["part"] == part and r["model"] == model}
            if "reference" not in rows:
                continue
            r = rows["reference"]
            kind = f"BDF ≤ 5 at {r['tolerance']}, {r['steps']} steps" if "agreement" in rows else f"soi2 at {r['tolerance']}, {r['steps']} steps"
            off = rows.get("agreement", {}).get("error")
            lines.append(f"| {MODELS[model].title}{title} | {kind} | {float(off):.2g} % |" if off else f"| {MODELS[model].title}{title} | {kind} | – |")
    return "\n".join(lines)


def statistics_table(results) -> str:
    lines = ["| | tolerance | error of means and deviations | s | steps | factorizations |", "|---|---:|---:|---:|---:|---:|"]
    for r in results:
        if r["part"] != "statistics" or "error" not in r:
            continue
        label = METHODS[r["method"]][0] if r["method"] in METHODS else "reference, soi2"
        lines.append(f"| {label} | {r['tolerance']} | {float(r['error']):.2g} % | {float(r['seconds']):.3g} | {r['steps']} | {r['factorizations']} |")
    return "\n".join(lines)


# --- instructions ---

INSTRUCTIONS_END = {"belt": 0.005, "track": 0.05, "atv": 0.05, "andrews": 0.03}


def collected(command: list[str], function: str) -> int:
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--toggle-collect={function}", *command],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip()[-500:])
    return int(re.search(r"Collected : (\d+)", run.stderr)[1]), json.loads(run.stdout)


ADVANCE = "mechfmu::Solver::advance(mechfmu::State&, double, mechfmu::StepObserver*)"
ADVANCE_IDA = "mechfmu::bench::IdaMechanism::advance(double)"


def instructions_table(results) -> str:
    """Instructions of a short part of each run next below 1 %."""
    lines = ["| | s of motion | soi2: M instructions, steps | BDF ≤ 5: M instructions, steps | BDF / soi2 |", "|---|---:|---:|---:|---:|"]
    for model, end in INSTRUCTIONS_END.items():
        cells, counts = [], []
        for method, function in (("soi2", ADVANCE), ("bdf5", ADVANCE_IDA)):
            good = [p for p in front(results, "free", model, method) if p[0] <= 1]
            if not good:
                break
            r = good[0][2]
            velocity = ["--velocity", r["velocity"]] if "velocity" in r else []
            count, facts = collected([PROGRAM, ROOT / "models" / model / f"{model}.xml", *METHODS[method][1], "--tolerance",
                                      # fmt: skip
                                      r["tolerance"], *velocity, "--end", str(end), "--interval", str(MODELS[model].interval)], function)
            counts.append(count)
            cells.append(f"{count / 1e6:.0f}, {facts['steps']}")
        if len(counts) == 2:
            lines.append(f"| {MODELS[model].title} | {end} | " + " | ".join(cells) + f" | {counts[1] / counts[0]:.2g} |")
    return "\n".join(lines)


# --- scaling ---

# Balls in a row, each on a spring and in contact with the next; the first ones are thrown at the
# others.
BALLS = """<mechanism name="balls" gravity="0 0 0" length_scale="0.05">
  <repeat name="i" from="1" to="{n}">
    <body name="b[i]" at="0.1*i 0 0" mass="0.1" inertia="1e-4 1e-4 1e-4" velocity="if(i - 4*floor(i/4) == 0, 1, 0) 0 0"/>
    <bushing name="k[i]" between="ground b[i]" at="0.1*i 0 0" stiffness="1e3 1e3 1e3" damping="0.1 0.1 0.1"
             torsion="10 10 10" torsion_damping="1e-3 1e-3 1e-3"/>
  </repeat>
  <repeat name="i" from="1" to="{m}">
    <contact name="c[i]" between="b[i] b[i+1]" shape="sphere" at="0.1*i 0 0" centre="0.1*i+0.1 0 0" radius_a="0.05" radius="0.05" stiffness="1e6"
             exponent="1.5" damping="0.1" friction="0.3" regularization="0.01"/>
  </repeat>
  <output name="x" value="b[1].position.x" unit="m"/>
</mechanism>
"""
# Frames of the vehicle in a row, welded end to end, the first one held.
FRAMES = """<mechanism name="frames" gravity="0 0 -9.81" length_scale="0.3">
  <repeat name="i" from="1" to="{n}"><flexible name="f[i]" file="frame.flex" at="1.5*i 0 0" modes="{modes}"/></repeat>
  <joint name="wall" type="fixed" between="ground f[1].n16" at="1.5 0 0"/>
  {joints}
  <output name="z" value="f[{n}].n17.position.z" unit="m"/>
</mechanism>
"""
FRAME_JOINT = '<joint name="j[{i}]" type="fixed" between="f[{i}].n17 f[{k}].n16" at="{x} 0 0"/>'


def scaling_row(text: str, folder: Path, end: float, unit: int) -> str:
    (folder / "model.xml").write_text(text)
    (folder / "frame.flex").write_bytes((ROOT / "models" / "atv" / "frame.flex").read_bytes())
    count, facts = collected([PROGRAM, folder / "model.xml", "--tolerance", "1e-5", "--end", str(end), "--interval", str(end)], ADVANCE)
    iterations = max(1, facts["newton"])
    return f"{facts['n']} | {facts['m']} | {facts['steps']} | {facts['newton']} | {facts['factorizations']} | {count / 1e6:.0f} | {count / iterations / unit:.0f}"


def scaling_table(folder: Path, quick: bool) -> str:
    head = "| | n | constraints | steps | iterations | factorizations | M instructions | per iteration and {} |\n|---|" + "---:|" * 7
    lines = [head.format("ball")]
    for n in [25, 100] if quick else [25, 50, 100, 200, 400, 800]:
        say(f"scaling: {n} balls")
        lines.append(f"| {n} balls | " + scaling_row(BALLS.format(n=n, m=n - 1), folder, 0.05, n) + " |")
    lines += ["", head.format("mode")]
    for n in [1, 2] if quick else [1, 2, 4, 8]:
        say(f"scaling: frames in a row, {n}")
        joints = "\n  ".join(FRAME_JOINT.format(i=i, k=i + 1, x=1.5 * i + 1.5) for i in range(1, n))
        lines.append(f"| {n} frame{'s' if n > 1 else ''} of 134 modes | " + scaling_row(FRAMES.format(n=n, modes="all", joints=joints), folder, 0.05, 134 * n) + " |")
    lines += ["", head.format("mode")]
    for modes in [24, 134] if quick else [24, 48, 96, 134]:
        say(f"scaling: {modes} modes")
        lines.append(f"| a frame of {modes} modes | " + scaling_row(FRAMES.format(n=1, modes=modes, joints=""), folder, 0.05, modes) + " |")
    return "\n".join(lines)


# --- figure and page ---


def draw(results) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    styles = {"soi2": ("C0", "o-"), "hht_i3": ("C2", "s-"), "bdf5": ("C3", "^-"), "bdf2": ("C1", "v-"), "bdf1": ("C5", "x-"),
              "bdf5_i3": ("C3", "^:"), "bdf2_i3": ("C1", "v:")}  # fmt: skip
    figure, axes = plt.subplots(2, 4, figsize=(16, 8), constrained_layout=True)
    for k, (model, m) in enumerate(MODELS.items()):
        for method, (color, style) in styles.items():
            points = front(results, "free", model, method)
            if points:
                axes[0][k].loglog([p[0] for p in points], [p[1] for p in points], style, color=color, ms=4, label=METHODS[method][0])
        axes[0][k].set_title(f"{m.title}, {m.end} s of motion")
    control = [model for model in MODELS if MODELS[model].control]
    for k, model in enumerate(control):
        for method, color, style, label in (("soi2", "C0", "o-", "soi2"), ("hht_i3", "C2", "s-", "hht_i3"),
                                            ("bdf5_anew", "C3", "^-", "BDF ≤ 5, begins anew"),
                                            # fmt: skip
                                            ("bdf5_on", "C4", "v--", "BDF ≤ 5, continues")):
            points = front(results, "control", model, method)
            if points:
                axes[1][k].loglog([p[0] for p in points], [p[1] for p in points], style, color=color, ms=4, label=label)
        axes[1][k].set_title(f"{MODELS[model].title}, an input every ms")
    axes[1][3].axis("off")
    for row, place, title in ((0, "upper left", "free running"), (1, "upper right", "with a controller")):
        lines = {label: line for axis in axes[row] for line, label in zip(*axis.get_legend_handles_labels(), strict=True)}
        axes[1][3].add_artist(axes[1][3].legend(lines.values(), lines.keys(), loc=place, title=title, fontsize="small"))
    for axis in [*axes[0], *axes[1][:3]]:
        axis.set_xlabel("error of the worst output / % of its range")
        axis.set_ylabel("processor time / s")
        axis.set_xlim(min(100, axis.get_xlim()[1]), axis.get_xlim()[0])
        axis.grid(True, which="major", alpha=0.4)
        for level in (10, 3, 1, 0.1):
            axis.axvline(level, color="gray", lw=0.5, ls=":")
    figure.savefig(FIGURE, dpi=80)


def fill(name: str, table: str, write: bool) -> None:
    print(f"\n{name}\n\n{table}", flush=True)
    if not write:
        return
    text = PAGE.read_text()
    pattern = re.compile(rf"(<!-- begin:{name} -->\n).*?(<!-- end:{name} -->)", re.DOTALL)
    if not pattern.search(text):
        raise RuntimeError(f"{PAGE} has no place for '{name}'")
    PAGE.write_text(pattern.sub(lambda m: f"{m[1]}\n{table}\n\n{m[2]}", text))


def check(folder: Path) -> int:
    """IDA and mechfmu against the reference results of the models."""
    failed = 0
    for name, m in MODELS.items():
        reference = rows_of(ROOT / "models" / name / "reference.csv")
        end, interval = m.check
        kept = [row for row in reference[1] if row[0] <= end + 1e-9]
        for label, command in (("soi2", ["--solver", "soi2", "--tolerance", "1e-8"]), ("BDF", [*IDA, "--tolerance", "1e-6", "--velocity", "100"])):
            facts, rows = run(name, [*command, "--end", str(end), "--interval", str(interval)], folder, 300)
            error = error_of(rows, (reference[0], kept), m.outputs) if rows else math.inf
            good = error <= m.bound
            failed += not good
            print(f"{name} {label}: {error:.2g} % of the range from reference.csv, at most {m.bound} %{'' if good else ': WRONG'}"
                  + (f" ({facts})" if isinstance(facts, str) else ""))  # fmt: skip
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = ["free", "control", "statistics", "instructions", "scaling"]
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--only", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--parts", nargs="+", choices=parts, default=parts)
    options = parser.parse_args()
    if not PROGRAM.exists() and not options.draw:
        sys.exit("large: build it first, bench/large/large.sh does")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.check:
            return check(folder)
        bench = Bench(options.quick, folder)
        if not options.draw:
            for model in options.only:
                if "free" in options.parts:
                    bench.free(model)
                if "control" in options.parts:
                    bench.control(model)
            if "statistics" in options.parts and "track" in options.only:
                bench.statistics()
        write = not options.quick
        results = bench.results
        if write:
            results = save(results, options.parts, options.only) if results else load()
        results = [{k: v for k, v in r.items() if v not in ("", None)} for r in results]
        for model in MODELS:
            fill(f"free_{model}", free_table(results, model), write)
        fill("control", control_table(results), write)
        fill("share", share_table(results), write)
        fill("agreement", agreement_table(results), write)
        fill("statistics", statistics_table(results), write)
        if "instructions" in options.parts and not options.draw:
            fill("instructions", instructions_table(results), write)
        if "scaling" in options.parts and not options.draw:
            fill("scaling", scaling_table(folder, options.quick), write)
        if write:
            draw(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())

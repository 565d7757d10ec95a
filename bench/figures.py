#!/usr/bin/env python3
"""Draws docs/figures/*.png and fills the tables of docs/.

The pages are docs/{accuracy,accuracy_tables,cost,real_time,scaling}.md. Every number comes from the
programs of bench/. A table is between the lines <!-- begin:NAME --> and <!-- end:NAME -->; its
command is in PAGES below. The comparison with other solvers is made only on request (--only peers,
--only peers_spatial): it needs the programs that bench/peers/peers.sh installs.
"""

import argparse
import csv
import math
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import matplotlib
except ImportError:
    sys.exit("figures: matplotlib is needed; run bench/figures.sh, which uses the Python of build/venv")
matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

ALTERNATING = ["--steps", "alternating"]
PLAIN = ["--start", "plain"]

ACCURACY = {
    "default_accuracy": ["default_accuracy.py"],
    "adaptive": ["adaptive"],
    "soi2_rescaled": ["convergence", "soi2_problem", *ALTERNATING, *PLAIN],
    "soi2_not_rescaled": ["convergence", "soi2_problem", *ALTERNATING, *PLAIN, "--no-rescale"],
    "nonholonomic": ["convergence", "nonholonomic_problem", *PLAIN],
    "andrews_rescaled": ["convergence", "andrews", "--rho", "0.2", *ALTERNATING],
}
ACCURACY_TABLES = {
    "soi2_only_a": ["convergence", "soi2_problem", *ALTERNATING, *PLAIN, "--no-rescale-Ma"],
    "soi2_only_Ma": ["convergence", "soi2_problem", *ALTERNATING, *PLAIN, "--no-rescale-a"],
    "soi2_default_start": ["convergence", "soi2_problem", *ALTERNATING],
    "nonholonomic_max_plain": ["convergence", "nonholonomic_problem", *PLAIN, "--error", "max"],
    "nonholonomic_max_fresh": ["convergence", "nonholonomic_problem", "--error", "max"],
    "rolling_disk": ["convergence", "rolling_disk", "--levels", "7"],
    "rolling_disk_not_rescaled": ["convergence", "rolling_disk", *ALTERNATING, "--no-rescale"],
    "slider_crank": ["convergence", "slider_crank"],
    "slider_crank_arnold_bruls": ["convergence", "slider_crank", "--method", "arnold_bruls"],
    "slider_crank_hht": ["convergence", "slider_crank", "--method", "hht_i3"],
    "andrews": ["convergence", "andrews"],
    "andrews_arnold_bruls": ["convergence", "andrews", "--method", "arnold_bruls"],
    "andrews_hht": ["convergence", "andrews", "--method", "hht_i3"],
    "andrews_hht_printed": ["convergence", "andrews", "--method", "hht_i3_printed"],
    "andrews_not_rescaled": ["convergence", "andrews", "--rho", "0.2", *ALTERNATING, "--no-rescale"],
    "andrews_hht_rescaled": ["convergence", "andrews", "--method", "hht_i3", *ALTERNATING],
    "andrews_hht_not_rescaled": ["convergence", "andrews", "--method", "hht_i3", *ALTERNATING, "--no-rescale"],
    "heavy_top": ["spatial", "heavy_top", "--body-axes"],
    "heavy_top_strong": ["spatial", "heavy_top", "--body-axes", "--rho", "0.2"],
    "heavy_top_frame": ["spatial", "heavy_top"],
    "spatial_four_bar": ["spatial", "spatial_four_bar", "--pairs", "400"],
    "heavy_top_not_rescaled": ["spatial", "heavy_top", "--body-axes", "--no-rescale"],
    "spatial_four_bar_not_rescaled": ["spatial", "spatial_four_bar", "--pairs", "400", "--no-rescale"],
    "rotor_top": ["rotors", "top"],
    "rotor_vehicle": ["rotors", "vehicle"],
    "singular": ["singular"],
    "stiff": ["stiff"],
}
COSTS = {
    "step_cost": ["step_cost"],
    "instructions": ["instructions.py"],
    "fmi_overhead": ["fmi_overhead"],
    "export_cost": ["export_cost.py"],
    "sweep_throughput": ["sweep_throughput.py"],
    "input_jumps": ["input_jumps.py"],
    "idle_contacts": ["idle_contacts.py"],
}
SCALING = {
    "scaling": ["scaling"],
    "scaling_instructions": ["scaling_instructions.py"],
    "peers": ["peers/peers.py"],
    "peers_spatial": ["peers/peers.py", "--spatial"],
}
REAL_TIME = {"real_time": ["real_time.py", "cart_pole", "crane", "gough_stewart", "slider_crank", "vehicle"]}
PAGES = {
    "accuracy": ACCURACY,
    "accuracy_tables": ACCURACY_TABLES,
    "cost": COSTS,
    "real_time": REAL_TIME,
    "scaling": SCALING,
}
ON_REQUEST = {"peers", "peers_spatial"}

STYLE = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": 150,
    "figure.facecolor": "white",
    "font.size": 11,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "lines.markersize": 7,
    "savefig.facecolor": "white",
}
# Column of the CSV: (quantity, marker of the papers, color)
ERRORS = {
    "y": (r"$\|y_n - y(t_n)\|_2$", "s", "#0072B2"),
    "z": (r"$\|z_n - z(t_n)\|_2$", "o", "#D55E00"),
    "a": (r"$\|a_{n+\alpha} - a(t_n + \alpha h)\|_2$", "x", "#009E73"),
    "lambda": (r"$\|\lambda_n - \lambda(t_n)\|_2$", "+", "#CC79A7"),
    "psi": (r"$\|\psi_n - \psi(t_n)\|_2$", "$*$", "#444444"),
}
# Label: (options, marker, color)
METHODS = {
    r"soi2, $\rho_\infty = 0.7$": (["--rho", "0.7"], "s", "#0072B2"),
    r"arnold_bruls, $\rho_\infty = 0.7$": (["--method", "arnold_bruls", "--rho", "0.7"], "o", "#D55E00"),
    r"hht_i3, $\alpha = -0.3$": (["--method", "hht_i3", "--hht", "-0.3"], "^", "#009E73"),
}
# Name, marker and color
STRUCTURES = [
    ("chain", "s", "#0072B2"),
    ("tree", "o", "#D55E00"),
    ("ladder", "^", "#009E73"),
    ("spatial_arm", "D", "#CC79A7"),
    ("spatial_tree", "v", "#444444"),
]
PRINTED = {
    r"hht_i3 as printed, $\alpha = -0.3$": (["--method", "hht_i3_printed", "--hht", "-0.3"], "v", "#CC79A7")
}


class Programs:
    """The built programs, by name."""

    def __init__(self, build: Path):
        self.build = build

    def run(self, *command: str) -> str:
        run = subprocess.run([self.build / "bench" / command[0], *command[1:]],
                             capture_output=True, text=True, check=False)  # fmt: skip
        if run.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {run.stderr.strip()}")
        return run.stdout

    def columns(self, *command: str) -> dict[str, list[float]]:
        """Runs a command with --csv and returns the columns of the file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out.csv"
            self.run(*command, "--csv", str(path))
            with path.open(newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        return {name: [float(row[name]) for row in rows] for name in rows[0]}


# --- figures ---


def save(figure, name: str) -> None:
    (DOCS / "figures").mkdir(parents=True, exist_ok=True)
    figure.savefig(DOCS / "figures" / f"{name}.png", metadata={"Software": None})
    plt.close(figure)


def slope_triangle(axis, order: int, right: float, bottom: float, factor: float = 2.5) -> None:
    """A triangle with the slope of h^order; its lower right corner is at (right, bottom)."""
    left, top = right / factor, bottom * factor**order
    axis.fill([left, right, right], [bottom, bottom, top], facecolor="0.9", edgecolor="0.35", linewidth=0.9)
    axis.annotate(str(order), (right, math.sqrt(bottom * top)), xytext=(5, 0), textcoords="offset points",
                  va="center", color="0.25")  # fmt: skip
    axis.annotate("1", (math.sqrt(left * right), bottom), xytext=(0, -4), textcoords="offset points",
                  ha="center", va="top", color="0.25")  # fmt: skip


def draw_errors(programs: Programs, name: str, title: str, command: list[str], kinds: list[str], h: str, triangles):
    """Errors over the step size; `triangles` are orders with their lower right corners."""
    data = programs.columns(*command)
    figure, axis = plt.subplots(figsize=(7, 5.4), layout="constrained")
    for kind in kinds:
        label, marker, color = ERRORS[kind]
        axis.loglog(data["h"], data[kind], marker=marker, color=color, label=label,
                    markerfacecolor="none" if marker in "so" else color)  # fmt: skip
    for order, right, bottom in triangles:
        slope_triangle(axis, order, right, bottom)
    axis.set_xlabel(f"step size {h}")
    axis.set_ylabel("error at the end of the run (2-norm)")
    axis.set_title(title, fontsize=11)
    axis.legend(loc="upper left")
    save(figure, name)


def draw_methods(programs: Programs, name: str, title: str, command: list[str], methods, panels):
    """One panel per (column, label, triangles) with the relative error of each method."""
    figure, axes = plt.subplots(1, len(panels), figsize=(10, 4.9), layout="constrained")
    results = {label: programs.columns(*command, *options) for label, (options, _, _) in methods.items()}
    for axis, (column, label, triangles) in zip(axes, panels):
        for method, data in results.items():
            _, marker, color = methods[method]
            axis.loglog(data["h"], data[column], marker=marker, color=color, markerfacecolor="none", label=method)
        for order, right, bottom in triangles:
            slope_triangle(axis, order, right, bottom)
        axis.set_xlabel("step size h [s]")
        axis.set_ylabel(f"relative error of {label} at the end")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    figure.suptitle(title, fontsize=11)
    save(figure, name)


def draw_motion(programs: Programs) -> None:
    coarse = programs.columns("trajectory", "slider_crank", "--rho", "0.7", "--fixed-step", "5e-3", "--every", "5e-3")
    fine = programs.columns("trajectory", "slider_crank", "--tolerance", "1e-9", "--every", "2e-3")
    figure, axes = plt.subplots(2, sharex=True, figsize=(7, 5.4), layout="constrained")
    for axis, (column, label) in zip(axes, {"theta1 [rad]": r"crank angle $\theta_1$ [rad]",
                                            # fmt: skip
                                            "x4 [m]": r"mass on the spring $x_4$ [m]"}.items()):
        axis.plot(coarse["t [s]"], coarse[column], "o", color="#56B4E9", markersize=4.5, markerfacecolor="none",
                  label=r"soi2, $\rho_\infty = 0.7$, h = 5 ms")  # fmt: skip
        axis.plot(fine["t [s]"], fine[column], color="0.15", linewidth=1, label="soi2, tolerance 1e-9")
        axis.set_ylabel(label)
    axes[0].legend(loc="upper left")
    axes[1].set_xlabel("time t [s]")
    figure.suptitle("Slider-crank with a mass on a spring (Arnold & Brüls, Fig. 2)", fontsize=11)
    save(figure, "slider_crank_motion")


def draw_all(programs: Programs) -> None:
    soi2 = ["convergence", "soi2_problem", *ALTERNATING, *PLAIN, "--levels", "8"]
    five = ["y", "z", "a", "lambda", "psi"]
    draw_errors(programs, "soi2_fig1", "Test problem of Jay & Negrut, soi2, ρ∞ = 0.2, steps h/3 and 2h/3,\n"
                "with (15) and (16)", soi2, five, "h", [(2, 0.1, 2e-8)])  # fmt: skip
    draw_errors(programs, "soi2_fig2", "Test problem of Jay & Negrut, soi2, ρ∞ = 0.2, steps h/3 and 2h/3,\n"
                "with neither (15) nor (16)", [*soi2, "--no-rescale"], five, "h",
                [(2, 0.1, 3e-7), (1, 0.024, 3e-6)])  # fmt: skip
    draw_errors(programs, "nonholonomic_fig7_1", "Nonholonomic test problem (7.1) of Jay, ρ∞ = 0.2, constant steps",
                ["convergence", "nonholonomic_problem", *PLAIN, "--levels", "7"],
                ["y", "z", "a", "psi"], "h", [(2, 0.025, 7e-7)])  # fmt: skip
    draw_errors(programs, "nonholonomic_fig7_2", "Rolling disk (7.2) of Jay at t = 10 s, ρ∞ = 0.2, constant steps",
                ["convergence", "rolling_disk", *PLAIN, "--levels", "7"],
                ["y", "z", "psi"], "h [s]", [(2, 0.025, 1.3e-6)])  # fmt: skip
    draw_methods(programs, "slider_crank_convergence", "Slider-crank at t = 1 s (Arnold & Brüls, Fig. 3)",
                 ["convergence", "slider_crank", "--levels", "7"], METHODS,
                 [("relative:theta1", r"$\theta_1$", [(2, 5e-3, 2e-6)]),
                  ("relative:lambda[1]", r"$\lambda_1$", [(2, 5e-3, 8e-5)])])  # fmt: skip
    draw_methods(programs, "andrews_convergence",
                 "Andrews' squeezing mechanism at t = 0.03 s (Arnold & Brüls, Fig. 9)",
                 ["convergence", "andrews", "--levels", "7"], METHODS | PRINTED,
                 [("relative:beta", r"$\beta$", [(2, 3e-4, 1.4e-6), (1, 1.6e-5, 9e-5)]),
                  # fmt: skip
                  ("relative:lambda[1]", r"$\lambda_1$", [(2, 3e-4, 8e-6), (1, 1.2e-5, 1.2e-4)])])
    draw_motion(programs)


def draw_scaling(rows: list[dict[str, str]]) -> None:
    """Time per step and body, and of factorization, against the number of bodies."""
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
        for name, marker, color in STRUCTURES:
            own = [row for row in rows if row["mechanism"] == name]
            bodies = [float(row["bodies"]) for row in own]
            left.loglog(bodies, [1e6 * float(row["step"]) for row in own], marker=marker, color=color, label=name)
            factor = [1e6 * float(row["factor"]) for row in own]
            right.loglog(bodies, factor, marker=marker, color=color, label=f"{name}, block LU")
            sparse = [t * float(row["sparse_factor"]) for t, row in zip(factor, own, strict=True)]
            right.loglog(bodies, sparse, marker=marker, color=color, linestyle=":", label=f"{name}, SparseLU")
        left.set(xlabel="bodies", ylabel="µs per step and body", title="One step", ylim=(0.05, 2))
        right.set(xlabel="bodies", ylabel="µs per body", title="Factorization of the Newton matrix", ylim=(0.05, 200))
        left.legend()
        right.legend(fontsize=7, loc="upper left", ncols=3, columnspacing=1)
        save(figure, "scaling")


# --- tables ---


def table_text(programs: Programs, command: list[str]) -> str:
    """The command and its output, as Markdown."""
    if command[0].endswith(".py"):
        if ("instructions" in command[0] or "real_time" in command[0]) and not shutil.which("valgrind"):
            return ""
        script = [sys.executable, ROOT / "bench" / command[0], *command[1:], "--build", programs.build]
        output = subprocess.run(script, stdout=subprocess.PIPE, text=True, check=True).stdout
    elif command[0] == "scaling":
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scaling.csv"
            output = programs.run(*command, "--markdown", "--csv", str(path))
            with path.open(newline="", encoding="utf-8") as file:
                draw_scaling(list(csv.DictReader(file)))
    else:
        output = programs.run(*command, "--markdown")
    return f"`{' '.join(command)}`\n\n{output.strip()}"


def fill(page: str, name: str, text: str) -> str:
    """Puts text between the markers of a table; the page must have them exactly once."""
    pattern = re.compile(rf"(<!-- begin:{re.escape(name)} -->\n).*?(<!-- end:{re.escape(name)} -->)", re.DOTALL)
    filled, count = pattern.subn(lambda match: f"{match[1]}\n{text}\n\n{match[2]}", page)
    if count != 1:
        raise RuntimeError(f"there are {count} pairs of markers begin:{name} … end:{name}, one is needed")
    return filled


def fill_page(programs: Programs, path: Path, tables: dict[str, list[str]], only: str | None) -> None:
    page = path.read_text(encoding="utf-8")
    for name, command in tables.items():
        if only not in ({name} if name in ON_REQUEST else {None, path.stem, name}):
            continue
        if text := table_text(programs, command):
            page = fill(page, name, text)
        else:
            print(f"figures: valgrind was not found; the table '{name}' stays as it is", file=sys.stderr)
    path.write_text(page, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder (default: build)")
    parts = ["figures", *PAGES, *(name for tables in PAGES.values() for name in tables)]
    parser.add_argument("--only", choices=parts, metavar="PART", help="figures, a page of docs, or the name of a table")
    options = parser.parse_args()
    programs = Programs(options.build)
    try:
        with plt.rc_context(STYLE):
            if options.only in (None, "figures"):
                draw_all(programs)
        for page, tables in PAGES.items():
            fill_page(programs, DOCS / f"{page}.md", tables, options.only)
    except (OSError, RuntimeError) as error:
        print(f"figures: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

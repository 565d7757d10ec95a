"""Plot a result of a sweep over two of its variables: a color map on a grid, otherwise one point
per run.

    python -m mechfmu.sweep.map study.results torque stiffness spring.force.max map.png
"""

import argparse
import csv
import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def read_table(folder: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Return columns of numbers, NaN in failed runs, and their units."""
    with open(folder / "table.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name not in ("status", "message")]
    columns = {name: np.array([as_number(row[name]) for row in rows]) for name in names}
    return columns, json.loads((folder / "study.json").read_text(encoding="utf-8"))["units"]


def as_number(text: str) -> float:
    return {"": np.nan, "True": 1.0, "False": 0.0}.get(text) if text in ("", "True", "False") else float(text)


def draw_map(axis, folder: Path, x: str, y: str, color: str, **style) -> None:
    columns, units = read_table(folder)
    for name in (x, y, color):
        if name not in columns:
            raise KeyError(f"{folder / 'table.csv'} has no column {name}; it has {', '.join(columns)}")
    label = {name: f"{name} [{units[name]}]" if name in units else name for name in (x, y, color)}
    grid = [np.unique(columns[name]) for name in (x, y)]
    if len(grid[0]) * len(grid[1]) == len(columns["run"]):
        field = np.full((len(grid[1]), len(grid[0])), np.nan)
        field[np.searchsorted(grid[1], columns[y]), np.searchsorted(grid[0], columns[x])] = columns[color]
        shown = axis.pcolormesh(*grid, field, shading="nearest", **style)
    else:
        fine = np.isfinite(columns[color])
        axis.plot(columns[x][~fine], columns[y][~fine], "kx", markersize=4)
        shown = axis.scatter(columns[x][fine], columns[y][fine], c=columns[color][fine], s=9, **style)
    for name, values in zip("xy", grid):
        if values[0] > 0 and values[-1] > 30 * values[0]:
            getattr(axis, f"set_{name}scale")("log")
    axis.set(xlabel=label[x], ylabel=label[y])
    axis.figure.colorbar(shown, label=label[color])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="Results folder written by mechfmu.sweep")
    parser.add_argument("x", help="Column for the horizontal axis")
    parser.add_argument("y", help="Column for the vertical axis")
    parser.add_argument("color", help="Column for the color, such as x.end")
    parser.add_argument("picture", type=Path, help="Picture to write: PNG, SVG or PDF")
    options = parser.parse_args()
    figure, axis = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
    try:
        draw_map(axis, options.results, options.x, options.y, options.color)
    except (OSError, KeyError) as error:
        print(f"sweep_map: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 1
    figure.savefig(options.picture, dpi=120)
    return 0


if __name__ == "__main__":
    sys.exit(main())

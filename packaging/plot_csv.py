#!/usr/bin/env python3
"""Draws a CSV file of results as a picture.

The first column is the abscissa. A column may have its unit in brackets, "theta1 [rad]"; columns of
the same unit share one panel, a column without a unit has a separate panel.
"""

import argparse
import csv
import importlib.util
import math
import re
import sys
from pathlib import Path
from typing import NamedTuple


class Column(NamedTuple):
    name: str
    unit: str | None
    values: list[float]

    @property
    def label(self) -> str:
        return f"{self.name} [{self.unit}]" if self.unit else self.name


def split_unit(header: str) -> tuple[str, str | None]:
    """Turns "theta1 [rad]" into ("theta1", "rad"); "y[1]" and "t" have no unit."""
    match = re.fullmatch(r"(.*\S)\s+\[([^\[\]]*)\]", header.strip())
    return (match[1], match[2].strip() or None) if match else (header.strip(), None)


def read_columns(path: Path) -> list[Column]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row]
    if len(rows) < 2 or len(rows[0]) < 2:
        raise ValueError(f"{path}: nothing to plot; a header line, data lines and two columns are needed")
    header, data = rows[0], rows[1:]
    columns = [Column(*split_unit(name), []) for name in header]
    for line, row in enumerate(data, start=2):
        if len(row) != len(header):
            raise ValueError(f"{path}, row {line}: {len(row)} values, but the header names {len(header)}")
        for column, text in zip(columns, row):
            try:
                column.values.append(float(text) if text.strip() else math.nan)
            except ValueError:
                raise ValueError(f"{path}, row {line}: {column.name} is not a number: {text!r}") from None
    return columns


def panels(columns: list[Column]) -> list[list[Column]]:
    """Groups columns by unit, in the order in which the units first appear."""
    groups: dict[object, list[Column]] = {}
    for i, column in enumerate(columns):
        groups.setdefault(column.unit or i, []).append(column)
    return list(groups.values())


def is_roundoff(panel: list[Column]) -> bool:
    """A panel of zeros and squares of rounding errors, which the scale of the axis would magnify."""
    return all(abs(value) < 1e-25 for column in panel for value in column.values if math.isfinite(value))


def draw(columns: list[Column], picture: Path, title: str | None) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from cycler import cycler

    abscissa, groups = columns[0], panels(columns[1:])
    style = {
        "axes.grid": True,
        # ten colors, then the same dashed, then dotted
        "axes.prop_cycle": cycler(linestyle=["-", "--", ":"]) * cycler(color=plt.get_cmap("tab10").colors),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.xmargin": 0.01,
        "grid.alpha": 0.3,
        "legend.frameon": False,
        "lines.linewidth": 1.4,
    }
    with plt.rc_context(style):
        figure, axes = plt.subplots(
            len(groups), sharex=True, squeeze=False, figsize=(8, 1.2 + 1.9 * len(groups)), layout="constrained"
        )
        for axis, group in zip(axes[:, 0], groups):
            for column in group:
                axis.plot(abscissa.values, column.values, label=column.name)
            if is_roundoff(group):
                axis.set_ylim(-1, 1)
            if len(group) == 1:
                axis.set_ylabel(group[0].label)
            else:
                axis.set_ylabel(f"[{group[0].unit}]")
                axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        axes[-1, 0].set_xlabel(abscissa.label)
        figure.align_ylabels()
        if title:
            figure.suptitle(title)
        figure.savefig(picture, dpi=150)
        plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", type=Path, help="CSV file with results")
    parser.add_argument("picture", type=Path, help="Picture to write: .png, .svg or .pdf")
    parser.add_argument("--title", help="Title of the picture")
    options = parser.parse_args(arguments)
    if importlib.util.find_spec("matplotlib") is None:
        print("matplotlib is needed and was not found: python3 -m pip install matplotlib", file=sys.stderr)
        return 1
    try:
        draw(read_columns(options.csv), options.picture, options.title)
    except (OSError, ValueError) as error:
        print(f"plot_csv: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

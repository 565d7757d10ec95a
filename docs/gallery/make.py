#!/usr/bin/env python3
"""Makes the gallery: pages and films of all mechanism files of models/ and of the vehicle.

docs/gallery/make.py             pages in build/gallery, with an index
docs/gallery/make.py --films     and the films of docs/gallery and of the README, which takes some minutes
"""

import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "build" / "mechfmu"
HERE = Path(__file__).resolve().parent
PAGES = ROOT / "build" / "gallery"


def table(names: str, stop: float, row, step: float = 0.05) -> str:
    """CSV of inputs over time."""
    count = round(stop / step)
    return "\n".join([f"time,{names}", *(",".join(f"{x:.7g}" for x in (i * step, *row(i * step))) for i in range(count + 1))]) + "\n"


def ramp(t: float, begin: float, end: float) -> float:
    return min(max((t - begin) / (end - begin), 0.0), 1.0)


def driven_platform() -> Path:
    """The platform with legs whose lengths are given instead of forces, which would need a controller."""
    text = (ROOT / "models/gough_stewart/gough_stewart.xml").read_text()
    law = "step(time, 0, 0, 1, 1)*0.07m*sin(2*pi*time/3s + force*60deg)"
    text = text.replace('<force name="push" joint="slide" value="force"/>', f'<driver name="push" joint="slide" value="{law}"/>')
    for leg in range(1, 7):
        text = text.replace(f'force="f{leg}"', f'force="{leg}"')
    PAGES.mkdir(parents=True, exist_ok=True)
    (PAGES / "gough_stewart.xml").write_text(text)
    return PAGES / "gough_stewart.xml"


# name: (file, options, inputs over time)
ENTRIES = {
    "slider_crank": ("models/slider_crank/slider_crank.xml", ["--stop", "2"], None),
    "four_bar": ("models/four_bar/four_bar.xml", ["--stop", "4"], None),
    "crane": (
        "models/crane/crane.xml",
        ["--stop", "8"],
        table("lift_valve,jib_valve", 8, lambda t: (0.45 * math.sin(2 * math.pi * t / 8), 0.5 * math.sin(2 * math.pi * t / 8 + 0.6)), 0.02),
    ),
    "gough_stewart": (driven_platform(), ["--stop", "7"], None),
    "vehicle": (
        "examples/vehicle/vehicle.xml",
        ["--stop", "10"],
        table("torque,steering", 10, lambda t: (6, 0.5 * math.sin(0.9 * t))),
    ),
    "double_wishbone": (
        "models/double_wishbone/double_wishbone.xml",
        ["--stop", "3"],
        table("road,steer", 3, lambda t: (0.05 * math.sin(5 * t) * ramp(t, 0, 0.4), 0.03 * math.sin(3 * t)), 0.01),
    ),
    "rolling_wheel": ("models/rolling_wheel/rolling_wheel.xml", ["--stop", "3.2"], None),
    "spatial_four_bar": ("models/spatial_four_bar/spatial_four_bar.xml", [], None),
    "cart_pole": ("models/cart_pole/cart_pole.xml", [], None),
    "andrews": ("models/andrews/andrews.xml", [], None),
}  # fmt: skip


def animate(name: str, output: Path, *more: str) -> None:
    file, options, inputs = ENTRIES[name]
    words = [TOOL, "animate", ROOT / file, *options, *more, "-q", "-o", output]
    if inputs is not None:
        (PAGES / f"{name}.csv").write_text(inputs)
        words += ["--input", PAGES / f"{name}.csv"]
    subprocess.run([str(word) for word in words], check=True)
    print(output.relative_to(ROOT), f"{output.stat().st_size / 1e6:.2f} MB")


def main() -> None:
    PAGES.mkdir(parents=True, exist_ok=True)
    for name in ENTRIES:
        animate(name, PAGES / f"{name}.html")
    rows = "\n".join(f'<li><a href="{name}.html">{name}</a></li>' for name in ENTRIES)
    (PAGES / "index.html").write_text(f'<!doctype html>\n<meta charset="utf-8">\n<title>mechfmu</title>\n<ul>\n{rows}\n</ul>\n')
    if "--films" not in sys.argv[1:]:
        return
    for name in ENTRIES:
        animate(name, HERE / f"{name}.gif", "--size", "260x180", "--fps", "12")
    animate("gough_stewart", ROOT / "docs/figures/gough_stewart.gif", "--size", "520x360", "--fps", "14")
    animate("vehicle", ROOT / "docs/figures/vehicle.gif", "--size", "480x300", "--fps", "12")


if __name__ == "__main__":
    main()

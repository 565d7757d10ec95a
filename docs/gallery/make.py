#!/usr/bin/env python3
"""Makes the gallery: pages and videos of all mechanism files of models/ and of the closed loops of examples/.

build/venv/bin/python docs/gallery/make.py                pages in build/gallery, with an index
build/venv/bin/python docs/gallery/make.py --videos        and the videos of docs/gallery, which takes some minutes
build/venv/bin/python docs/gallery/make.py --videos belt   of these entries only
"""

import math
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from mechfmu.couple.controller import make_law  # noqa: E402
from mechfmu.couple.loop import join  # noqa: E402
from mechfmu.couple.modules import load_module  # noqa: E402
from mechfmu.fmu import Instance  # noqa: E402

TOOL = ROOT / "build" / "mechfmu"
HERE = Path(__file__).resolve().parent
PAGES = ROOT / "build" / "gallery"


@dataclass
class Entry:
    about: str
    readme: str = ""  # of the model; by default models/<name>
    file: str = ""  # the mechanism file; by default that of the model
    loop: str = ""  # the closed loop of examples/ that moves it
    more: str = ""  # another page: its name and its folder in examples/
    options: list[str] = field(default_factory=list)
    video: list[str] = field(default_factory=lambda: ["--fps", "10"])
    inputs: str = ""  # CSV


def table(names: str, stop: float, row, step: float = 0.02) -> str:
    """CSV of inputs over time."""
    count = round(stop / step)
    return "\n".join([f"time,{names}", *(",".join(f"{x:.7g}" for x in (i * step, *row(i * step))) for i in range(count + 1))]) + "\n"


def ramp(t: float, begin: float, end: float) -> float:
    return min(max((t - begin) / (end - begin), 0.0), 1.0)


def valves(t: float) -> tuple[float, float]:
    return 0.45 * math.sin(2 * math.pi * t / 8), 0.5 * math.sin(2 * math.pi * t / 8 + 0.6)


def road_and_steer(t: float) -> tuple[float, float]:
    return 0.05 * math.sin(5 * t) * ramp(t, 0, 0.4), 0.03 * math.sin(3 * t)


ENTRIES = {
    "slider_crank": Entry("slider-crank", loop="slider_crank"),
    "gough_stewart": Entry("Gough-Stewart platform", loop="gough_stewart"),
    "crane": Entry("crane", options=["--stop", "8"], inputs=table("lift_valve,jib_valve", 8, valves)),
    "vehicle": Entry("vehicle", readme="examples/vehicle", loop="vehicle", video=["--speed", "3", "--fps", "7"]),
    "atv": Entry("all-terrain vehicle", more="steered by wire: steer_by_wire", video=["--speed", "0.5", "--fps", "10"]),
    "track": Entry("excavator track", options=["--stop", "5", "--set", "speed=1.6"], video=["--fps", "10"]),
    "belt": Entry("belt drive", video=["--speed", "0.005", "--fps", "10"]),
    "double_wishbone": Entry("double wishbone", options=["--stop", "3"], inputs=table("road,steer", 3, road_and_steer, 0.01)),
    "four_bar": Entry("four-bar", options=["--stop", "4"]),
    "spatial_four_bar": Entry("spatial four-bar"),
    "andrews": Entry("Andrews' mechanism", video=["--speed", "0.006", "--fps", "10"]),
    "rolling_wheel": Entry("rolling wheel", options=["--stop", "3.2"]),
    "cart_pole": Entry("cart-pole", loop="cart_pole", video=["--speed", "1.5", "--fps", "10"]),
    "crane_loop": Entry("crane with the oil that lifts it", readme="examples/crane", file="examples/crane/whole.xml", video=["--speed", "2", "--fps", "10"]),
    "virtual_mass": Entry("trolley", readme="examples/virtual_mass", loop="virtual_mass"),
}

# Larger videos, of the README and of docs/animation.md
FIGURES = {
    "gough_stewart": ["--size", "520x360", "--fps", "14"],
    "vehicle": ["--size", "480x300", "--speed", "3", "--fps", "7"],
}


def whole(name: str) -> tuple[Path, list[str]]:
    """The mechanism of a loop with the equations of its controller inside, and options to run it."""
    loop = load_module(ROOT / "examples" / name / "loop.py").LOOP
    (mechanism,) = loop.mechanisms.values()
    file = join((loop.home / mechanism).resolve(), loop.home / loop.whole, PAGES / f"{name}.xml")
    own = {port.partition(".")[2]: value for port, value in loop.values.items() if port.startswith("plant.")}
    return file, ["--stop", str(loop.stop), *(word for key, value in own.items() for word in ("--set", f"{key}={value}"))]


def balanced_cart() -> tuple[Path, list[str]]:
    """The cart with its sampled controller: FMPy runs the FMU, and the page shows its result."""
    loop = load_module(ROOT / "examples/cart_pole/loop.py").LOOP
    law = make_law(ROOT / "examples/cart_pole/controller.py")
    fmu = PAGES / "cart_pole.fmu"
    subprocess.run([TOOL, "export", ROOT / "models/cart_pole/cart_pole.xml", "--poses", "--fmi", "2", "-q", "-o", fmu], check=True)
    with Instance(fmu) as cart:
        outputs = [name for name, v in cart.variables.items() if v.causality == "output"]
        cart.start({port.partition(".")[2]: value for port, value in loop.values.items()})
        lines = [",".join(["time", *outputs])]
        for i in range(round(loop.stop / loop.step) + 1):
            if i > 0:
                cart.step((i - 1) * loop.step, loop.step)
            values = dict(zip(outputs, cart.get(outputs), strict=True))
            lines.append(",".join(f"{x:.9g}" for x in (i * loop.step, *values.values())))
            law.position, law.speed, law.angle, law.rate = (values[name] for name in ("position", "speed", "angle", "angle.rate"))
            law.start()
            cart.set({"force": law.force})
    (PAGES / "cart_pole.csv").write_text("\n".join(lines) + "\n")
    return fmu, ["--result", str(PAGES / "cart_pole.csv")]


def prepared(name: str) -> list[str]:
    """The file and the options of an entry."""
    entry = ENTRIES[name]
    if entry.loop == "cart_pole":
        file, options = balanced_cart()
    elif entry.loop:
        file, options = whole(entry.loop)
    else:
        file, options = ROOT / (entry.file or f"models/{name}/{name}.xml"), entry.options
    if entry.inputs:
        (PAGES / f"{name}.csv").write_text(entry.inputs)
        options = [*options, "--input", str(PAGES / f"{name}.csv")]
    return [str(file), *options]


def animate(words: list[str], output: Path, *more: str) -> None:
    subprocess.run([str(TOOL), "animate", *words, *more, "-q", "-o", str(output)], check=True)
    print(output.relative_to(ROOT), f"{output.stat().st_size / 1e6:.2f} MB", flush=True)


def index() -> str:
    """The table of the README of this folder."""
    cells = []
    for name, entry in ENTRIES.items():
        place = entry.readme or f"models/{name}"
        by = f", [controlled](../../examples/{entry.loop}/README.md)" if entry.loop and not entry.readme else ""
        if entry.more:
            words, _, folder = entry.more.partition(": ")
            by += f", [{words}](../../examples/{folder}/README.md)"
        cells.append(f"![{entry.about}]({name}.gif) [{entry.about}](../../{place}/README.md){by}")
    rows = [cells[i : i + 3] for i in range(0, len(cells), 3)]
    return "\n".join(["| | | |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def main() -> None:
    PAGES.mkdir(parents=True, exist_ok=True)
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")] or list(ENTRIES)
    for name in wanted:
        words = prepared(name)
        animate(words, PAGES / f"{name}.html")
        if "--videos" in sys.argv[1:]:
            animate(words, HERE / f"{name}.gif", "--size", "260x180", *ENTRIES[name].video)
            if name in FIGURES:
                animate(words, ROOT / "docs/figures" / f"{name}.gif", *FIGURES[name])
    rows = "\n".join(f'<li><a href="{name}.html">{entry.about}</a></li>' for name, entry in ENTRIES.items())
    (PAGES / "index.html").write_text(f'<!doctype html>\n<meta charset="utf-8">\n<title>mechfmu</title>\n<ul>\n{rows}\n</ul>\n')
    readme = HERE / "README.md"
    readme.write_text(readme.read_text().partition("| | | |")[0] + index())


if __name__ == "__main__":
    main()

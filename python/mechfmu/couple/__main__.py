"""Build closed loops of a mechanism and its controller, run them in every master, measure and plot
them.

    python -m mechfmu.couple examples                        list the loops in a folder
    python -m mechfmu.couple examples/cart_pole              all reports on one loop
    python -m mechfmu.couple examples/cart_pole --only plot
"""

import argparse
import os
import sys
from pathlib import Path

from . import load, loops, report


def standard_parts(loop) -> dict:
    file = loop.home / f"{loop.name}.png"
    if loop.has_algebraic_loop:
        return {"plot": lambda loop: report.plot(loop, report.run_in("own", loop, 2, inputs="implicit"), file)}
    return {
        "masters": report.compare_masters,
        "roundoff": report.roundoff,
        "cost": report.cost,
        "plot": lambda loop: report.plot(loop, report.run_in("fmpy_loop", loop, 2), file),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="mechfmu.couple", description=__doc__.split("\n")[0])
    parser.add_argument("loop", type=Path, help="Folder with a file loop.py, or a folder of such folders to list them")
    parser.add_argument("--only", help="Run one part only: masters, roundoff, orders, cost, plot, or a part that the loop defines")
    arguments = parser.parse_args()
    if not (arguments.loop / "loop.py").exists():
        found = loops(arguments.loop)
        for folder in found:
            print(f"{folder.name:<16} {load(folder).LOOP.about}")
        if not found:
            near = ", ".join(folder.name for folder in loops(arguments.loop.parent))
            sys.exit(f"couple: no loop at '{arguments.loop}'" + (f"; choose from {near}" if near else ""))
        return
    module = load(arguments.loop)
    loop = module.LOOP
    parts = {**standard_parts(loop), **getattr(module, "parts", {})}
    if arguments.only and arguments.only not in parts:
        sys.exit(f"couple: {loop.name} has no part '{arguments.only}'; it has {', '.join(parts)}")
    print(f"{loop.name}: {loop.about}")
    packages = [loop.package(version) for version in (2, 3)]
    print("packages: " + ", ".join(str(p) for p in packages))
    for name, part in parts.items():
        if arguments.only in (None, name):
            part(loop)


if __name__ == "__main__":
    main()
    # FMUs of pythonfmu that have run in this process may crash it when it unloads their libraries at its end.
    sys.stdout.flush()
    os._exit(0)

"""Closed loops of a mechanism and its controller: made, run in every master, measured, plotted.

    build/venv/bin/python examples/couple.py                    what there is
    build/venv/bin/python examples/couple.py cart_pole          everything about one of them
    build/venv/bin/python examples/couple.py cart_pole --only plot
"""

import argparse
import os
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
sys.path[:0] = [str(EXAMPLES), str(EXAMPLES / "masters")]

from coupling import report  # noqa: E402
from coupling.modules import load_module  # noqa: E402


def load(name: str):
    """The module of a loop: LOOP, and `parts`, what there is to say of it by name."""
    file = EXAMPLES / name / "loop.py"
    if not file.exists():
        sys.exit(f"couple: there is no loop '{name}'; there are {', '.join(names())}")
    return load_module(file)


def names() -> list[str]:
    return sorted(file.parent.name for file in EXAMPLES.glob("*/loop.py") if file.parent.name != "coupling")


def standard_parts(loop) -> dict:
    file = EXAMPLES / loop.name / f"{loop.name}.png"
    if loop.has_algebraic_loop:
        return {"plot": lambda loop: report.plot(loop, report.run_in("own", loop, 2, inputs="implicit"), file)}
    return {
        "masters": report.compare_masters,
        "cost": report.cost,
        "plot": lambda loop: report.plot(loop, report.run_in("fmpy_loop", loop, 2), file),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("loop", nargs="?", help="name of a folder of examples/ with a file loop.py")
    parser.add_argument("--only", help="one part only: masters, orders, cost, plot, or another one of the loop's")
    arguments = parser.parse_args()
    if arguments.loop is None:
        for name in names():
            print(f"{name:<16} {load(name).LOOP.about}")
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
    # FMUs of pythonfmu that have run in this process may crash it when their libraries are taken down at its end.
    sys.stdout.flush()
    os._exit(0)

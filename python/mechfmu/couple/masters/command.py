"""The command line that these modules share."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ..system import System, read_ssp


def connected(system: System) -> list[str]:
    """Return all connected outputs."""
    return list(dict.fromkeys(str(begin) for begin, _ in system.connections))


def main(run, **choices):
    """Run the command. `choices` are options of the master, with their arguments for argparse;
    run() gets them by their names."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__.split("\n")[0])
    parser.add_argument("ssp", type=Path, help="SSP package: the FMUs and their connections")
    parser.add_argument("--step", type=float, default=0.01, help="Communication step, s")
    parser.add_argument("--stop", type=float, help="Stop time, s (default: that of the package)")
    parser.add_argument("-o", "--output", type=Path, help="CSV file for the connected outputs (default: standard output)")
    for name, about in choices.items():
        parser.add_argument(f"--{name}", **about)
    arguments = parser.parse_args()
    chosen = {name: getattr(arguments, name) for name in choices}
    with TemporaryDirectory() as folder:
        system = read_ssp(arguments.ssp, Path(folder), arguments.step)
        system.stop = arguments.stop or system.stop
        result = run(system, connected(system), **chosen)
    if arguments.output:
        with arguments.output.open("w", newline="") as file:
            result.write(file)
    else:
        result.write(sys.stdout)

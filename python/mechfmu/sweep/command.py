"""Run an FMU many times as a study file describes, and write one table.

    python -m mechfmu.sweep study.toml

Exit codes: 0 all runs succeeded; 1 some runs failed, the table gives the reasons; 2 error in the
study or the command line; 3 any other failure (no cluster, disk full); 130 stopped by Ctrl-C. Run
the same command again to continue.
"""

import argparse
import hashlib
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..fmu import Refused
from .model import NoModel, load_model
from .pool import NoCluster, open_pool
from .progress import Progress, duration
from .results import Occupied, Results
from .runs import warm_state
from .study import StudyErrors, load_toml, read_study


def open_results(path: Path, folder: Path | None = None, fresh: bool = False) -> tuple[Results, bytes | None]:
    """Return the results of a study so far, and its FMU."""
    table = load_toml(path)
    data, problem = None, ""
    try:
        data = load_model(path, table)
    except NoModel as error:
        problem = str(error)
    study = read_study(path, table, data, problem)
    digest = hashlib.sha256(data).hexdigest()
    return Results(folder or path.with_suffix(".results"), study, digest, fresh), data


def run_study(
    path: str | Path,
    *,
    results: str | Path | None = None,
    fresh: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    chunk: int | None = None,
    quiet: bool = True,
) -> Results:
    """Do the missing runs, write the table and return the Results.

    results: folder (default: beside the study); workers: processes (default: one per processor; 0: run in this process);
    cluster: address of a Dask scheduler; chunk: runs written together (default: about one second of work).
    """
    found, data = open_results(Path(path), results and Path(results), fresh)
    try:
        missing, study = found.missing, found.study
        if missing:
            workers = os.cpu_count() if workers is None else workers
            with open_pool(f"sweep-{hashlib.sha256(data).hexdigest()}", data, workers, cluster) as pool:
                progress = Progress(len(study.variation), len(found.outcomes), len(found.failed))
                warm = (
                    found.warm_state(lambda: pool.call(warm_state, study.experiment))
                    if study.experiment.first
                    else None
                )
                for outcomes in pool.outcomes(study.experiment, warm, study.variation.values, missing, chunk):
                    found.add(outcomes)
                    if not quiet:
                        progress.add(len(outcomes), sum(o.results is None for o in outcomes))
            if not quiet:
                progress.end()
        found.write_table()
    finally:
        found.close()
    return found


def summary(found: Results) -> str:
    """Return minimum, mean, maximum and standard deviation of each result."""
    rows = [o.results for o in found.outcomes.values() if o.results is not None]
    lines = []
    if rows and found.study.columns:
        width = max(map(len, found.study.columns))
        titles = ["minimum", "mean", "maximum", "deviation"]
        lines.append(" " * width + "".join(f"{title:>14}" for title in titles))
        for name, x in zip(found.study.columns, np.array(rows).T):
            numbers = [x.min(), x.mean(), x.max(), x.std()]
            unit = found.study.units.get(name, "")
            lines.append(f"{name:{width}}" + "".join(f"{number:14.6g}" for number in numbers) + f"  {unit}".rstrip())
    for run in found.failed[:3]:
        lines.append(f"run {run} failed: {found.outcomes[run].message}")
    if len(found.failed) > 3:
        lines.append(f"and {len(found.failed) - 3} more; the table has all messages")
    return "\n".join(lines)


def arguments_of(words: Sequence[str] | None) -> argparse.Namespace:
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="mechfmu.sweep", description=__doc__, formatter_class=about)
    parser.add_argument("study", type=Path, help="Study to run, a TOML file")
    parser.add_argument("--results", type=Path, help="Folder for the results (default: <study>.results beside the study)")
    parser.add_argument("--fresh", action="store_true", help="Remove existing results and start again")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, help="Number of worker processes; 0: run in this process (default: one per processor)")
    where.add_argument("--cluster", help="Use the Dask scheduler at this address, such as tcp://host:8786")
    parser.add_argument("--chunk", type=int, help="Number of runs written together (default: about one second of work)")
    parser.add_argument("--quiet", action="store_true", help="Print neither progress nor summary")
    options = parser.parse_args(words)
    if options.workers is not None and options.workers < 0:
        parser.error(f"--workers is {options.workers}, but must be 0 or more")
    if options.chunk is not None and options.chunk < 1:
        parser.error(f"--chunk is {options.chunk}, but must be 1 or more")
    return options


def main(words: Sequence[str] | None = None) -> int:
    """Run the command `python -m mechfmu.sweep` and return its exit code."""
    options = vars(arguments_of(words))
    study = options.pop("study")
    begin = time.monotonic()
    try:
        found = run_study(study, **options)
    except StudyErrors as error:
        print(error, file=sys.stderr)
        return 2
    except Occupied as error:
        print(f"sweep: {error}", file=sys.stderr)
        return 2
    except (NoCluster, Refused, OSError) as error:
        print(f"sweep: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("\nsweep: stopped; finished runs are kept, run the same command again to continue", file=sys.stderr)
        return 130
    if not options["quiet"]:
        count, failed = len(found.outcomes), len(found.failed)
        print(f"{count} runs, {failed} failed, {duration(time.monotonic() - begin)}")
        print(summary(found))
        print(f"table: {found.folder / 'table.csv'}")
    return 1 if found.failed else 0

"""Run an FMU many times: grids and Monte Carlo samples on all processors or a cluster, results in
one table.

    python -m mechfmu.sweep study.toml
    results = mechfmu.sweep.run_study("study.toml", workers=4)
"""

from .command import main, open_results, run_study

__all__ = ["main", "open_results", "run_study"]

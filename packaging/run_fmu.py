"""Validates FMUs, simulates them as a master would, and shows that they agree.

    run_fmu.py slider_crank.fmu slider_crank.fmi3.fmu --csv motion.csv

Prints for each FMU the result of FMPy's validation, a few rows of the results and the statistics of the solver;
writes the results of the first one as CSV with units. Exit code 1 if a check fails or the FMUs disagree.
"""

import argparse
import csv
import sys

import numpy as np
from fmpy import read_model_description, simulate_fmu
from fmpy.validation import validate_fmu

STATISTICS = ["solver.steps", "solver.rejected", "solver.newton_iterations", "solver.factorizations"]


def outputs_of(description):
    return [v for v in description.modelVariables if v.causality == "output"]


def simulate(path):
    """Results of the default experiment, every communication step, with outputs and solver
    statistics."""
    description = read_model_description(path)
    experiment = description.defaultExperiment
    names = [v.name for v in outputs_of(description)]
    return simulate_fmu(
        path,
        stop_time=float(experiment.stopTime),
        output_interval=float(experiment.stepSize),
        output=names + STATISTICS,
        timeout=600,
    )


def show(path, result, description):
    names = [v.name for v in outputs_of(description)][:4]
    print(f"\n{path}: FMI {description.fmiVersion}, {description.description}")
    print("".join(f"{name:>16}" for name in ["time", *names]))
    for row in result[:: max(1, (len(result) - 1) // 5)]:
        print("".join(f"{row[name]:16.6g}" for name in ["time", *names]))
    print("  " + ", ".join(f"{result[-1][name]} {name.removeprefix('solver.')}" for name in STATISTICS))


def write_csv(path, result, description):
    variables = outputs_of(description)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["t [s]", *(f"{v.name} [{v.unit or '1'}]" for v in variables)])
        for row in result:
            writer.writerow([repr(float(row[name])) for name in ["time", *(v.name for v in variables)]])


def main():
    parser = argparse.ArgumentParser(description="Validate and simulate FMUs with FMPy.")
    parser.add_argument("fmus", nargs="+")
    parser.add_argument("--csv", help="Write the results of the first FMU to this CSV file")
    arguments = parser.parse_args()

    failed = False
    results = []
    for path in arguments.fmus:
        problems = validate_fmu(path)
        for problem in problems:
            print(f"{path}: {problem}")
        failed |= bool(problems)
        description = read_model_description(path)
        results.append(simulate(path))
        show(path, results[-1], description)
        if arguments.csv and len(results) == 1:
            write_csv(arguments.csv, results[0], description)
    for path, result in zip(arguments.fmus[1:], results[1:]):
        same = all(np.array_equal(result[name], results[0][name]) for name in results[0].dtype.names)
        print(f"\n{path} {'gives the same numbers as' if same else 'DIFFERS from'} {arguments.fmus[0]}")
        failed |= not same
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

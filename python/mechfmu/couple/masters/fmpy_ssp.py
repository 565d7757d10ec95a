"""FMPy's own SSP simulation. FMI 2.0; in its first step all connected inputs are 0.

    python -m mechfmu.couple.masters.fmpy_ssp build/examples/cart_pole/cart_pole.ssp --step 0.01 -o result.csv
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from fmpy.ssp.simulation import simulate_ssp
from fmpy.ssp.ssd import Parameter, ParameterSet

from ..system import Result, System, write_ssp
from .command import main


def parameters(system: System) -> ParameterSet:
    """FMPy does not read the values in the package; it takes them as an argument."""
    made = ParameterSet(name="values")
    made.parameters = [Parameter(name=str(port), type="Real", value=value) for port, value in system.values.items()]
    return made


def run(system: System, signals: list[str]) -> Result:
    with TemporaryDirectory() as folder:
        package = write_ssp(system, Path(folder) / "system.ssp", signals)
        table = simulate_ssp(
            str(package), stop_time=system.stop - system.step / 2, step_size=system.step, parameter_set=parameters(system)
        )
    result = Result(signals)
    for i, row in enumerate(table):  # a row holds the values after its step
        result.add((i + 1) * system.step, lambda port, row=row: float(row[str(port)]))
    return result


if __name__ == "__main__":
    main(run)

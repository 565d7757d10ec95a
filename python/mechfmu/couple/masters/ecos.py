"""Ecos, a co-simulation engine, with its fixed step. Both FMI versions.

    python -m mechfmu.couple.masters.ecos build/examples/cart_pole/cart_pole.ssp --step 0.01 -o result.csv
"""

import shutil

from ecospy import EcosLib, EcosSimulation, EcosSimulationStructure

from ..system import Result, System
from .command import main


def run(system: System, signals: list[str]) -> Result:
    if not shutil.which("unzip"):  # without it Ecos dies of a segmentation fault
        raise RuntimeError("Ecos unpacks FMUs by the program unzip, which is not installed")
    EcosLib.set_log_level("error")
    ecos_name = lambda port: f"{port.component}::{port.variable}"  # noqa: E731
    with EcosSimulationStructure() as structure:
        for name, fmu in system.fmus.items():
            structure.add_model(name, fmu)
        for begin, end in system.connections:
            structure.make_real_connection(ecos_name(begin), ecos_name(end))
        structure.add_parameter_set("given", {ecos_name(port): float(value) for port, value in system.values.items()})
        with EcosSimulation(system.step, structure=structure) as simulation:
            if not simulation.init(parameter_set="given"):
                raise RuntimeError(f"Ecos could not initialize the units: {EcosLib.get_last_error()}")
            result = Result(signals)
            for t in system.times()[1:]:
                simulation.step()
                result.add(t, lambda port: simulation.get_real(ecos_name(port)))
            simulation.terminate()
    return result


if __name__ == "__main__":
    main(run)

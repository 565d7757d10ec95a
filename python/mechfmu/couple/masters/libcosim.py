"""libcosim, the engine of the Open Simulation Platform, with its fixed step. FMI 2.0.

    python -m mechfmu.couple.masters.libcosim build/examples/cart_pole/cart_pole.ssp --step 0.01 -o result.csv
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver

from ..system import Result, System, write_ssp
from .command import main

NANOSECONDS = 1_000_000_000


def run(system: System, signals: list[str]) -> Result:
    log_output_level(CosimLogLevel.FATAL)  # its reader expects a start value of time, which FMI forbids, and reports it
    variables = system.variables()
    with TemporaryDirectory() as folder:
        package = write_ssp(system, Path(folder) / "system.ssp", signals)
        execution = CosimExecution.from_ssp_file(str(package), step_size=round(system.step * NANOSECONDS))
        indices = {name: execution.slave_index_from_instance_name(name) for name in system.fmus}
        observer = CosimObserver.create_last_value()
        execution.add_observer(observer)

        def get(port):
            return observer.last_real_values(indices[port.component], [variables[port].valueReference])[0]

        result = Result(signals)
        for t in system.times()[1:]:
            if not execution.step():
                raise RuntimeError(f"libcosim could not step to t = {t:.9g}")
            result.add(t, get)
    return result


if __name__ == "__main__":
    main(run)

"""libcosim with steps chosen by ECCO: by the energy that is lost or created between units. FMI 2.0.

    python -m mechfmu.couple.masters.libcosim_ecco build/examples/crane/crane.ssp --step 0.002 -o result.csv

If two units exchange power, each computes it from its output and its input: force and speed. During
a step the two disagree, because inputs are held; ECCO keeps that energy near a tolerance
(--tolerance 0.01, in J per step). It never takes a step back. The given step is the first one. (Sadjina and Pedersen, Energy conservation and coupling error reduction in non-iterative
co-simulations, 2020)
"""

from libcosimpy.CosimAlgorithm import CosimAlgorithm, EccoParams
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

from ..system import Port, Result, System
from .command import main

NANOSECONDS = 1_000_000_000
POWERS = [{"N", "m/s"}, {"N.m", "rad/s"}]  # units of two variables whose product is a power


def power_bonds(system: System) -> list[tuple[Port, Port, Port, Port]]:
    """Return pairs of connections there and back, with a force and a speed: output and input of one
    unit, then of the other."""
    units = {port: v.unit for port, v in system.variables().items()}
    bonds = [
        (there[0], back[1], back[0], there[1])
        for i, there in enumerate(system.connections)
        for back in system.connections[i + 1 :]
        if there[0].component == back[1].component != there[1].component == back[0].component
        if {units[there[0]], units[back[0]]} in POWERS
    ]
    if not bonds:
        raise ValueError(f"{system.name}: no two units exchange a force and a speed, so there is no energy to watch")
    if len({port for bond in bonds for port in bond}) < 4 * len(bonds):
        raise ValueError(f"{system.name}: the units do not show which force goes with which speed")
    return bonds


def run(system: System, signals: list[str], tolerance: float = 0.01, longest: float | None = None) -> Result:
    """Run the master; `tolerance` in J per step; steps up to `longest`, by default ten times the
    first one."""
    log_output_level(CosimLogLevel.FATAL)  # its reader expects a start value of time, which FMI forbids, and reports it
    references = {port: v.valueReference for port, v in system.variables().items()}
    algorithm = CosimAlgorithm.create_ecco_algorithm(
        EccoParams(
            step_size=system.step,
            min_step_size=system.step / 100,
            max_step_size=longest or 10 * system.step,
            # Factors of the step; with the default maximum of 0.2, it could only shrink.
            min_change_rate=0.2,
            max_change_rate=1.2,
            abs_tolerance=tolerance,
            rel_tolerance=0.0,  # relative to the lost energy itself, so that it would never report an error
        )
    )
    execution = CosimExecution.from_algorithm(algorithm)
    slaves = [CosimLocalSlave(str(fmu), name) for name, fmu in system.fmus.items()]
    indices = {name: execution.add_local_slave(slave) for name, slave in zip(system.fmus, slaves)}
    address = lambda port: (indices[port.component], references[port])  # noqa: E731
    for port, value in system.values.items():
        execution.real_initial_value(*address(port), value)
    for begin, end in system.connections:
        execution.connect_real_variables(*address(begin), *address(end))
    for out_a, in_a, out_b, in_b in power_bonds(system):
        algorithm.add_power_bond(*address(out_a), references[in_a], *address(out_b), references[in_b])
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)

    def get(port):
        return observer.last_real_values(indices[port.component], [references[port]])[0]

    result = Result(signals)
    t = 0
    while t < round(system.stop * NANOSECONDS):
        if not execution.step():
            raise RuntimeError(f"libcosim could not step from t = {t / NANOSECONDS:.9g}")
        t = execution.status().current_time
        result.add(t / NANOSECONDS, get)
    return result


if __name__ == "__main__":
    main(run, tolerance={"type": float, "default": 0.01, "help": "J a step"})

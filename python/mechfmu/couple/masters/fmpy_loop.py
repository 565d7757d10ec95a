"""FMPy as a library: a complete master in twenty lines. Both FMI versions.

    python -m mechfmu.couple.masters.fmpy_loop build/examples/cart_pole/cart_pole.ssp --step 0.01 -o result.csv
"""

from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave

from ..system import Result, System
from .command import main


def load(name, file):
    description = read_model_description(file, validate=False)
    slave = FMU2Slave if description.fmiVersion == "2.0" else FMU3Slave
    fmu = slave(
        guid=description.guid or description.instantiationToken,
        unzipDirectory=extract(file),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName=name,
    )
    fmu.instantiate()
    fmu.references = {v.name: v.valueReference for v in description.modelVariables}
    if slave is FMU2Slave:
        fmu.setupExperiment(startTime=0.0)
    else:
        fmu.getReal, fmu.setReal = fmu.getFloat64, fmu.setFloat64
    return fmu


def run(system: System, signals: list[str]) -> Result:
    fmus = {name: load(name, file) for name, file in system.fmus.items()}

    def get(port):
        return fmus[port.component].getReal([fmus[port.component].references[port.variable]])[0]

    def put(port, value):
        fmus[port.component].setReal([fmus[port.component].references[port.variable]], [value])

    def transfer():
        for port, value in [(end, get(begin)) for begin, end in system.connections]:
            put(port, value)

    for port, value in system.values.items():
        put(port, value)
    for fmu in fmus.values():
        fmu.enterInitializationMode()
    for _ in fmus:  # until the initial outputs have passed through all units
        transfer()
    for fmu in fmus.values():
        fmu.exitInitializationMode()

    result = Result(signals)
    times = system.times()
    for t, after in zip(times, times[1:]):
        result.add(t, get)
        transfer()
        for fmu in fmus.values():
            fmu.doStep(t, after - t)
    result.add(times[-1], get)
    for fmu in fmus.values():
        fmu.terminate()
        fmu.freeInstance()
    return result


if __name__ == "__main__":
    main(run)

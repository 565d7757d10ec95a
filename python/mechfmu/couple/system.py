"""A system of connected FMUs, and its file: an SSP package (System Structure and Parameterization
1.0).

    cart_pole.ssp
      SystemStructure.ssd          components with connectors and values, connections, default experiment
      resources/plant.fmu ...      the FMUs

Every module of mechfmu.couple.masters runs such a file.
"""

import csv
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np
from fmpy import read_model_description

SSD = "http://ssp-standard.org/SSP1/SystemStructureDescription"
SSC = "http://ssp-standard.org/SSP1/SystemStructureCommon"
SSV = "http://ssp-standard.org/SSP1/SystemStructureParameterValues"
for prefix, uri in [("ssd", SSD), ("ssc", SSC), ("ssv", SSV)]:
    ET.register_namespace(prefix, uri)


class Port(NamedTuple):
    """A variable of a component, written "plant.angle"; the name of the variable may contain more
    dots."""

    component: str
    variable: str

    @classmethod
    def of(cls, text: str) -> "Port":
        return cls(*text.split(".", 1))

    def __str__(self):
        return f"{self.component}.{self.variable}"


@dataclass
class System:
    name: str
    fmus: dict[str, Path]  # component: its FMU, in the order of their steps, if that matters
    connections: list[tuple[Port, Port]]  # from an output to an input
    values: dict[Port, float] = field(default_factory=dict)  # parameters and start values of inputs
    stop: float = 1.0
    step: float = 0.01

    def inputs(self, component: str) -> list[str]:
        """Return its connected inputs."""
        return [end.variable for _, end in self.connections if end.component == component]

    def outputs(self, component: str) -> list[str]:
        """Return its connected outputs, each once."""
        return list(dict.fromkeys(begin.variable for begin, _ in self.connections if begin.component == component))

    def values_of(self, component: str) -> dict[str, float]:
        return {port.variable: value for port, value in self.values.items() if port.component == component}

    def variables(self) -> dict[Port, object]:
        """Return all variables of all units, as FMPy describes them."""
        return {
            Port(name, v.name): v
            for name, fmu in self.fmus.items()
            for v in read_model_description(fmu, validate=False).modelVariables
        }

    @property
    def steps(self) -> int:
        return round(self.stop / self.step)

    def times(self) -> list[float]:
        """Return the communication points, without the rounding of a sum."""
        return [self.stop * i / self.steps for i in range(self.steps + 1)]


class Result:
    """Values of signals ("plant.angle") at communication points."""

    def __init__(self, signals: list[str]):
        self.signals, self.ports = list(signals), [Port.of(s) for s in signals]
        self.times, self.rows = [], []

    def add(self, t: float, get):
        self.times.append(t)
        self.rows.append([get(port) for port in self.ports])

    @property
    def t(self) -> np.ndarray:
        return np.array(self.times)

    @property
    def values(self) -> np.ndarray:
        return np.array(self.rows)

    def __getitem__(self, signal: str) -> np.ndarray:
        return self.values[:, self.signals.index(signal)]

    def write(self, file):
        writer = csv.writer(file)
        writer.writerow(["time", *self.signals])
        writer.writerows([t, *row] for t, row in zip(self.times, self.rows))


def write_ssp(system: System, file: Path, signals: list[str] = ()) -> Path:
    """Write the package. `signals` are unconnected outputs that get connectors as well, so that
    masters record them."""
    known = system.variables()
    root = ET.Element(f"{{{SSD}}}SystemStructureDescription", name=system.name, version="1.0")
    top = ET.SubElement(root, f"{{{SSD}}}System", name=system.name)
    elements = ET.SubElement(top, f"{{{SSD}}}Elements")
    for component, fmu in system.fmus.items():
        element = ET.SubElement(
            elements,
            f"{{{SSD}}}Component",
            name=component,
            type="application/x-fmu-sharedlibrary",
            source=f"resources/{fmu.name}",
        )
        watched = [port.variable for port in map(Port.of, signals) if port.component == component]
        outputs = list(dict.fromkeys(system.outputs(component) + watched))
        connectors = ET.SubElement(element, f"{{{SSD}}}Connectors")
        for kind, names in [("input", system.inputs(component)), ("output", outputs)]:
            for name in names:
                if Port(component, name) not in known:
                    raise ValueError(f"{component}: {fmu.name} has no variable '{name}'")
                connector = ET.SubElement(connectors, f"{{{SSD}}}Connector", name=name, kind=kind)
                unit = known[Port(component, name)].unit
                ET.SubElement(connector, f"{{{SSC}}}Real", {"unit": unit} if unit else {})
        values = system.values_of(component)
        if values:
            bindings = ET.SubElement(element, f"{{{SSD}}}ParameterBindings")
            binding = ET.SubElement(bindings, f"{{{SSD}}}ParameterBinding")
            held = ET.SubElement(binding, f"{{{SSD}}}ParameterValues")
            given = ET.SubElement(held, f"{{{SSV}}}ParameterSet", version="1.0", name=component)
            parameters = ET.SubElement(given, f"{{{SSV}}}Parameters")
            for name, value in values.items():
                parameter = ET.SubElement(parameters, f"{{{SSV}}}Parameter", name=name)
                ET.SubElement(parameter, f"{{{SSV}}}Real", value=repr(float(value)))
    connections = ET.SubElement(top, f"{{{SSD}}}Connections")
    for begin, end in system.connections:
        ET.SubElement(
            connections,
            f"{{{SSD}}}Connection",
            startElement=begin.component,
            startConnector=begin.variable,
            endElement=end.component,
            endConnector=end.variable,
        )
    ET.SubElement(root, f"{{{SSD}}}DefaultExperiment", startTime="0", stopTime=repr(system.stop))
    ET.indent(root)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("SystemStructure.ssd", ET.tostring(root, encoding="UTF-8", xml_declaration=True))
        for fmu in dict.fromkeys(system.fmus.values()):
            package.write(fmu, f"resources/{fmu.name}")
    return file


def read_ssp(file: Path, folder: Path, step: float) -> System:
    """Read the system of an SSP package, whose FMUs are unpacked into `folder`. SSP has no
    communication step."""
    with zipfile.ZipFile(file) as package:
        package.extractall(folder)
    root = ET.parse(folder / "SystemStructure.ssd").getroot()
    fmus, values = {}, {}
    for element in root.iter(f"{{{SSD}}}Component"):
        component = element.get("name")
        fmus[component] = folder / element.get("source")
        for parameter in element.iter(f"{{{SSV}}}Parameter"):
            values[Port(component, parameter.get("name"))] = float(parameter[0].get("value"))
    connections = [
        (Port(c.get("startElement"), c.get("startConnector")), Port(c.get("endElement"), c.get("endConnector")))
        for c in root.iter(f"{{{SSD}}}Connection")
    ]
    experiment = root.find(f"{{{SSD}}}DefaultExperiment")
    return System(root.get("name"), fmus, connections, values, float(experiment.get("stopTime")), step)

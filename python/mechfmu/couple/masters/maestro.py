"""Maestro, the co-simulation engine of INTO-CPS, in Java, with its fixed step. FMI 2.0.

    tests/masters/get_maestro.sh
    python -m mechfmu.couple.masters.maestro build/examples/cart_pole/cart_pole.ssp --step 0.01 -o result.csv

It translates the description of a system to a program in its own language, and interprets that.
Units are stepped side by side with inputs held, as FMPy's loop does. It differs in three points: it
sets every parameter and start value of a unit, also unspecified ones; it initializes units in the
order of their dependencies instead of by sweeps; and its time is a sum of steps, with the rounding
of one. It gives every unit the tolerance 0.1, to which a mechfmu FMU prefers its own.

It does not support two things; the remedies are:

  - Parameters that are enumerations end it with "Enumeration not supported". It gets copies of the FMUs that declare
    them as integers, which is what FMI 2.0 passes for them.
  - It passes resources as file:/tmp/..., as Java writes it, and pythonfmu understands only file:///tmp/...: it takes the
    former for a path and crashes. In the folder where Maestro runs, a link "file:" to / makes it a path.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sysconfig
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from ...tool import CLONE
from ..system import Port, Result, System
from .command import main

BUILD = CLONE / "build"


def find_jar() -> Path | None:
    return max((BUILD / "maestro").glob("maestro-*.jar"), default=None)


def find_libpython() -> Path | None:
    """Return the shared library of this Python: controllers made by pythonfmu expect that the
    master has loaded it."""
    name = sysconfig.get_config_var("INSTSONAME")
    folders = [Path(sysconfig.get_config_var("LIBDIR"))]
    folders.append(folders[0] / (sysconfig.get_config_var("MULTIARCH") or ""))
    return next((folder / name for folder in folders if ".so" in name and (folder / name).exists()), None)


def why_not() -> str:
    """Return what is missing; empty if nothing is."""
    if shutil.which("java") is None:
        return "there is no Java"
    if find_jar() is None:
        return f"there is no Maestro in {BUILD / 'maestro'}; tests/masters/get_maestro.sh gets it"
    if find_libpython() is None:
        return "this Python has no shared library, which controllers made by pythonfmu need in a Java process"
    return ""


def without_enumerations(fmu: Path, copy: Path) -> Path:
    with zipfile.ZipFile(fmu) as old, zipfile.ZipFile(copy, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == "modelDescription.xml":
                data = re.sub(rb'<Enumeration declaredType="[^"]*"', b"<Integer", data)
            new.writestr(entry, data)
    return copy


def run(system: System, signals: list[str]) -> Result:
    if missing := why_not():
        raise RuntimeError(f"Maestro cannot run: {missing}")
    # Units have keys, instances have names; here there is one instance of each.
    maestro_name = lambda port: f"{{{port.component}}}.{port}"  # noqa: E731
    connections, watched = {}, {}
    for begin, end in system.connections:
        connections.setdefault(maestro_name(begin), []).append(maestro_name(end))
    for port in map(Port.of, signals):
        watched.setdefault(f"{{{port.component}}}.{port.component}", []).append(port.variable)
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "file:").symlink_to("/")
        model = {
            "fmus": {
                f"{{{component}}}": str(without_enumerations(fmu, folder / f"{component}.fmu"))
                for component, fmu in system.fmus.items()
            },
            "connections": connections,
            "parameters": {maestro_name(port): value for port, value in system.values.items()},
        }
        # Half a step more, since rounding decides whether a sum of steps reaches the stop time.
        simulation = {
            "startTime": 0.0,
            "endTime": system.stop + system.step / 2,
            "algorithm": {"type": "fixed-step", "size": system.step},
            "logVariables": watched,
        }
        (folder / "model.json").write_text(json.dumps(model))
        (folder / "simulation.json").write_text(json.dumps(simulation))
        command = ["java", "-jar", find_jar(), "import", "-i", "-output=out", "Sg1", "model.json", "simulation.json"]
        environment = os.environ | {"LD_PRELOAD": str(find_libpython())}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        table = folder / "out" / "outputs.csv"
        if done.returncode != 0 or not table.exists():
            raise RuntimeError(f"Maestro failed:\n{(done.stdout + done.stderr)[-2000:]}")
        with table.open(newline="") as file:
            rows = list(csv.DictReader(file))
    result = Result(signals)
    for t, row in zip(system.times(), rows):
        result.add(t, lambda port, row=row: float(row[maestro_name(port)]))
    return result


if __name__ == "__main__":
    main(run)

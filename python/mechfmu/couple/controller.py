"""Controllers as FMUs: a class in plain Python becomes an FMU of FMI 2.0 (pythonfmu) or 3.0
(pythonfmu3).

    class Controller:
        "Its purpose."
        inputs = {"angle": "rad"}            # name: unit
        outputs = {"force": "N"}
        parameters = {"gain": (20.0, "N/rad")}
        states = ("integral",)               # values kept from call to call

        def start(self): ...                 # initial outputs from initial inputs
        def step(self, t, h): ...            # outputs at t + h

Inputs, outputs, parameters and states are attributes. An input has the last value from the
master: that of t if units are stepped side by side, that of t + h if this one is stepped after the
plant.
"""

import subprocess
import sys
from pathlib import Path

from .modules import load_module

# The FMU's script is the file of the class followed by this. Outputs are computed when they are requested during
# initialization, since masters set inputs and read outputs there in any order.
SLAVE = '''

class {name}({base}):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.description = Controller.__doc__
        self.law = Controller()
        self.starting = False
        for name in Controller.inputs:
            self.declare(name, {causality}.input, 0.0, variability={variability}.continuous)
        for name in Controller.outputs:
            self.declare(name, {causality}.output, 0.0, variability={variability}.continuous{exact})
        for name, (value, _) in Controller.parameters.items():
            self.declare(name, {causality}.parameter, value, variability={variability}.tunable)
        for name in Controller.states:
            self.declare(name, {causality}.local, 0.0, variability={variability}.continuous)
        {time}

    def declare(self, name, causality, value, **more):
        setattr(self.law, name, value)
        self.register_variable(
            {variable}(name, causality=causality, getter=lambda: self.read(name, causality),
                       setter=lambda value: setattr(self.law, name, value), **more), nested=False)

    def read(self, name, causality):
        if self.starting and causality == {causality}.output:
            self.law.start()
        return getattr(self.law, name)

    def enter_initialization_mode(self):
        self.starting = True

    def exit_initialization_mode(self):
        self.law.start()
        self.starting = False

    def do_step(self, t, h):
        self.law.step(t, h)
        return {done}
'''

FMI2 = {
    "imports": "from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real",
    "base": "Fmi2Slave",
    "causality": "Fmi2Causality",
    "variability": "Fmi2Variability",
    "variable": "Real",
    "exact": "",
    "time": "",
    "done": "True",
}
FMI3 = {
    "imports": (
        "from pythonfmu3 import Fmi3Causality, Fmi3Initial, Fmi3Slave, Fmi3Status, Fmi3StepResult,"
        " Fmi3Variability, Float64"
    ),
    "base": "Fmi3Slave",
    "causality": "Fmi3Causality",
    "variability": "Fmi3Variability",
    "variable": "Float64",
    "exact": ", initial=Fmi3Initial.calculated",
    "time": (
        "self.time = 0.0\n        self.register_variable("
        'Float64("time", causality=Fmi3Causality.independent, variability=Fmi3Variability.continuous))'
    ),
    "done": "Fmi3StepResult(status=Fmi3Status.ok)",
}


def make_law(file: Path):
    """Return an object of the class, to be called without FMI, with the values that its FMU has
    before initialization."""
    law = load_module(file).Controller()
    for name in (*law.inputs, *law.outputs, *law.states):
        setattr(law, name, 0.0)
    for name, (value, _) in law.parameters.items():
        setattr(law, name, value)
    return law


def build_controller(file: Path, name: str, folder: Path, version: int) -> Path:
    """Make the FMU of the class in `file`, as `folder`/`name`.fmu."""
    words = FMI2 if version == 2 else FMI3
    # The name of the module must be unique: all FMUs of pythonfmu in a process share their modules.
    script = folder / f"{name}_fmi{version}.py"
    identifier = f"{name}_fmi{version}"
    slave = SLAVE.format(name=identifier, **{key: word for key, word in words.items() if key != "imports"})
    script.write_text(f"{words['imports']}\n{file.read_text(encoding='utf-8')}{slave}", encoding="utf-8")
    # In a separate process: FMUs of pythonfmu that run in this process have put their copies of it first in the path.
    command = [sys.executable, "-m", "pythonfmu" if version == 2 else "pythonfmu3", "build", "--handle-state"]
    done = subprocess.run([*command, "-f", script, "-d", folder], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{file}: {done.stderr}")
    return folder / f"{identifier}.fmu"

"""Roll-back tests: masters that take steps back, and one that dies, end with the same trajectory to the last bit."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import EXAMPLES, load
from mechfmu.couple.master import Master
from mechfmu.fmu import Discarded, Instance

NAME = "slider_crank"
STEPS = 200


@pytest.fixture(params=[2, 3], ids=["fmi2", "fmi3"])
def version(request) -> int:
    return request.param


@pytest.fixture
def system(version):
    loop = load(NAME).LOOP
    return loop.system(version, stop=STEPS * loop.step)


SIGNALS = ["plant.theta1", "plant.theta1.rate", "plant.x4", "plant.pin.force.x", "controller.torque"]


def trajectory(system, disturb=None, **choices) -> np.ndarray:
    with Master(system, SIGNALS, unit_tolerance=1e-6, **choices) as master:
        return np.array(master.run(None if disturb is None else lambda m: disturb(m)).rows)


@pytest.mark.parametrize("inputs", ["hold", "slope"])
def test_master_that_rejects_steps_at_random_ends_with_the_same_bits(system, inputs):
    """A master that occasionally saves all units, takes steps of any length with any input, and goes back."""
    dice = random.Random(7)
    detours = 0

    def disturb(master):
        nonlocal detours
        if dice.random() < 0.6 or master.t + 0.1 > system.stop:
            return
        detours += 1
        states = {name: unit.save() for name, unit in master.units.items()}
        for name, unit in master.units.items():
            names = [end.variable for _, end in system.connections if end.component == name]
            for _ in range(dice.randrange(1, 4)):
                unit.set({name: dice.uniform(-20, 20) for name in names})
                unit.step(unit.t, dice.choice([1e-6, 1e-3, 0.02]))
        for name, unit in master.units.items():
            unit.restore(states[name])
            unit.forget(states[name])

    plain = trajectory(system, inputs=inputs)
    np.testing.assert_array_equal(trajectory(system, disturb, inputs=inputs), plain)
    assert detours > 20


def test_step_that_the_plant_discards_is_taken_back_and_shortened(version):
    """Few substeps are allowed and the steps are long: the master continues with shorter ones."""
    loop = load(NAME).LOOP
    system = loop.system(version, step=0.05, stop=0.2, **{"plant.solver.max_substeps": 12})
    with Master(system, SIGNALS, inputs="implicit", tolerance=0.05) as master:
        result = master.run()
        assert master.work.rejected > 0 and result.t[-1] == 0.2
    with Master(system, SIGNALS) as master, pytest.raises(Discarded, match="substeps in one call"):
        master.run()


# Runs the closed loop with the controller in Python; dies in the middle, or continues from saved bytes.
PROCESS = """
import json, os, signal, sys
from pathlib import Path
from mechfmu.couple.controller import make_law
from mechfmu.fmu import Instance

law, fmu, saved, rows, begin, end, stop_at, H = json.loads(sys.argv[1])
law = make_law(Path(law))
plant = Instance(fmu)
if begin == 0:
    law.start()
    plant.start({"torque": law.torque}, tolerance=1e-6)
else:
    memory = json.loads(Path(saved + ".json").read_text())
    for name, value in memory.items():
        setattr(law, name, value)
    plant.from_bytes(Path(saved).read_bytes(), begin * H)
names = ["theta1", "theta1.rate", "x4", "pin.force.x"]
with open(rows, "a") as file:
    for k in range(begin, end):
        if k == stop_at:
            Path(saved).write_bytes(plant.to_bytes())
            Path(saved + ".json").write_text(json.dumps({n: getattr(law, n) for n in [*law.states, "torque"]}))
            plant.step(k * H, 5 * H)  # lost work
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        plant.set({"torque": law.torque})
        plant.step(k * H, H)
        law.speed = plant.get(["theta1.rate"])[0]
        law.step(k * H, H)
        file.write(" ".join(float(v).hex() for v in plant.get(names)) + "\\n")
"""


def run_process(fmu, folder: Path, rows: Path, begin: int, stop_at: int) -> int:
    law = EXAMPLES / "slider_crank" / "controller.py"
    arguments = [str(law), str(fmu), str(folder / "state"), str(rows), begin, STEPS, stop_at, 0.001]
    done = subprocess.run(
        [sys.executable, "-c", PROCESS, json.dumps(arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode


def test_killed_in_the_middle_and_restored_in_a_new_process_it_ends_with_the_same_bits(system, tmp_path):
    fmu = system.fmus["plant"]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert run_process(fmu, tmp_path, whole, 0, -1) == 0
    assert run_process(fmu, tmp_path, broken, 0, 77) == -signal.SIGKILL
    assert run_process(fmu, tmp_path, broken, 77, 150) == -signal.SIGKILL
    assert run_process(fmu, tmp_path, broken, 150, -1) == 0
    assert len(whole.read_text().splitlines()) == STEPS
    assert broken.read_text() == whole.read_text()


def test_units_of_a_thousand_steps_leave_no_memory_behind(system):
    """Saved states that were freed cannot be restored."""
    unit = Instance(system.fmus["plant"])
    unit.start()

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    def burst(count):
        for _ in range(count):
            unit.forget(unit.save())

    burst(2000)
    before = resident()
    burst(20000)
    assert resident() - before < 1_000_000
    unit.close()

"""Save, restore, serialize: a restored run continues bit for bit, in this process or in another."""

import subprocess
import sys
from ctypes import c_void_p
from pathlib import Path

import numpy as np
import pytest
from plant import Status

MODEL = pytest.mark.parametrize("model", ["slider_crank", "pendulum", "soi2_problem", "rolling_disk"])
HERE = Path(__file__).parent


def end_of(model):
    return {"slider_crank": 0.3, "pendulum": 1.0, "soi2_problem": 0.8, "rolling_disk": 1.0}[model]


def go_on(plant, model):
    """Some more steps, with all values after each."""
    seen = []
    for _ in range(5):
        plant.step(end_of(model) / 20)
        seen.append(plant.everything())
    return np.array(seen)


def prepared(plants, model, **options):
    plant = plants(model, **options).start(tolerance=1e-5)
    return plant.run(end_of(model) / 2, end_of(model) / 10)


def perturb(plant, model):
    """Other inputs, parameters and steps, and a reading of all values."""
    for name in plant.fmu.names("input"):
        plant.set(name, plant.get(name) + 1)
    for name in plant.fmu.names("parameter"):
        if plant.fmu.variables[name].description.variability == "tunable":
            plant.set(name, plant.get(name) * 0.999)
    for H in [1e-7, 0.013, 0.1 * end_of(model)]:
        plant.step(H)
        plant.everything()


@MODEL
def test_restored_run_continues_bit_for_bit(plants, model):
    plant = prepared(plants, model)
    state = plant.save()
    expected = go_on(plant, model)
    perturb(plant, model)
    for _ in range(2):  # a state can be restored more than once
        plant.restore(state)
        np.testing.assert_array_equal(go_on(plant, model), expected)
    plant.free_state(state)
    assert not state.value


@MODEL
def test_looking_and_saving_do_not_change_a_run(plants, model):
    quiet, busy = prepared(plants, model), prepared(plants, model)
    for _ in range(3):
        busy.free_state(busy.save())
        busy.everything()
        for name in busy.fmu.names("output"):
            busy.output_derivative(name, 1)
        if inputs := busy.fmu.names("input"):
            busy.jacobian(["a", *busy.fmu.names("output")], inputs)
    np.testing.assert_array_equal(go_on(busy, model), go_on(quiet, model))


@pytest.mark.parametrize("model", ["slider_crank", "andrews_file", "heavy_top"])
def test_reading_outputs_after_every_step_changes_no_count_of_work(plants, model):
    counts = []
    for looks in [False, True]:
        plant = plants(model, logging=False).start(tolerance=1e-6)
        stop, _, _ = plant.fmu.experiment
        for _ in range(100):
            plant.step(stop / 200)
            if looks:
                plant.get_all(plant.fmu.names("output"))
        counts.append(plant.statistics())
    assert counts[0] == counts[1]


def test_failed_step_does_not_spoil_a_restored_state(plants):
    plant = plants("slider_crank").start({"solver.max_substeps": 30}, tolerance=1e-5)
    plant.run(0.1, 0.01)
    state = plant.save()
    expected = go_on(plant, "slider_crank")
    plant.restore(state)
    with plant.refuses(Status.DISCARD):
        plant.step(10)
    plant.restore(state)
    np.testing.assert_array_equal(go_on(plant, "slider_crank"), expected)


def test_memory_of_a_state_is_used_again(plants):
    plant = prepared(plants, "pendulum")
    state = plant.save()
    address = state.value
    plant.step(0.1)
    t = plant.time
    plant.save(into=state)
    assert state.value == address
    plant.step(0.1)
    plant.restore(state)
    assert plant.get("time") == t


@pytest.mark.parametrize("phase", ["instantiated", "initialization", "stepping", "terminated"])
def test_states_of_every_phase_can_be_restored_in_every_phase(plants, phase):
    def reach(plant, name):
        if name == "instantiated":
            return plant
        plant.set("F", 0.5)
        plant.enter_initialization()
        plant.set("m", 2.0)
        if name == "initialization":
            return plant
        plant.exit_initialization()
        plant.step(0.1)
        if name == "terminated":
            plant.terminate()
        return plant

    source = reach(plants("pendulum"), phase)
    state, data = source.save(), source.serialize()
    for other in ["instantiated", "initialization", "stepping", "terminated"]:
        plant = reach(plants("pendulum"), other)
        plant.restore_bytes(data)
        assert plant.serialize() == data
        if phase == "stepping":
            np.testing.assert_array_equal(plant.everything(), source.everything())
            plant.step(0.1)
        elif phase == "initialization":
            assert plant.get("m") == 2.0
            plant.exit_initialization()
        elif phase == "instantiated":
            plant.start().step(0.1)
    source.free_state(state)


@MODEL
def test_bytes_go_on_bit_for_bit_in_another_instance(plants, model):
    plant = prepared(plants, model)
    data = plant.serialize()
    expected = go_on(plant, model)
    fresh, busy = plants(model), prepared(plants, model)
    perturb(busy, model)
    for other in [fresh, busy]:
        other.restore_bytes(data)
        np.testing.assert_array_equal(go_on(other, model), expected)


@MODEL
def test_size_of_the_bytes_is_constant(plants, model):
    plant = plants(model)
    sizes = [len(plant.serialize())]
    plant.start()
    for H in [1e-9, 0.01, 0.3]:
        plant.step(H)
        sizes.append(len(plant.serialize()))
    assert len(set(sizes)) == 1


CONTINUE = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from plant import Fmu, Plant
fmu = Fmu(Path(sys.argv[2]), Path(sys.argv[3]))
plant = Plant(fmu, logging=False)
if len(sys.argv) > 4:
    plant.restore_bytes(Path(sys.argv[4]).read_bytes())
else:
    plant.start(tolerance=1e-5).run(0.2, 0.02)
for _ in range(5):
    plant.step(0.01)
sys.stdout.write(plant.serialize().hex())
"""


def in_another_process(fmu, folder, *arguments) -> bytes:
    command = [sys.executable, "-c", CONTINUE, HERE, fmu.path, folder, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return bytes.fromhex(done.stdout)


@pytest.mark.parametrize("model", ["slider_crank", "soi2_problem"])
def test_bytes_go_on_bit_for_bit_in_another_process(plants, model, tmp_path):
    plant = plants(model).start(tolerance=1e-5).run(0.2, 0.02)
    (tmp_path / "state").write_bytes(plant.serialize())
    for _ in range(5):
        plant.step(0.01)
    assert in_another_process(plant.fmu, tmp_path / "fmu", tmp_path / "state") == plant.serialize()


@pytest.mark.parametrize("model", ["slider_crank", "soi2_problem"])
def test_same_run_gives_the_same_bytes_in_every_process(plants, model, tmp_path):
    """The bytes contain no addresses and no uninitialized memory: address-space randomization has no effect on them."""
    fmu = plants(model).fmu
    assert in_another_process(fmu, tmp_path / "a") == in_another_process(fmu, tmp_path / "b")


def test_damaged_and_foreign_bytes_are_refused(plants):
    plant = prepared(plants, "pendulum")
    data = plant.serialize()
    foreign = plants("rolling_disk").serialize()
    now = plant.everything()
    for wrong, reason in [
        (b"", "short"),
        (data[:40], "short"),
        (data[:-1], "truncated"),
        (foreign, "another model"),
        (bytes(len(data)), "not a saved state"),
    ]:
        with plant.refuses(Status.ERROR, reason):
            plant.load(wrong)
    random = np.random.default_rng(3)
    for position in random.integers(0, 8 * len(data), 200):
        flipped = bytearray(data)
        flipped[position // 8] ^= 1 << (position % 8)
        with plant.refuses(Status.ERROR):
            plant.load(bytes(flipped))
    np.testing.assert_array_equal(plant.everything(), now)
    plant.restore_bytes(data)
    plant.step(0.1)


def test_missing_states_are_refused_or_ignored(plants):
    plant = plants("pendulum").start()
    with plant.refuses(Status.ERROR, "missing"):
        plant.restore(c_void_p())
    plant.free_state(c_void_p())
    plant.step(0.1)

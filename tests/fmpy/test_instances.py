"""Reset, many instances, threads, memory: instances do not affect each other, and no memory is lost."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from fmu_names import MODELS
from plant import Plant, Status

RUN = {"slider_crank": (0.1, 0.01), "pendulum": (0.5, 0.05), "soi2_problem": (0.5, 0.05)}
MODEL = pytest.mark.parametrize("model", RUN)


def trajectory(plant, model):
    end, H = RUN[model]
    rows = []
    for k in range(round(end / H)):
        plant.step(H, at=k * H)
        rows.append(plant.everything())
    return np.array(rows)


def spoil(plant, phase):
    """Brings an instance with other values into a phase."""
    for name in plant.fmu.names("input"):
        plant.set(name, 3.0)
    plant.set("solver.rho_inf", 0.3)
    plant.set("solver.max_substeps", 2)
    y = plant.get("y")
    plant.set("y", y + 1e-3)
    if phase == "instantiated":
        return
    plant.enter_initialization(start=0.5, stop=1.5, tolerance=1e-2)  # soi2_problem overflows later on
    if phase == "initialization":
        return
    plant.exit_initialization()
    plant.step(1e-4)
    if phase == "failed step":
        with plant.refuses(Status.DISCARD):
            plant.step(0.9)
    if phase == "error":
        with plant.refuses(Status.ERROR):
            plant.step(-1)
    if phase == "terminated":
        plant.terminate()


@MODEL
@pytest.mark.parametrize(
    "phase", ["instantiated", "initialization", "stepping", "failed step", "error", "terminated"]
)
def test_reset_brings_everything_back(plants, model, phase):
    plant, fresh = plants(model), plants(model)
    spoil(plant, phase)
    plant.reset()
    assert plant.serialize() == fresh.serialize()
    np.testing.assert_array_equal(trajectory(plant.start(), model), trajectory(fresh.start(), model))


def test_reset_after_a_failed_initialization(plants):
    plant = plants("slider_crank")
    plant.set("l2", 0.1)
    plant.enter_initialization()
    with plant.refuses(Status.ERROR):
        plant.exit_initialization()
    plant.reset()
    assert plant.get("l2") == 0.6
    plant.start().step(0.1)


def memory() -> int:
    """Resident memory of this process in bytes."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_resets_do_not_use_up_memory(load, version):
    plant = Plant(load("slider_crank", version), logging=False)

    def cycles(n):
        for _ in range(n):
            plant.start()
            plant.step(1e-3)
            plant.free_state(plant.save())
            plant.reset()

    cycles(200)
    before = memory()
    cycles(2000)
    plant.free()
    assert memory() - before < 2**20


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_instances_do_not_use_up_memory(load, version):
    fmu = load("slider_crank", version)

    def cycles(n):
        for _ in range(n):
            plant = Plant(fmu, logging=False).start()
            plant.step(1e-3)
            plant.free()

    cycles(100)
    before = memory()
    cycles(500)
    assert memory() - before < 2**20


@MODEL
def test_interleaved_instances_are_as_good_as_one_after_the_other(plants, model):
    some = [plants(model, logging=False).start({"solver.rho_inf": 0.5 + 0.05 * i}) for i in range(8)]
    end, H = RUN[model]
    for k in range(round(end / H)):
        for plant in some:
            plant.step(H, at=k * H)
    for i, plant in enumerate(some):
        alone = plants(model, logging=False).start({"solver.rho_inf": 0.5 + 0.05 * i})
        for k in range(round(end / H)):
            alone.step(H, at=k * H)
        np.testing.assert_array_equal(alone.everything(), plant.everything())


@MODEL
def test_instances_in_eight_threads_are_as_good_as_one_after_the_other(load, version, model):
    fmu = load(model, version)

    def work(i):
        plant = Plant(fmu, logging=False, name=f"plant{i}").start({"solver.rho_inf": 0.5 + 0.05 * i})
        end, _ = RUN[model]
        plant.run(end, end / 4)
        state = plant.save()
        plant.step(end / 4)
        plant.restore(state)
        plant.free_state(state)
        plant.step(end / 4)
        result = plant.everything()
        plant.free()
        return result

    serial = [work(i) for i in range(8)]
    with ThreadPoolExecutor(8) as pool:
        parallel = list(pool.map(work, range(8)))
    np.testing.assert_array_equal(parallel, serial)


def test_all_models_live_in_one_process(load, version):
    plants = [Plant(load(model, version), logging=False).start() for model in MODELS]
    for plant in plants:
        plant.step(plant.fmu.experiment[1])
    for plant in plants:
        assert np.isfinite(plant.everything()).all()
        plant.free()


@pytest.mark.parametrize("H", [0.01, 0.05])
def test_values_after_termination_can_still_be_read(plants, H):
    plant = plants("pendulum").start()
    plant.step(H)
    before = plant.everything()
    plant.terminate()
    np.testing.assert_array_equal(plant.everything(), before)

"""libcosim, the co-simulation engine of the Open Simulation Platform, runs the FMUs (FMI 2.0)."""

import numpy as np
import pytest
from experiment import FMUS, MODELS, Experiment, needs_fmus, relative_difference

try:
    from libcosimpy.CosimEnums import CosimExecutionState
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave
except (ImportError, OSError) as problem:
    pytest.skip(f"libcosimpy cannot be loaded: {problem}", allow_module_level=True)

pytestmark = needs_fmus
NANOSECONDS = 1_000_000_000


@pytest.fixture(autouse=True)
def _quiet():
    log_output_level(CosimLogLevel.ERROR)


def run(experiment: Experiment) -> np.ndarray:
    """Outputs after each communication step."""
    execution = CosimExecution.from_step_size(round(experiment.step * NANOSECONDS))
    plant = execution.add_local_slave(CosimLocalSlave(str(experiment.fmu), "plant"))
    assert plant >= 0
    for name, value in experiment.values.items():
        assert execution.real_initial_value(plant, experiment.references[name], value)
    observer = CosimObserver.create_last_value()
    assert execution.add_observer(observer)
    outputs = [experiment.references[name] for name in experiment.outputs]
    rows = []
    for _ in range(experiment.steps):
        assert execution.step()
        rows.append(observer.last_real_values(plant, outputs))
    status = execution.status()
    assert status.current_time == round(experiment.stop * NANOSECONDS)
    assert status.state != CosimExecutionState.ERROR.value
    return np.array(rows)


def points(experiment: Experiment):
    """libcosim counts nanoseconds; a step is the difference of two times in seconds."""
    step = round(experiment.step * NANOSECONDS)
    times = [i * step / NANOSECONDS for i in range(experiment.steps + 1)]
    return [(t, after - t) for t, after in zip(times, times[1:])]


@pytest.mark.parametrize("model", MODELS)
def test_result_is_that_of_fmpy(model):
    experiment = Experiment(FMUS / f"{model}.fmu")
    assert np.array_equal(run(experiment), experiment.fmpy(points(experiment)))


@pytest.mark.parametrize("model", MODELS)
def test_result_is_the_reference_inside_the_fmu(model):
    experiment = Experiment(FMUS / f"{model}.fmu", {"solver.tolerance": 1e-9})
    assert relative_difference(run(experiment), experiment.reference()[1:, 1:]) < 1e-3


def test_inputs_and_parameters_are_taken():
    experiment = Experiment(FMUS / "slider_crank.fmu", {"torque": -0.5, "m4": 0.5})
    result = run(experiment)
    assert np.array_equal(result, experiment.fmpy(points(experiment)))
    assert relative_difference(result, run(Experiment(experiment.fmu))) > 0.1

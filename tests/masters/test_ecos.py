"""Ecos, a co-simulation engine with its own importers, runs the FMUs (FMI 2.0 and 3.0)."""

import numpy as np
import pytest
from experiment import FMUS, MODELS, VERSIONS, Experiment, needs_fmus, relative_difference

try:
    from ecospy import EcosLib, EcosSimulation, EcosSimulationStructure
except (ImportError, OSError) as problem:
    pytest.skip(f"ecospy cannot be loaded: {problem}", allow_module_level=True)

pytestmark = needs_fmus


@pytest.fixture(params=VERSIONS.values(), ids=VERSIONS.keys())
def extension(request) -> str:
    EcosLib.set_log_level("error")
    return request.param


def run(experiment: Experiment) -> np.ndarray:
    """Outputs after each communication step."""
    with EcosSimulationStructure() as structure:
        structure.add_model("plant", experiment.fmu)
        structure.add_parameter_set("given", {f"plant::{name}": value for name, value in experiment.values.items()})
        with EcosSimulation(experiment.step, structure=structure) as simulation:
            assert simulation.init(parameter_set="given")
            rows = []
            for _ in range(experiment.steps):
                time = simulation.step()
                rows.append([simulation.get_real(f"plant::{name}") for name in experiment.outputs])
            assert time == pytest.approx(experiment.stop)
            simulation.terminate()
    return np.array(rows)


def points(experiment: Experiment):
    """Ecos adds up its steps."""
    times = np.cumsum([0.0] + (experiment.steps - 1) * [experiment.step])
    return [(float(t), experiment.step) for t in times]


@pytest.mark.parametrize("model", MODELS)
def test_result_is_that_of_fmpy(model, extension):
    experiment = Experiment(FMUS / f"{model}{extension}")
    assert np.array_equal(run(experiment), experiment.fmpy(points(experiment)))


@pytest.mark.parametrize("model", MODELS)
def test_result_is_the_reference_inside_the_fmu(model, extension):
    experiment = Experiment(FMUS / f"{model}{extension}", {"solver.tolerance": 1e-9})
    assert relative_difference(run(experiment), experiment.reference()[1:, 1:]) < 1e-3


def test_inputs_and_parameters_are_taken(extension):
    experiment = Experiment(FMUS / f"slider_crank{extension}", {"torque": -0.5, "m4": 0.5})
    result = run(experiment)
    assert np.array_equal(result, experiment.fmpy(points(experiment)))
    assert relative_difference(result, run(Experiment(experiment.fmu))) > 0.1

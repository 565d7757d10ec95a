"""solver.real_time: every call of doStep does the same work, reports its residual, and refuses unsolvable steps."""

import numpy as np
import pytest
from conftest import FMUS
from mechfmu.fmu import Discarded, Instance

H = 1e-3
BOTH = pytest.mark.parametrize("ending", [".fmu", ".fmi3.fmu"], ids=["fmi2", "fmi3"])
WORK = ["solver.steps", "solver.newton_iterations", "solver.jacobians", "solver.factorizations", "solver.restarts", "solver.rejected"]


@BOTH
def test_every_call_does_the_same_work(ending):
    with Instance(FMUS / f"slider_crank{ending}") as plant:
        plant.start({"solver.real_time": 2})
        before = np.array(plant.get(WORK))
        for i in range(200):
            plant.set({"torque": 5.0 if i % 2 else -5.0})
            plant.step(i * H, H)
            now = np.array(plant.get(WORK))
            assert (now - before).tolist() == [1, 2, 1, 2, 0, 0]
            before = now
            assert plant.get(["solver.step_size"])[0] == pytest.approx(H)
            assert plant.get(["solver.residual"])[0] < 1


@BOTH
def test_results_are_those_of_solved_steps(ending):
    found = []
    for values in ({"solver.real_time": 2}, {"solver.fixed_step": H, "solver.tolerance": 1e-12}):
        with Instance(FMUS / f"slider_crank{ending}") as plant:
            plant.start(values)
            names = [v.name for v in plant.fmu.description.modelVariables if v.causality == "output"]
            found.append(plant.run(names, [i * H for i in range(301)]))
    assert np.allclose(found[0], found[1], rtol=1e-6, atol=1e-6 * np.abs(found[1]).max(axis=0))


@BOTH
def test_unsolved_steps_are_discarded_with_the_remedy(ending):
    with Instance(FMUS / f"andrews{ending}") as plant:
        plant.start({"solver.real_time": 2})
        with pytest.raises(Discarded, match=r"real-time mode: after 2 Newton iterations .* \(real_time\)"):
            plant.step(0, 0.02)

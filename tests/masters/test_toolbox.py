"""The FMU Manipulation Toolbox of the Renault group: its checks find nothing, and its container runs an FMU as FMPy runs it alone."""

import json
import logging
import shutil
import subprocess
import sys

import numpy as np
import pytest
from experiment import FMUS, VERSIONS, Experiment, needs_fmus
from fmpy import simulate_fmu
from fmu_manipulation_toolbox.checker import get_checkers
from fmu_manipulation_toolbox.operations import FMU
from fmu_names import MODELS

pytestmark = needs_fmus


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("model", MODELS)
def test_checks_find_nothing(model, version, caplog):
    with caplog.at_level(logging.INFO, logger="fmu_manipulation_toolbox"):
        fmu = FMU(str(FMUS / f"{model}{VERSIONS[version]}"))
        checkers = [checker() for checker in get_checkers()]
        assert len(checkers) >= 2
        for checker in checkers:
            fmu.apply_operation(checker)
    assert f"seems to be compliant with FMI-{version[-1]}.0" in caplog.text
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("version", VERSIONS)
def test_container_gives_the_same_result(version, tmp_path):
    fmu = FMUS / f"slider_crank{VERSIONS[version]}"
    experiment = Experiment(fmu)
    described = {"name": "container.fmu", "fmu": [fmu.name], "step_size": experiment.step, "auto_input": True, "auto_output": True}
    shutil.copy(fmu, tmp_path)
    (tmp_path / "container.json").write_text(json.dumps(described))
    words = [sys.executable, "-m", "fmu_manipulation_toolbox.cli.fmucontainer", "-container", "container.json"]
    done = subprocess.run([*words, "-fmi", version[-1]], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    names = experiment.outputs[:3]
    runs = [
        simulate_fmu(str(file), stop_time=0.2, step_size=experiment.step, output_interval=experiment.step, output=names)
        for file in (fmu, tmp_path / "container.fmu")
    ]
    for name in names:
        size = np.ptp(runs[0][name])
        assert size > 0 and np.abs(runs[0][name] - runs[1][name]).max() <= 1e-12 * size

"""VDMCheck, the formal model of the FMI standard, finds nothing wrong with the model descriptions."""

import shutil
import subprocess

import pytest
from experiment import FMUS, ROOT, VERSIONS, needs_fmus
from fmu_names import MODELS

pytestmark = needs_fmus
OFTEN = ["four_bar", "slider_crank"]  # a mechanism file, a C++ model; the others at night, since Java takes seconds per model
FOLDER = ROOT / "build" / "vdmcheck"
ABSENT = {
    "fmi2": "VDMCheck2 is not here; tests/masters/get_vdmcheck.sh gets it",
    "fmi3": "VDMCheck3 is not here and not in Maven Central; unpack a release of it into build/vdmcheck",
}


@pytest.mark.skipif(shutil.which("java") is None, reason="there is no java")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("model", [model if model in OFTEN else pytest.param(model, marks=pytest.mark.slow) for model in MODELS])
def test_model_description_obeys_the_rules(model, version):
    script = next(iter(FOLDER.rglob(f"VDMCheck{version[-1]}.sh")), None)
    if script is None:
        pytest.skip(ABSENT[version])
    fmu = FMUS / f"{model}{VERSIONS[version]}"
    assert fmu.exists()
    done = subprocess.run(["bash", script, fmu], capture_output=True, text=True, check=False, timeout=300)
    assert "No errors found." in done.stdout, done.stdout + done.stderr

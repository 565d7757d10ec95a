"""A master in Rust, on the crate fmi, gets the same digits as FMPy. tests/nightly.sh rust compiles it.

The crate refuses a Float64 of FMI 3.0 that has a unit, which the standard allows: it gets copies without units.
"""

import re
import subprocess
import zipfile

import numpy as np
import pytest
from experiment import FMUS, ROOT, VERSIONS, needs_fmus
from fmpy import read_model_description
from mechfmu.fmu import Instance

PROGRAM = ROOT / "build/rust/release/run_fmu"
pytestmark = [pytest.mark.slow, needs_fmus]
STEPS, H = 200, 1e-3


def without_units(fmu, copy):
    with zipfile.ZipFile(fmu) as whole, zipfile.ZipFile(copy, "w") as changed:
        for name in whole.namelist():
            data = whole.read(name)
            if name == "modelDescription.xml":
                data = re.sub(rb'(<Float64 [^>]*?) unit="[^"]*"', rb"\1", data)
            changed.writestr(name, data)
    return copy


@pytest.mark.parametrize("version", VERSIONS)
def test_same_digits_as_fmpy(version, tmp_path):
    fmu = FMUS / f"slider_crank{VERSIONS[version]}"
    variables = read_model_description(fmu).modelVariables
    reference = {v.name: v.valueReference for v in variables}
    names = [v.name for v in variables if v.causality == "output"][:3]
    file = without_units(fmu, tmp_path / "copy.fmu") if version == "fmi3" else fmu
    wanted = ",".join(str(reference[name]) for name in names)
    words = [PROGRAM, file, version[-1], str(STEPS), repr(H), f"{reference['torque']}=2.5", wanted]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rust = np.array([[float(word) for word in line.split()] for line in done.stdout.splitlines()])
    with Instance(fmu) as instance:
        instance.start({"torque": 2.5}, stop=STEPS * H)
        expected = []
        for i in range(STEPS):
            instance.step(i * H, H)
            expected.append(list(instance.get(names)))
    assert np.array_equal(rust, np.array(expected))

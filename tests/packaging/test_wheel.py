"""The wheel that packaging/wheel.py makes: installed in a fresh environment, by a user without rights and without a compiler."""

import json
import os
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

import pytest
from built import ROOT, needed, needed_glibc

WHEELS = list((ROOT / "build" / "manylinux").glob("mechfmu-*.whl"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not WHEELS, reason="there is no wheel; packaging/wheel.py makes it"),
]
NOBODY = 65534
LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2"}  # of glibc


@pytest.fixture(scope="module")
def home():
    """A folder of that user's, with the environment in it."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="with space ") as name:
        folder = Path(name)
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        folder.chmod(0o755)
        shutil.copy(WHEELS[0], folder)
        run(folder, "/usr/bin/python3", "-m", "venv", folder / "venv")
        words = ["install", "--quiet", "--disable-pip-version-check", folder / WHEELS[0].name, "FMPy", "matplotlib"]
        run(folder, folder / "venv/bin/pip", *words)
        yield folder


def run(home: Path, *words, code: int = 0) -> str:
    """What a command says to both streams: as a user without rights, where PATH has the environment alone."""
    rights = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    done = subprocess.run(
        [str(word) for word in words], cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        env={"PATH": str(home / "venv/bin"), "HOME": str(home), "LANG": "C.UTF-8"}, **rights,
    )  # fmt: skip
    assert done.returncode == code, done.stdout
    return done.stdout


def test_programs_need_glibc_2_17_alone(tmp_path):
    with zipfile.ZipFile(WHEELS[0]) as wheel:
        for name in ["mechfmu/bin/mechfmu", "mechfmu/lib/mechfmu/mechfmu_listed.so"]:
            path = Path(wheel.extract(name, tmp_path))
            assert needed(path) <= LIBRARIES and needed_glibc(path) <= (2, 17), name
        assert all(str(ROOT).encode() not in wheel.read(name) for name in wheel.namelist() if not name.endswith(".a"))


def test_from_a_new_file_to_a_run_in_fmpy(home):
    tool = home / "venv/bin/mechfmu"
    run(home, tool, "new", "four_bar")
    assert "degrees of freedom  1 = " in run(home, tool, "check", "four_bar.xml")
    run(home, tool, "simulate", "four_bar.xml", "--set", "torque=2", "--plot", "out.png")
    assert (home / "out.png").read_bytes().startswith(b"\x89PNG")
    run(home, tool, "export", "four_bar.xml")
    code = """
import json, sys
from fmpy import simulate_fmu
from fmpy.validation import validate_fmu
import mechfmu, mechfmu.fmu
result = mechfmu.simulate("four_bar.xml", inputs={"torque": 2})
found = {"simulate": [float(result["phi"][-1]), float(result["pin"][-1])]}
for fmu in ["four_bar.fmu", "four_bar.fmi3.fmu"]:
    assert not validate_fmu(fmu)
    rows = simulate_fmu(fmu, stop_time=5, output_interval=0.01, start_values={"torque": 2})
    found[fmu] = [float(rows["phi"][-1]), float(rows["pin"][-1])]
    with mechfmu.fmu.Instance(fmu) as instance:
        instance.start({"torque": 2})
        assert instance.run(["phi"], [0.01 * i for i in range(501)])[-1, 0] == rows["phi"][-1]
print(json.dumps(found))
"""
    for values in json.loads(run(home, home / "venv/bin/python", "-c", code)).values():
        assert values == pytest.approx([-0.225171294155018, 10.0284731738255], rel=1e-6)  # of the build of a clone


def test_platforms_of_the_wheel_are_packed(home):
    with zipfile.ZipFile(WHEELS[0]) as wheel:
        have = sorted(name.split("/")[-2] for name in wheel.namelist() if name.endswith("/mechfmu_listed.zip") and "/platforms/" in name)
    assert "linux64" in have
    tool = home / "venv/bin/mechfmu"
    run(home, tool, "new", "four_bar", "-o", "several.xml")
    run(home, tool, "export", "several.xml", "--platform", "all" if len(have) == 5 else ",".join(have))
    assert f"  binaries    {', '.join(have)}\n" in run(home, tool, "info", "several.fmu")
    code = """
from fmpy import simulate_fmu
rows = simulate_fmu("several.fmu", stop_time=5, output_interval=0.01, start_values={"torque": 2})
print(float(rows["phi"][-1]), float(rows["pin"][-1]))
"""
    said = run(home, home / "venv/bin/python", "-c", code)
    assert [float(word) for word in said.split()] == pytest.approx([-0.225171294155018, 10.0284731738255], rel=1e-6)


def test_codes_and_messages_are_those_of_the_tool(home):
    tool = home / "venv/bin/mechfmu"
    (home / "wrong.xml").write_text("<mechanism name='M'>\n  <joint/>\n</mechanism>\n")
    assert "wrong.xml:2: error: " in run(home, tool, "check", "wrong.xml", code=1)
    run(home, tool, "chek", code=2)
    run(home, tool, "new", "four_bar", "-o", "again.xml")
    said = run(home, tool, "export", "again.xml", "--compile", "always", code=3)
    assert "a C++ compiler is needed: pip install 'mechfmu[compiler]'" in said

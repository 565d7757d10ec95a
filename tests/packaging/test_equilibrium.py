"""Runs that begin at rest in equilibrium, in FMUs with and without a compiler and in the tool."""

import shutil
from pathlib import Path

import fmpy
import pytest
from built import ERRORS, TOOL

ROOT = Path(__file__).resolve().parents[2]
REST = ROOT / "tests/mechanisms/rest.xml"
G = 9.81

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")


@pytest.mark.parametrize("compile", ["always", "never"])
def test_parameters_of_an_fmu_move_its_equilibrium(mechfmu, tmp_path, compile):
    shutil.copy(REST, tmp_path / "rest.xml")
    mechfmu("export", "rest.xml", "--compile", compile, "-q")
    for name in ["rest.fmu", "rest.fmi3.fmu"]:
        for k, m, push in [(500, 2, 0), (200, 2, 0), (400, 3, 12)]:
            run = fmpy.simulate_fmu(str(tmp_path / name), start_values={"k": k, "m": m, "push": push}, stop_time=0.1)
            assert abs(run["z"] - (1 - (m * G - push) / k)).max() < 1e-9, (name, k, m)
            assert abs(run["speed"]).max() < 1e-9


def test_the_tool_starts_there(mechfmu, tmp_path):
    shutil.copy(REST, tmp_path / "rest.xml")
    done = mechfmu("check", "rest.xml").stdout
    assert "in equilibrium" in done and f"{1 - 2 * G / 500:.5g}" in done
    mechfmu("simulate", "rest.xml", "--set", "k=250", "-o", "run.csv", "-q")
    rows = (tmp_path / "run.csv").read_text().splitlines()
    z = rows[0].split(",").index("z")
    assert all(abs(float(row.split(",")[z]) - (1 - 2 * G / 250)) < 1e-9 for row in rows[1:])
    linear = mechfmu("linearize", "rest.xml", "--set", "k=250").stdout
    assert "at rest in equilibrium" in linear and f"{-2 * G / 250:.6g} m" in linear


def test_an_fmu_without_one_is_refused(mechfmu, tmp_path):
    text = REST.read_text().replace('stiffness="k"', 'stiffness="k - 1N/1m"').replace('min="1"', 'min="0"')
    (tmp_path / "rest.xml").write_text(text)
    mechfmu("export", "rest.xml", "--compile", "never", "-q")
    said = []
    with pytest.raises(fmpy.fmi1.FMICallException):
        fmpy.simulate_fmu(str(tmp_path / "rest.fmu"), start_values={"k": 1}, stop_time=0.1,
                          logger=lambda *words: said.append(words[-1].decode()))  # fmt: skip
    assert "'block.z' still accelerates with -9.81 m/s2" in "".join(said)
    done = mechfmu("simulate", "rest.xml", "--set", "k=1", code=ERRORS)
    assert "no static equilibrium was found near the start: 'block.z' still accelerates" in done.stderr

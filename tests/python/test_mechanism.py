"""The package mechfmu on mechanism files: numbers against closed forms, errors with file and line."""

import math
import subprocess
import sys
import zipfile
from pathlib import Path

import mechfmu
import numpy as np
import pytest
from fmpy import simulate_fmu
from mechfmu.tool import run

ROOT = Path(__file__).resolve().parents[2]
try:
    mechfmu.program()
except FileNotFoundError as missing:
    pytest.skip(str(missing), allow_module_level=True)

# m x'' + c x' + k x = F, from x = 0.1 m
OSCILLATOR = """<mechanism name="Oscillator" about="a mass on a &quot;spring&quot;">
  <parameter name="k" value="50" unit="N/m" about="stiffness"/>
  <parameter name="c" value="0" unit="N.s/m"/>
  <input name="force" unit="N"/>
  <body name="mass" at="0.1 0 0" mass="2" box="0.1 0.1 0.1"/>
  <joint name="rail" type="prismatic" between="ground mass" axis="1 0 0"/>
  <force name="pull" joint="rail" value="force - k*(0.1m + rail.displacement) - c*rail.rate"/>
  <output name="x" value="0.1m + rail.displacement" unit="m" about="of the mass"/>
  <output name="v" value="rail.rate" unit="m/s"/>
  <experiment stop="2" step="0.01"/>
</mechanism>
"""


@pytest.fixture
def oscillator(tmp_path) -> Path:
    path = tmp_path / "mit Umlaut ä" / "oscillator.xml"
    path.parent.mkdir()
    path.write_text(OSCILLATOR, encoding="utf-8")
    return path


def test_check_returns_the_contents_of_the_file(oscillator):
    found = mechfmu.check(oscillator)
    assert (found.name, found.about, found.file) == ("Oscillator", 'a mass on a "spring"', str(oscillator))
    assert (found.degrees_of_freedom, found.coordinates, found.constraints, found.redundant) == (1, 6, 5, [])
    assert found.mass == 2 and found.moves == [] and found.warnings == [] and found.functions == []
    side = 2 * (0.1**2 + 0.1**2) / 12  # of a cube
    assert found.bodies == [mechfmu.Body("mass", 2, (0.1, 0, 0), pytest.approx((side,) * 3))]
    assert found.parameters[0] == mechfmu.Variable("k", 50, "N/m", "stiffness")
    assert [v.name for v in found.inputs] == ["force"]
    assert {v.name: v.value for v in found.outputs}["x"] == pytest.approx(0.1, abs=1e-15)


def test_check_names_redundant_constraints_and_rolling(tmp_path):
    run("new", "four_bar", "-o", tmp_path / "four_bar.xml")
    found = mechfmu.check(tmp_path / "four_bar.xml")  # a planar loop of spatial bodies: 3 too many
    assert found.degrees_of_freedom == 1 and len(found.redundant) == 3
    assert found.degrees_of_freedom == found.coordinates - found.constraints + len(found.redundant)
    vehicle = mechfmu.check(ROOT / "examples" / "vehicle" / "vehicle.xml")
    assert vehicle.degrees_of_freedom < vehicle.degrees_of_freedom_of_positions


def test_simulation_is_the_closed_form(oscillator):
    result = mechfmu.simulate(oscillator, tolerance=1e-10, stop=1.5, step=0.005, columns=["x", "v"])
    omega = math.sqrt(50 / 2)
    assert result.names == ["x", "v"] and len(result) == 301 and result.time[-1] == 1.5
    np.testing.assert_allclose(result["x"], 0.1 * np.cos(omega * result.time), atol=1e-6)
    np.testing.assert_allclose(result["v"], -0.1 * omega * np.sin(omega * result.time), atol=1e-5)
    assert result.units == {"time": "s", "x": "m", "v": "m/s"}
    assert result.statistics["communication_steps"] == 300
    assert result.statistics["solver.steps"] >= 300 and isinstance(result.statistics["solver.steps"], int)
    rows = result.to_array()
    assert rows.dtype.names == ("time", "x", "v") and rows["x"][7] == result["x"][7]


def test_parameters_and_inputs_take_effect(oscillator):
    # a constant force: x = F/k + (x0 - F/k) cos ωt
    result = mechfmu.simulate(oscillator, parameters={"k": 8, "solver.rescale": True}, inputs={"force": 1.0}, tolerance=1e-10)
    np.testing.assert_allclose(result["x"], 1 / 8 + (0.1 - 1 / 8) * np.cos(2 * result.time), atol=1e-6)
    # a ramp without a spring: x = x0 + a t³/(6 m)
    ramp = {"time": [0, 2], "force": np.array([0, 6.0])}
    for version in (2, 3):
        result = mechfmu.simulate(oscillator, parameters={"k": 0}, inputs=ramp, fmi=version, step=1e-3)
        np.testing.assert_allclose(result["x"], 0.1 + 3 * result.time**3 / 12, atol=1e-6)


def test_inputs_may_come_from_a_file(oscillator, tmp_path):
    (tmp_path / "push.csv").write_text("time,force\n0,4\n2,4\n")
    result = mechfmu.simulate(oscillator, parameters={"k": 0}, inputs=tmp_path / "push.csv", interval=0.5)
    assert list(result.time) == [0, 0.5, 1, 1.5, 2]
    np.testing.assert_allclose(result["x"], 0.1 + result.time**2, atol=1e-6)


def test_inputs_that_do_not_fit_are_refused(oscillator):
    with pytest.raises(ValueError, match='need an array "time"'):
        mechfmu.simulate(oscillator, inputs={"force": [1, 2]})
    with pytest.raises(ValueError, match="one value per time: time, force"):
        mechfmu.simulate(oscillator, inputs={"time": [0, 1, 2], "force": [1, 2]})


def test_linear_model_is_that_of_the_equation(oscillator):
    model = mechfmu.linearize(oscillator, parameters={"c": 4}, trim=True)
    assert (model.name, model.states, model.inputs) == ("Oscillator", ["rail.displacement", "rail.displacement_rate"], ["force"])
    np.testing.assert_allclose(model.A, [[0, 1], [-25, -2]], atol=1e-9)
    np.testing.assert_allclose(model.B, [[0], [0.5]], atol=1e-12)
    rows = [model.outputs.index(name) for name in ("x", "v")]
    np.testing.assert_allclose(model.C[rows], np.eye(2), atol=1e-12)
    assert model.D.shape == (len(model.outputs), 1) and not model.D[rows].any()
    assert model.y0[rows[0]] == pytest.approx(0, abs=1e-9) and not model.dx0.any()
    np.testing.assert_allclose(sorted(model.poles, key=np.imag), [-1 - 1j * math.sqrt(24), -1 + 1j * math.sqrt(24)], atol=1e-9)
    assert model.units["states"] == ["m", "m/s"]
    held = mechfmu.linearize(oscillator, trim=["force"])  # the force holds it in place
    assert held.u0 == pytest.approx([5]) and held.x0 == pytest.approx([0, 0], abs=1e-12)


def test_exported_fmus_run_in_fmpy(oscillator, tmp_path):
    fmus = mechfmu.export(oscillator, tmp_path, compile="never")
    assert fmus == {2: tmp_path / "oscillator.fmu", 3: tmp_path / "oscillator.fmi3.fmu"}
    for fmu in fmus.values():
        result = simulate_fmu(str(fmu), stop_time=1, output_interval=0.01, output=["x"], start_values={"solver.tolerance": 1e-10})
        assert result["x"][-1] == pytest.approx(0.1 * math.cos(5), abs=1e-6)
    alone = mechfmu.export(oscillator, tmp_path / "alone.fmu", fmi=3, compile="never", with_mechanism=False)
    assert alone == {3: tmp_path / "alone.fmu"}
    full = mechfmu.export(oscillator, tmp_path / "full.fmu", fmi=3, compile="never", with_sources=True)
    with zipfile.ZipFile(full[3]) as archive:
        assert "sources/buildDescription.xml" in archive.namelist()
    assert mechfmu.linearize(fmus[2]).name == "Oscillator"
    with pytest.raises(mechfmu.ToolError, match="mechanism"):
        mechfmu.linearize(alone[3])


WRONG = """<mechanism name="Wrong">
  <body name="b" mass="1" sphere="1"/>
  <joint name="A" type="revolut" between="ground b"/>
  <spring name="tie" between="ground c" from="1 0 0" to="0 0 0" stiffness="1"/>
</mechanism>
"""


@pytest.mark.parametrize("function", [mechfmu.check, mechfmu.simulate, mechfmu.linearize, mechfmu.export])
def test_errors_have_file_line_and_element(tmp_path, function):
    path = tmp_path / "wrong.xml"
    path.write_text(WRONG)
    with pytest.raises(mechfmu.MechanismError) as caught:
        function(path)
    error = caught.value
    assert (error.file, error.line, error.element, error.code) == (str(path), 3, "joint 'A'", 1)
    assert "did you mean 'revolute'?" in error.message
    assert str(error).startswith(f"{path}:3: error: joint 'A': ")
    assert [(p.line, p.element) for p in error.problems[1:]] == [(4, "spring 'tie'")]


def test_error_in_a_file_that_is_not_xml_has_a_line(tmp_path):
    path = tmp_path / "broken.xml"
    path.write_text("<mechanism name='M'>\n  <body\n")
    with pytest.raises(mechfmu.MechanismError) as caught:
        mechfmu.check(path)
    assert caught.value.file == str(path) and caught.value.line in (2, 3)


def test_warnings_are_data(tmp_path):
    path = tmp_path / "loose.xml"
    path.write_text('<mechanism name="Loose">\n  <body name="ballast" mass="1" sphere="1"/>\n</mechanism>\n')
    [warning] = mechfmu.check(path).warnings
    assert (warning.line, warning.element, warning.severity) == (2, "body 'ballast'", "warning")
    assert mechfmu.simulate(path, stop=0.1).warnings == [warning]


def test_refusals_of_the_tool_are_errors_with_its_words(oscillator, tmp_path):
    with pytest.raises(mechfmu.ToolError, match="did you mean 'force'") as caught:
        mechfmu.simulate(oscillator, parameters={"forc": 1})
    assert caught.value.code == 2 and not isinstance(caught.value, mechfmu.MechanismError)
    with pytest.raises(mechfmu.ToolError) as caught:
        mechfmu.check(tmp_path / "none.xml")
    assert caught.value.code == 2 and "none.xml" in caught.value.message


def test_command_is_the_tool_with_its_exit_codes(oscillator, tmp_path):
    start = lambda *words: subprocess.run(  # noqa: E731
        [sys.executable, "-m", "mechfmu", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert start("--version").stdout.startswith("mechfmu ")
    assert start("check", "-q", oscillator).returncode == 0
    (tmp_path / "wrong.xml").write_text(WRONG)
    assert start("check", "wrong.xml").returncode == 1
    assert start("chek").returncode == 2
    assert start("simulate", oscillator, "-q", "--plot", "out.png").returncode == 0
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_command_starts_without_numpy():
    """The command must start immediately."""
    code = "import sys, mechfmu.tool; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)

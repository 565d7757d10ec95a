"""packaging/plot_csv.py draws results, with one panel per unit."""

import importlib.util
import math
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "packaging/plot_csv.py"
spec = importlib.util.spec_from_file_location("plot_csv", SCRIPT)
plot_csv = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plot_csv)


@pytest.mark.parametrize(
    "header, name, unit",
    [
        ("theta1 [rad]", "theta1", "rad"),
        (" F [N.m/s2] ", "F", "N.m/s2"),
        ("t", "t", None),
        ("y[1]", "y[1]", None),
        ("y[1] [m]", "y[1]", "m"),
        ("n []", "n", None),
    ],
)
def test_unit_is_read_from_the_header(header, name, unit):
    assert plot_csv.split_unit(header) == (name, unit)


def test_columns_of_one_unit_share_a_panel_and_those_without_stand_alone():
    headers = ["theta1 [rad]", "x4 [m]", "theta2 [rad]", "a", "b"]
    columns = [plot_csv.Column(*plot_csv.split_unit(header), [0.0]) for header in headers]
    names = [[column.name for column in panel] for panel in plot_csv.panels(columns)]
    assert names == [["theta1", "theta2"], ["x4"], ["a"], ["b"]]


def test_picture_is_written(tmp_path):
    results, picture = tmp_path / "results.csv", tmp_path / "results.png"
    results.write_text("t [s],theta1 [rad],theta2 [rad],x4\n0,1,2,3\n0.1,1.5,,3e-1\n")
    assert plot_csv.main([str(results), str(picture), "--title", "Slider-crank"]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("lines, dashed", [(10, False), (11, True)])
def test_lines_that_share_a_color_differ_in_dashes(tmp_path, lines, dashed):
    results, picture = tmp_path / "results.csv", tmp_path / "results.svg"
    results.write_text("t," + ",".join(f"F{i} [N]" for i in range(lines)) + "\n" + f"0{',1' * lines}\n1{',2' * lines}\n")
    assert plot_csv.main([str(results), str(picture)]) == 0
    assert ("stroke-dasharray: " in picture.read_text()) == dashed


@pytest.mark.parametrize("values, roundoff", [([0, 2e-33, -7e-34, math.nan], True), ([0, 0], True), ([0, 1e-12], False)])
def test_panel_of_rounding_errors_is_recognized(values, roundoff):
    assert plot_csv.is_roundoff([plot_csv.Column("guide.torque.z", "N.m", values)]) == roundoff


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "nothing to plot"),
        ("t,x\n", "nothing to plot"),
        ("t,x\n0,1\n1\n", "row 3: 1 values, but the header names 2"),
        ("t,x\n0,one\n", "row 2: x is not a number: 'one'"),
    ],
)
def test_bad_file_is_refused_with_the_place_and_cause(tmp_path, capsys, text, message):
    results, picture = tmp_path / "results.csv", tmp_path / "results.png"
    results.write_text(text)
    assert plot_csv.main([str(results), str(picture)]) == 1
    assert f"{results}" in (error := capsys.readouterr().err) and message in error
    assert not picture.exists()

"""Copies that a mechanism file makes by <repeat>: their names, such as node[2,1].z, work wherever names do."""

import csv
import json
import re

import fmpy
import pytest
from built import ERRORS, TOOL
from fmpy.validation import validate_fmu

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")

NET = """<mechanism name="Net" gravity="0 0 -9.81">
  <repeat name="i" from="1" to="2">
    <repeat name="j" from="1" to="2" ring="true">
      <parameter name="m[i,j]" value="0.1*i*j" unit="kg"/>
      <input name="push[i,j]" start="0" unit="N"/>
      <body name="node[i,j]" type="point" at="0.1*i 0.1*j 0" mass="m[i,j]" free="true"/>
      <spring name="up[i,j]" between="ground node[i,j]" from="0.1*i 0.1*j 1" to="0.1*i 0.1*j 0" stiffness="50" length="1"/>
      <force name="p[i,j]" body="node[i,j]" at="0.1*i 0.1*j 0" value="0 0 push[i,j]"/>
      <state name="s[i,j]" rate="(node[i,j+1].velocity.z - s[i,j])/0.1s" unit="m/s"/>
      <output name="node[i,j].z" value="node[i,j].position.z" unit="m"/>
      <output name="late[i,j]" value="s[i,j]" unit="m/s"/>
    </repeat>
  </repeat>
  <experiment stop="0.2" step="0.01"/>
</mechanism>
"""


@pytest.fixture
def net(tmp_path):
    (tmp_path / "net.xml").write_text(NET)
    return tmp_path / "net.xml"


def test_fmus_have_them(mechfmu, net, tmp_path):
    mechfmu("export", "net.xml")
    for name in ["net.fmu", "net.fmi3.fmu"]:
        path = str(tmp_path / name)
        assert validate_fmu(path) == []
        names = {v.name for v in fmpy.read_model_description(path).modelVariables}
        assert {"m[2,1]", "push[1,2]", "node[2,2].z", "late[1,1]"} <= names
        result = fmpy.simulate_fmu(path, stop_time=0.1, start_values={"push[1,1]": 0.1 * 9.81}, output=["node[1,1].z", "node[2,1].z"])
        assert result["node[1,1].z"][-1] == pytest.approx(0, abs=1e-7)
        assert result["node[2,1].z"][-1] < -0.01
        mechfmu("simulate", name, "--set", "m[2,1]=3", "--columns", "m[2,1],node[1,2].z", "--columns", "late[2,2]", "-o", "out.csv")
        with (tmp_path / "out.csv").open(newline="") as file:
            rows = list(csv.reader(file))
        assert rows[0] == ["time", "m[2,1]", "node[1,2].z", "late[2,2]"] and rows[-1][1] == "3"
        assert re.search(r"^  node\[2,1\]\.z +m$", mechfmu("info", name).stdout, re.M)


def test_runs_take_and_give_them(mechfmu, complaint, net, tmp_path):
    (tmp_path / "u.csv").write_text('time,"push[1,1]"\n0,0\n0.2,8\n')
    table = mechfmu("simulate", "net.xml", "--input", "u.csv", "-o", "out.csv").stdout
    assert re.search(r"^node\[1,1\]\.z +0 .* m$", table, re.M), table
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[-1]["node[1,1].z"]) > float(rows[-1]["node[1,2].z"])
    assert complaint("simulate", "net.xml", "--set", "m[2,9]=2").startswith("unknown variable 'm[2,9]'; did you mean 'm[2,")


def test_linear_models_have_them(mechfmu, net, tmp_path):
    mechfmu("linearize", "net.xml", "--trim=push[1,1],push[2,1]", "-o", "net.json")
    linear = json.loads((tmp_path / "net.json").read_text())
    assert "push[1,2]" in linear["inputs"] and "node[2,1].z" in linear["outputs"] and "s[2,2]" in linear["states"]
    mechfmu("linearize", "net.xml", "-o", "net.csv")
    with (tmp_path / "net.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][1:] == linear["states"]
    assert len({len(row) for row in rows[: 1 + len(linear["states"])]}) == 1


def test_a_thousand_links_in_ten_lines(mechfmu, tmp_path):
    (tmp_path / "chain.xml").write_text("""<mechanism name="Chain" gravity="0 0 -9.81">
  <default element="body" mass="0.2" cylinder="5mm 0.1" axis="1 0 0"/>
  <body name="link[1]" at="0.1 0 0"/>
  <joint name="J[1]" type="revolute" between="ground link[1]" at="0.05 0 0" axis="0 1 0"/>
  <repeat name="i" from="2" to="1000">
    <body name="link[i]" at="0.1*i 0 0"/>
    <joint name="J[i]" type="revolute" between="link[i-1] link[i]" at="0.1*i - 0.05 0 0" axis="0 1 0"/>
  </repeat>
  <output name="tip" value="link[1000].position.z" unit="m"/>
</mechanism>""")
    assert "degrees of freedom  1000 = 6000 coordinates of 1000 bodies" in mechfmu("check", "chain.xml").stdout
    text = (tmp_path / "chain.xml").read_text().replace("between=\"link[i-1]", "between=\"link[i-2]")
    (tmp_path / "chain.xml").write_text(text)
    assert mechfmu("check", "chain.xml", code=ERRORS).stderr == (
        "chain.xml:7: error: joint 'J[2]': body 'link[0]' does not exist; the copies are link[1] … link[1000]\n")  # fmt: skip

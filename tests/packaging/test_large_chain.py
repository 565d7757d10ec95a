"""A chain of a thousand bodies in some ten lines: checked, simulated, exported without a compiler and run by FMPy."""

import csv

import fmpy
import pytest
from built import TOOL

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")

CHAIN = """<mechanism name="Chain" gravity="0 0 -9.81">
  <default element="body" mass="1" box="1 0.1 0.1"/>
  <default element="joint" type="revolute" axis="0 1 0"/>
  <body name="b[1]" at="0.5 0 0"/>
  <joint name="J[1]" between="ground b[1]"/>
  <repeat name="i" from="2" to="1000">
    <body name="b[i]" at="i - 0.5 0 0"/>
    <joint name="J[i]" between="b[i-1] b[i]" at="i - 1 0 0"/>
    <torque name="t[i]" joint="J[i]" value="-0.5*J[i].rate"/>
  </repeat>
  <output name="root" value="J[1].angle" unit="rad"/>
  <output name="near" value="b[3].position.z" unit="m"/>
  <output name="middle" value="b[500].position.z" unit="m"/>
  <output name="tip" value="b[1000].position.z" unit="m"/>
  <experiment stop="0.1" step="0.01"/>
</mechanism>
"""


def test_from_file_to_fmpy(mechfmu, tmp_path):
    (tmp_path / "chain.xml").write_text(CHAIN)
    assert "degrees of freedom  1000 = 6000 coordinates of 1000 bodies" in mechfmu("check", "chain.xml").stdout
    mechfmu("simulate", "chain.xml", "-o", "chain.csv")
    with (tmp_path / "chain.csv").open(newline="") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    assert len(rows) == 11
    for row in rows:
        # Initially level, the chain is held only at its root, which has no effect a few bodies further: they fall freely.
        for name in ["middle", "tip"]:
            assert row[name] == pytest.approx(-9.81 * row["time"] ** 2 / 2, abs=1e-9)
    assert rows[-1]["root"] > 0.01 and abs(rows[-1]["near"] - rows[-1]["tip"]) > 1e-3

    mechfmu("export", "chain.xml", "--compile", "never", CXX="/nonexistent")
    for ending in [".fmu", ".fmi3.fmu"]:
        result = fmpy.simulate_fmu(str(tmp_path / f"chain{ending}"), stop_time=0.05, output_interval=0.01)
        assert len(result) == 6
        for ours, theirs in zip(rows, result, strict=False):
            for name in ["time", "root", "near", "middle", "tip"]:
                assert theirs[name] == pytest.approx(ours[name], rel=1e-6, abs=1e-9), (ending, name, ours["time"])

"""Files prepared by others, commands that run at the same time, and files that the user must not lose."""

import os
import re
import shutil
import subprocess

import pytest
from built import TOOL

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")

# The solver and the FMI layer are already compiled; so small a mechanism compiles fastest.
SMALL = """<mechanism name="Small">
  <body name="a" mass="1" sphere="0.1" free="true"/>
  <parameter name="push" value="1" unit="N"/>
  <force name="f" body="a" value="push 0 0"/>
  <output name="x" value="a.position.x" unit="m"/>
  <experiment stop="0.1" step="0.01"/>
</mechanism>
"""


@pytest.fixture
def small(tmp_path):
    (tmp_path / "small.xml").write_text(SMALL)
    return tmp_path / "small.xml"


def test_nothing_is_left_where_all_can_write(small, mechfmu, tmp_path):
    place = tmp_path / "common"
    place.mkdir()
    place.chmod(0o1777)
    mechfmu("simulate", small, "-q", HOME="", TMPDIR=str(place))
    assert os.listdir(place) == []


def test_runs_of_a_file_at_the_same_time(small, environment):
    running = [
        subprocess.Popen([TOOL, "simulate", small, "-o", "-"], env=environment, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)  # fmt: skip
        for _ in range(4)
    ]
    results = [(*process.communicate(timeout=300), process.returncode) for process in running]
    assert len(set(results)) == 1 and results[0][1:] == ("", 0), results


# --- files beside results ---


def test_links_beside_the_fmu_are_not_followed(small, mechfmu, tmp_path):
    (tmp_path / "precious").write_text("precious")
    for name in ["small.fmu.part", "small.fmi3.fmu.part"]:
        (tmp_path / name).symlink_to("precious")
    mechfmu("export", small)
    assert (tmp_path / "precious").read_text() == "precious"
    assert not (tmp_path / "small.fmu").is_symlink()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"small.xml", "small.fmu", "small.fmi3.fmu", "small.fmu.part", "small.fmi3.fmu.part", "precious"}


# --- names of files ---


def test_sources_whose_names_look_like_options(mechfmu, tmp_path):
    (tmp_path / "m.xml").write_text(
        '<mechanism name="M"><body name="a" mass="1" sphere="1" free="true"/><function name="pull" arguments="1" unit="N"/>'
        '<force name="f" body="a" value="pull(time/1s) 0 0"/><experiment stop="0.1" step="0.01"/></mechanism>'
    )
    law = '#include "mechanics/function.h"\nmechfmu::Function<1> pull([](const auto& x) { return x; });\n'
    for name in ["-dumpversion.cpp", "@law.cpp"]:
        (tmp_path / name).write_text(law)
        mechfmu("export", "m.xml", f"--source={name}", "--keep=-kept", "--fmi", "2")
        (tmp_path / "m.fmu").unlink()


# --- outputs that are inputs ---


@pytest.fixture
def many(tmp_path):
    """A file that is made from other files."""
    (tmp_path / "parts").mkdir()
    text = SMALL.replace("<body", '<include file="parts/b.xml"/><table name="t" file="t.csv"/><body', 1)
    (tmp_path / "m.xml").write_text(text)
    (tmp_path / "parts/b.xml").write_text('<part><body name="b" mass="1" sphere="0.1" free="true"/></part>')
    (tmp_path / "t.csv").write_text("0 0\n1 1\n")
    (tmp_path / "u.csv").write_text("time,push\n0,0\n")
    (tmp_path / "law.cpp").write_text("int nothing;\n")
    (tmp_path / "m.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    os.link(tmp_path / "m.xml", tmp_path / "same.csv")
    (tmp_path / "link.csv").symlink_to("m.xml")
    (tmp_path / "m.fmu").symlink_to("m.xml")
    shutil.copy(tmp_path / "m.xml", tmp_path / "x.fmu")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        "simulate m.xml -o m.xml", "simulate m.xml -o ./parts/../m.xml", "simulate m.xml -o same.csv", "simulate m.xml -o link.csv",
        "simulate m.xml --plot m.xml", "simulate m.xml -o parts/b.xml", "simulate m.xml -o t.csv", "simulate m.xml --input u.csv -o u.csv",
        "simulate m.xml --source law.cpp -o law.cpp", "simulate x.fmu -o x.fmu", "simulate x.fmu --plot x.fmu", "simulate m.xml -o a.csv --plot ./a.csv",
        "generate m.xml -o m.xml", "generate m.xml -o m.cpp --dependencies parts/b.xml", "generate m.xml -o m.cpp --dependencies m.cpp",
        "linearize m.xml -o same.csv", "linearize m.xml -o t.csv", "export m.xml", "export x.fmu --fmi 3", "export m.xml --source law.cpp -o m.fmu",
    ],
)  # fmt: skip
def test_no_output_overwrites_an_input(many, complaint, words):
    before = {path: path.read_bytes() for path in many.rglob("*") if path.is_file()}
    assert re.search("; (name another output file|use two files)$", complaint(*words.split(), CXX="/nonexistent"))
    assert {path: path.read_bytes() for path in many.rglob("*") if path.is_file()} == before


LAW = '#include "mechanics/function.h"\n#include "{}"\nmechfmu::Function<1> pull([](const auto& x) {{ return pulled(x); }});\n'


@pytest.mark.parametrize(
    "header, words",
    [
        ("own.fmu", "export m.xml --source law.cpp -o own.fmu"),
        ("own.fmi3.fmu", "export m.xml --source law.cpp -o own.fmu"),
        ("M.cpp", "export m.xml --source law.cpp --keep ."),
        ("2_law.o", "export m.xml --source law.cpp --keep ."),
        ("own.h", "simulate m.xml --source law.cpp -o own.h"),
        ("own.h", "simulate m.xml --source law.cpp --plot own.h"),
    ],
)
def test_no_output_overwrites_an_included_file(complaint, tmp_path, header, words):
    (tmp_path / "m.xml").write_text(
        '<mechanism name="M"><body name="a" mass="1" sphere="1" free="true"/><function name="pull" arguments="1" unit="N"/>'
        '<force name="f" body="a" value="pull(time/1s) 0 0"/><experiment stop="0.1" step="0.01"/></mechanism>'
    )
    (tmp_path / header).write_text("template <class S> S pulled(const S& x) { return x; }\n")
    (tmp_path / "law.cpp").write_text(LAW.format(header))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for _ in range(1 + words.startswith("simulate")):  # the second time it has the model from its cache
        assert complaint(*words.split()).endswith(", an input; name another output file")
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_files_kept_by_export_do_not_overwrite_sources(small, complaint, mechfmu, tmp_path):
    (tmp_path / "Small.cpp").write_text("mine")
    (tmp_path / "files").mkdir()
    (tmp_path / "files/mine").write_text("mine")
    message = complaint("export", small, "--source", "Small.cpp", "--keep", ".")
    assert message.endswith("Small.cpp, an input; name another output file")
    mechfmu("export", small, "--keep", ".", "--fmi", "2")
    assert (tmp_path / "files/mine").read_text() == "mine"

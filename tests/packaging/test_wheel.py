"""The wheel that packaging/wheel.py makes: installed in a fresh environment, by a user without rights and without a compiler."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

import pytest
from built import ROOT, needed, needed_glibc
from drivers import SUFFIX, table_of_digits

WHEELS = list((ROOT / "build" / "manylinux").glob("mechfmu-*.whl"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not WHEELS, reason="there is no wheel; packaging/wheel.py makes it"),
]
NOBODY = 65534
# The lines that README shows first: the installation of the wheel, and the first use.
INSTALL, FIRST_USE = re.search(r"^(pip install .*)\n(mechfmu new .*)$", (ROOT / "README.md").read_text(), re.MULTILINE).groups()
LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2"}  # of glibc


@pytest.fixture(scope="module")
def home():
    """A folder that this user owns, with the environment in it."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="with space ") as name:
        folder = Path(name)
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        folder.chmod(0o755)
        shutil.copy(WHEELS[0], folder)
        run(folder, "/usr/bin/python3", "-m", "venv", folder / "venv")
        run(folder, "/bin/sh", "-c", INSTALL)
        yield folder


def run(home: Path, *words, code: int = 0) -> str:
    """Run a command as a user without rights, with only the environment in PATH, and return its output."""
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


def size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc")


def test_first_lines_of_readme(home):
    folder = home / "first"
    run(home, "/bin/sh", "-c", f"/bin/mkdir first && cd first && {FIRST_USE}")
    assert (folder / "four_bar.png").read_bytes().startswith(b"\x89PNG")
    for name in ["four_bar.fmu", "four_bar.fmi3.fmu"]:
        with zipfile.ZipFile(folder / name) as fmu:
            assert sum(entry.startswith("binaries/") for entry in fmu.namelist()) == len(SUFFIX)


def test_sizes_are_those_of_the_documentation(home, capsys):
    """docs/install.md states them in MB."""
    text = " ".join((ROOT / "docs/install.md").read_text().split())
    wheel, installed, one, all_five = map(float, re.search(
        r"The wheel \(([\d.]+) MB, ([\d.]+) MB installed\).*? one platform has ([\d.]+) MB, one for .*? ([\d.]+) MB\.", text).groups())  # fmt: skip
    [package] = (home / "venv").glob("lib/python3*/site-packages/mechfmu")
    tool = home / "venv/bin/mechfmu"
    run(home, tool, "new", "four_bar", "-o", "sized.xml")
    run(home, tool, "export", "sized.xml", "-o", "one.fmu")
    run(home, tool, "export", "sized.xml", "-o", "all.fmu", "--platform", "all")
    found = [WHEELS[0].stat().st_size, size_of(package), (home / "one.fmu").stat().st_size, (home / "all.fmu").stat().st_size]
    with capsys.disabled():
        print("\nMB: wheel {:.1f}, installed {:.1f}, FMU {:.2f}, FMU for all platforms {:.2f}".format(*(size / 1e6 for size in found)))
    assert [size / 1e6 for size in found] == pytest.approx([wheel, installed, one, all_five], rel=0.1)


def test_notices_of_linked_libraries(home):
    """The texts of licences that must accompany binaries."""
    [package] = (home / "venv").glob("lib/python3*/site-packages/mechfmu")
    texts = {file.name: file.read_text() for file in (package / "lib/mechfmu/licenses").iterdir()}
    for name, line in {
        "CLI11": "Redistributions in binary form must reproduce the above copyright notice",
        "Eigen": "Mozilla Public License Version 2.0",
        "libxml2": "Permission is hereby granted, free of charge",
        "minizip": "This software is provided 'as-is', without any express or implied",
        "zlib": "This software is provided 'as-is', without any express or implied",
    }.items():
        assert line in " ".join(texts[name].split()), name
    assert set(texts) == {"CLI11", "Eigen", "libxml2", "minizip", "zlib"}
    page = (package / "lib/mechfmu/viewer.html").read_text()
    assert "three.js authors" in page and "Leon Sorokin" in page


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


def test_platforms_of_the_wheel_are_packed_and_run(home, drivers, tmp_path, capsys):
    """All five; the FMU that the wheel makes has the same digits on all platforms that can be run here."""
    with zipfile.ZipFile(WHEELS[0]) as wheel:
        have = [name.split("/")[-2] for name in wheel.namelist() if name.endswith("/mechfmu_listed.zip") and "/platforms/" in name]
    assert sorted(have) == sorted(SUFFIX)
    tool = home / "venv/bin/mechfmu"
    run(home, tool, "new", "four_bar", "-o", "several.xml")
    run(home, tool, "export", "several.xml", "--platform", "all")
    assert f"  binaries    {', '.join(sorted(SUFFIX))}\n" in run(home, tool, "info", "several.fmu")
    folders = {}
    for version, ending in [(2, ".fmu"), (3, ".fmi3.fmu")]:
        folders[version] = tmp_path / f"fmi{version}"
        with zipfile.ZipFile(home / f"several{ending}") as archive:
            archive.extractall(folders[version])
    rows = table_of_digits(folders, drivers, capsys)
    assert [float(value) for value in rows[0][2:4]] == pytest.approx([-0.225171294155018, 10.0284731738255], rel=1e-6)
    for row in rows:
        assert row[3:] == rows[0][3:]
        assert float(row[2]) == pytest.approx(float(rows[0][2]), rel=2.3e-16)  # an arc tangent


def test_codes_and_messages_are_those_of_the_tool(home):
    tool = home / "venv/bin/mechfmu"
    (home / "wrong.xml").write_text("<mechanism name='M'>\n  <joint/>\n</mechanism>\n")
    assert "wrong.xml:2: error: " in run(home, tool, "check", "wrong.xml", code=1)
    run(home, tool, "chek", code=2)
    run(home, tool, "new", "four_bar", "-o", "again.xml")
    said = run(home, tool, "export", "again.xml", "--compile", "always", code=3)
    assert "a C++ compiler is needed: pip install 'mechfmu[compiler]'" in said

"""`export --platform`: the libraries of an FMU, their names, and the messages about missing ones. Dummy files stand
for libraries here; test_platforms.py runs real ones."""

import importlib
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from built import BUILD, ERRORS, FAILED, TOOL, USAGE, run
from fmpy.validation import validate_fmu

ROOT = Path(__file__).resolve().parents[2]
SUFFIX = {"linux64": "so", "win64": "dll", "aarch64-linux": "so", "darwin64": "dylib", "aarch64-darwin": "dylib"}
# FMI 3.0, 2.5.1.4.1: <architecture>-<system>; FMI 2.0, 2.3: names of x86 only
FMI3 = {"linux64": "x86_64-linux", "win64": "x86_64-windows", "darwin64": "x86_64-darwin"}

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")


@pytest.fixture
def kit(tmp_path):
    """kit(platforms...): a kit with these, in the environment."""

    def make(*platforms):
        folder = tmp_path / "libraries"
        folder.mkdir()
        for name in platforms:
            alone = tmp_path / "alone" / name
            alone.mkdir(parents=True)
            (alone / f"mechfmu_listed.{SUFFIX[name]}").write_text(f"library of {name}")
            (folder / name).mkdir()
            run(BUILD / "packaging" / "mechfmu_pack", folder / name / "mechfmu_listed.zip", alone)
            shutil.copy(BUILD / "packaging" / "mechfmu_sources.sha256", folder / name)
        lines = (BUILD / "mechfmu.kit").read_text().splitlines()
        lines = [f"platforms = {folder}" if line.startswith("platforms = ") else line for line in lines]
        (tmp_path / "mechfmu.kit").write_text("\n".join(lines) + "\n")
        shutil.copy(ROOT / "models/four_bar/four_bar.xml", tmp_path)
        return {"MECHFMU_KIT": str(tmp_path / "mechfmu.kit")}

    return make


def binaries(file) -> dict[str, str]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist() if name.startswith("binaries/")}


def test_every_platform_has_its_library_in_its_folder(mechfmu, kit, tmp_path):
    environment = kit(*SUFFIX)
    mechfmu("export", "four_bar.xml", "--platform", "all", **environment)
    assert binaries(tmp_path / "four_bar.fmu") == {
        f"binaries/{name}/four_bar.{suffix}": f"library of {name}" for name, suffix in SUFFIX.items()
    }
    assert binaries(tmp_path / "four_bar.fmi3.fmu") == {
        f"binaries/{FMI3.get(name, name)}/four_bar.{suffix}": f"library of {name}" for name, suffix in SUFFIX.items()
    }
    for name in ["four_bar.fmu", "four_bar.fmi3.fmu"]:
        assert validate_fmu(str(tmp_path / name)) == []
    said = mechfmu("info", "four_bar.fmu").stdout
    assert "  binaries    aarch64-darwin, aarch64-linux, darwin64, linux64, win64\n" in said
    said = mechfmu("info", "four_bar.fmi3.fmu").stdout
    assert "  binaries    aarch64-darwin, aarch64-linux, x86_64-darwin, x86_64-linux, x86_64-windows\n" in said
    with zipfile.ZipFile(tmp_path / "four_bar.fmu") as archive:
        assert archive.read("resources/mechanism.bin").startswith(b"mechfmu listing\n")
        licences = archive.read("documentation/licenses/license.txt").decode()
    assert "libc++" in licences and "libstdc++" not in licences  # the licences of the parts in these libraries


def test_some_platforms_by_either_name_and_each_once(mechfmu, kit, tmp_path):
    environment = kit("win64", "aarch64-linux")
    mechfmu("export", "four_bar.xml", "--platform", "aarch64-linux,x86_64-windows", "--platform", "win64", **environment)
    assert list(binaries(tmp_path / "four_bar.fmu")) == ["binaries/aarch64-linux/four_bar.so", "binaries/win64/four_bar.dll"]
    # if this machine is not among them, its own programs report that
    said = mechfmu("simulate", "four_bar.fmu", code=ERRORS).stderr
    assert "no binary for this machine (linux64); it has aarch64-linux, win64" in said


def test_a_library_that_is_missing_is_named_with_the_command_that_makes_it(complaint, kit, tmp_path):
    environment = kit("linux64")
    said = complaint("export", "four_bar.xml", "--platform", "linux64,win64", code=FAILED, **environment)
    assert "there is no library for win64" in said and "packaging/platforms.py win64 builds it" in said
    assert not (tmp_path / "four_bar.fmu").exists()


@pytest.mark.parametrize("stamp", ["0" * 64, None])
def test_a_library_of_other_sources_is_refused(complaint, kit, tmp_path, stamp):
    environment = kit("linux64", "win64")
    file = tmp_path / "libraries/win64/mechfmu_sources.sha256"
    file.unlink()
    if stamp:
        file.write_text(stamp + "\n")
    said = complaint("export", "four_bar.xml", "--platform", "linux64,win64", code=FAILED, **environment)
    assert said.startswith("the library for win64 (") and "packaging/platforms.py win64 builds it" in said
    assert "was built from other sources than this program" in said
    assert not (tmp_path / "four_bar.fmu").exists()


def test_the_hash_of_the_sources_is_the_one_of_the_script_that_builds_the_libraries(monkeypatch):
    """Python and C++ compute it; they have to agree on files, order and form."""
    monkeypatch.syspath_prepend(ROOT / "packaging")
    platforms = importlib.import_module("platforms")
    assert (BUILD / "packaging" / "mechfmu_sources.sha256").read_text() == platforms.sources_hash() + "\n"


def test_impossible_requests_are_refused(complaint, kit, tmp_path):
    environment = kit("linux64")
    said = complaint("export", "four_bar.xml", "--platform", "linux46", code=USAGE, **environment)
    assert "unknown platform 'linux46'; did you mean 'linux64'?" in said
    said = complaint("export", "four_bar.xml", "--platform", "linux64", "--compile", "always", code=USAGE, **environment)
    assert said.endswith("omit --compile always")
    (tmp_path / "m.xml").write_text(
        '<mechanism name="M"><body name="a" mass="1" sphere="1" free="true"/><function name="pull" arguments="1" unit="N"/>'
        '<force name="f" body="a" value="pull(time/1s) 0 0"/></mechanism>'
    )
    (tmp_path / "law.cpp").write_text("")
    said = complaint("export", "m.xml", "--source", "law.cpp", "--platform", "linux64", code=USAGE, **environment)
    assert said.startswith("function 'pull' is written in C++") and said.endswith("omit --platform")


PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
project(for_many LANGUAGES NONE)
add_executable(mechfmu::tool IMPORTED)
set_target_properties(mechfmu::tool PROPERTIES IMPORTED_LOCATION "{TOOL}")
include("{ROOT}/packaging/MechfmuAddFmu.cmake")
mechfmu_add_fmu(linkage MECHANISM four_bar.xml PLATFORMS linux64 win64 WITHOUT_MECHANISM)
"""


def test_cmake_function_makes_fmus_for_platforms(kit, environment, tmp_path):
    variables = {**environment, **kit("linux64", "win64")}
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    fmu = tmp_path / "build/fmus/linkage.fmu"

    def build():
        subprocess.run(["cmake", "--build", "build"], cwd=tmp_path, env=variables, check=True, capture_output=True)
        return fmu.stat().st_mtime_ns, (tmp_path / "build/fmus/linkage.fmi3.fmu").stat().st_mtime_ns

    subprocess.run(["cmake", "-S", ".", "-B", "build", "-G", "Ninja"], cwd=tmp_path, env=variables, check=True, capture_output=True)
    first = build()
    assert list(binaries(fmu)) == ["binaries/linux64/four_bar.so", "binaries/win64/four_bar.dll"]
    with zipfile.ZipFile(fmu) as archive:
        assert not [name for name in archive.namelist() if name.startswith("extra/org.mechfmu.mechanism")]
    assert build() == first
    mechanism = tmp_path / "four_bar.xml"
    mechanism.write_text(mechanism.read_text().replace('value="800"', 'value="801"'))
    assert all(now > before for now, before in zip(build(), first, strict=True))

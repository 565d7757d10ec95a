"""FMUs that contain everything needed to compile them: mechfmu export --sources."""

import re
import shutil
import subprocess
import sys
import zipfile

import fmpy
import numpy as np
import pytest
from built import ROOT, TOOL, USAGE, run
from fmpy.build import build_platform_binary
from fmpy.validation import validate_fmu

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")

MODEL = ROOT / "models/four_bar/four_bar.xml"
PULL = (
    '<mechanism name="M"><body name="a" mass="1" sphere="1" free="true"/><function name="pull" arguments="1" unit="N"/>'
    '<force name="f" body="a" value="pull(time/1s) 0 0"/><output name="x" value="a.position.x" unit="m"/></mechanism>'
)


def to_compile(fmu) -> list[str]:
    """The sources that the FMU lists for compilation."""
    [configuration] = fmpy.read_model_description(str(fmu), validate=True).buildConfigurations
    [files] = configuration.sourceFileSets
    if configuration.modelIdentifier and files.language:
        assert files.language == "C++20"
    return files.sourceFiles


def read_by_compiler(folder, names, compiler) -> set[str]:
    """All files that the compiler reads for these, with sources/ as the only include folder."""
    words = [compiler, "-std=c++20", "-M", "-Isources", *(f"sources/{name}" for name in names)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"[^\s\\:]+", done.stdout))


@pytest.mark.parametrize("ending", [".fmu", ".fmi3.fmu"])
def test_sources_are_complete(mechfmu, tmp_path, ending):
    mechfmu("export", MODEL, "--sources", "--compile", "never")
    fmu = tmp_path / f"four_bar{ending}"
    assert validate_fmu(str(fmu)) == []
    with zipfile.ZipFile(fmu) as archive:
        archive.extractall(tmp_path / "unpacked")
        names = {name.removeprefix("sources/") for name in archive.namelist() if name.startswith("sources/")}
        assert any(name.startswith("binaries/") for name in archive.namelist())
    assert (tmp_path / "unpacked/sources/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    mpl = (tmp_path / "unpacked/sources/Eigen/COPYING.MPL2").read_text()
    assert mpl.startswith("Mozilla Public License Version 2.0") and "10.4. Distributing Source Code Form" in mpl
    assert re.search(r"^  sources +all that it takes", mechfmu("info", fmu).stdout, re.MULTILINE)
    listed = to_compile(fmu)
    assert set(listed) == {name for name in names if name.endswith(".cpp")}
    assert {"four_bar.cpp", "four_bar_model_name.cpp", "mechanics/tabled_model_main.cpp"} <= set(listed)
    assert "Eigen/src/Core/arch/NEON/PacketMath.h" in names  # for other processors than this one
    # one of each folder, and the one of the mechanism
    some = ["four_bar.cpp", "fmu_src/fmi3.cpp", "mechanics/system.cpp", "solver/dense_kkt.cpp", "model/description.cpp"]
    for compiler in ["g++", "clang++"]:
        read = read_by_compiler(tmp_path / "unpacked", some, compiler)
        assert any(file.startswith("sources/Eigen/") for file in read)
        assert not any("/Eigen/" in file and not file.startswith("sources/") for file in read)


def test_only_on_request(mechfmu, tmp_path):
    mechfmu("export", MODEL, "--compile", "never")
    with zipfile.ZipFile(tmp_path / "four_bar.fmu") as archive:
        assert not [name for name in archive.namelist() if name.startswith("sources/")]
        assert b"SourceFiles" not in archive.read("modelDescription.xml")


def test_user_defined_functions(mechfmu, complaint, tmp_path):
    (tmp_path / "m.xml").write_text(PULL)
    (tmp_path / "laws/parts").mkdir(parents=True)
    (tmp_path / "laws/law.cpp").write_text('#include "parts/size.h"\n#include "mechanics/function.h"\n'
                                           "mechfmu::Function<1> pull([](const auto& t) { return size * t; });\n")  # fmt: skip
    (tmp_path / "laws/parts/size.h").write_text("constexpr double size = 2;\n")
    mechfmu("export", "m.xml", "--source", "laws/law.cpp", "--sources")
    for ending in [".fmu", ".fmi3.fmu"]:
        assert "own/law.cpp" in to_compile(tmp_path / f"m{ending}")
        with zipfile.ZipFile(tmp_path / f"m{ending}") as archive:
            own = {name for name in archive.namelist() if name.startswith("sources/own/")}
            assert own == {"sources/own/law.cpp", "sources/own/parts/size.h"}
    # its included files are elsewhere
    shutil.move(tmp_path / "laws/parts/size.h", tmp_path / "size.h")
    (tmp_path / "laws/law.cpp").write_text((tmp_path / "laws/law.cpp").read_text().replace("parts/", "../"))
    said = complaint("export", "m.xml", "--source", "laws/law.cpp", "--sources", code=USAGE)
    assert "size.h is not below" in said and "--source" in said


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".fmu", ".fmi3.fmu"])
def test_compiled_by_fmpy(mechfmu, tmp_path, ending):
    """The binary that FMPy makes from the sources gives the same digits as the tool's."""
    mechfmu("export", MODEL, "--sources", "--compile", "always")
    fmu = tmp_path / f"four_bar{ending}"
    start = {"torque": 2}
    made = fmpy.simulate_fmu(str(fmu), stop_time=5, output_interval=0.01, start_values=start)
    folder = fmpy.extract(str(fmu), str(tmp_path / "unpacked"))
    shutil.rmtree(tmp_path / "unpacked/binaries")
    options = {"CMAKE_CXX_STANDARD": "20"} if ending == ".fmu" else None  # which FMI 2.0 cannot express
    build_platform_binary(folder, cmake_options=options)
    built = fmpy.simulate_fmu(folder, stop_time=5, output_interval=0.01, start_values=start)
    for name in made.dtype.names:
        np.testing.assert_array_equal(built[name], made[name], err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_compiled_and_run_without_warnings(mechfmu, tmp_path, compiler):
    """Optimized, with all usual warnings, linked and run, as docs/real_time.md advises."""
    mechfmu("export", MODEL, "--sources", "--compile", "always", "--fmi", "3")
    fmu, folder = tmp_path / "four_bar.fmu", tmp_path / "unpacked"
    with zipfile.ZipFile(fmu) as archive:
        archive.extractall(folder)
    options = ["-std=c++20", "-O2", "-DNDEBUG", "-Wall", "-Wextra", "-fPIC", "-Isources"]
    objects = []
    for name in to_compile(fmu):
        objects.append(f"{len(objects)}.o")
        done = subprocess.run([compiler, *options, "-c", f"sources/{name}", "-o", objects[-1]], cwd=folder,
                              capture_output=True, text=True, check=False)  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
    library = folder / "binaries/x86_64-linux/four_bar.so"
    library.unlink()
    run(compiler, "-shared", "-o", library, *(folder / name for name in objects))
    made, built = (
        fmpy.simulate_fmu(str(of), stop_time=5, output_interval=0.01, start_values={"torque": 2}, output=["phi", "pin"])
        for of in (fmu, folder)
    )
    for name in ("phi", "pin"):  # another order of operations, to the tolerance of the run
        np.testing.assert_allclose(built[name], made[name], rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".fmu", ".fmi3.fmu"])
def test_fmutool_compiles_the_sources(mechfmu, tmp_path, ending):
    """With sources only in the FMU, as for a machine without a binary."""
    mechfmu("export", MODEL, "--sources", "--compile", "never", "-o", "whole.fmu")
    with zipfile.ZipFile(tmp_path / f"whole{ending}") as whole, zipfile.ZipFile(tmp_path / "sources.fmu", "w") as alone:
        for name in whole.namelist():
            if not name.startswith("binaries/"):
                alone.writestr(name, whole.read(name))
    words = [sys.executable, "-m", "fmu_manipulation_toolbox.cli.fmutool", "-input", "sources.fmu", "-compile-sources"]
    done = subprocess.run([*words, "-compile-options=-std=c++20 -O1 -DNDEBUG", "-output", "compiled.fmu"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0 and (tmp_path / "compiled.fmu").exists(), done.stdout + done.stderr
    runs = [
        fmpy.simulate_fmu(str(tmp_path / name), stop_time=1, output_interval=0.01, start_values={"torque": 2}, output=["phi", "pin"])
        for name in (f"whole{ending}", "compiled.fmu")
    ]
    for name in ("phi", "pin"):
        assert np.allclose(runs[0][name], runs[1][name], rtol=1e-9, atol=1e-12)

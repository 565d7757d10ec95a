"""Other projects make FMUs of their own models: with an installed mechfmu, and with mechfmu as a subfolder."""

import zipfile

import pytest
from built import BUILD, LIBRARIES, ROOT, exported, fmi_functions, needed, run

pytestmark = pytest.mark.skipif(not (BUILD / "fmus").exists(), reason="the FMUs are not built")

MODEL = """
#include "solver/factory.h"
#include "solver/model.h"

using namespace mechfmu;

struct Bob : Model<2, 1> {
  double F = 0;

  template <class T>
  Mat<T, 2> M(T, const Vec<T, 2>&) const {
    return Mat<T, 2>::Identity();
  }
  template <class T>
  Vec<T, 2> f(T, const Vec<T, 2>&, const Vec<T, 2>&) const {
    return {T(F), T(-9.81)};
  }
  template <class T>
  Vec<T, 1> g(T, const Vec<T, 2>& y) const {
    return Vec<T, 1>(sqrt(y.squaredNorm()) - 1);
  }
  void variables(Variables& v) {
    v.input("F", F).unit("N");
    v.output("x", [](const Point& p) { return p.y[0]; }).unit("m");
    v.start({.y = {-1, 0}});
  }
};

std::unique_ptr<System> mechfmu::make_model() { return std::make_unique<ModelSystem<Bob>>(); }
"""

PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(external LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
{mechfmu}
mechfmu_add_fmu(bob SOURCES bob.cpp)
"""


def build_bob(folder, mechfmu, *options):
    """Builds the FMUs of a project, and checks what is in them."""
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(PROJECT.format(mechfmu=mechfmu))
    (folder / "bob.cpp").write_text(MODEL)
    run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", *options)
    run("cmake", "--build", folder / "build", "--target", "bob_fmu")

    fmus = folder / "build/fmus"
    assert {path.name for path in fmus.iterdir()} == {"bob.fmu", "bob.fmi3.fmu"}
    for fmu, binary in [("bob.fmu", "binaries/linux64/bob.so"), ("bob.fmi3.fmu", "binaries/x86_64-linux/bob.so")]:
        with zipfile.ZipFile(fmus / fmu) as archive:
            assert archive.testzip() is None
            assert b'modelName="bob"' in archive.read("modelDescription.xml")
            library = archive.extract(binary, folder)
        assert exported(library) == fmi_functions()
        assert needed(library) <= LIBRARIES


def test_installed_package(tmp_path):
    prefix = tmp_path / "a prefix"
    run("cmake", "--install", BUILD, "--prefix", prefix)
    for file in prefix.rglob("*.cmake"):
        assert str(ROOT) not in file.read_text(), f"{file.name} does not survive a move of the sources"
    moved = prefix.rename(tmp_path / "another prefix")
    build_bob(tmp_path / "a project", "find_package(mechfmu REQUIRED)", f"-DCMAKE_PREFIX_PATH={moved}")


def test_subfolder(tmp_path):
    """To save time: without optimization, and with the headers that all sources include compiled once."""
    mechfmu = f"""
add_subdirectory("{ROOT}" mechfmu)
target_precompile_headers(mechfmu_solver PRIVATE "{ROOT}/solver/system.h" <filesystem> <iostream> <map>)
foreach(part model_desc describe_main fmu_objects)
  target_precompile_headers(mechfmu_${{part}} REUSE_FROM mechfmu_solver)
endforeach()
"""
    build_bob(tmp_path / "a project", mechfmu, "-DCMAKE_BUILD_TYPE=None")


@pytest.mark.parametrize(
    "call, message",
    [
        ("2bob SOURCES bob.cpp", "does not begin with a digit"),
        ("bob-1 SOURCES bob.cpp", "letters, digits and _"),
        ("bob bob.cpp", "what is 'bob.cpp'?"),
        ("bob", "add SOURCES"),
        ("bob SOURCES bob.cpp ICON bob.png", "there is no picture"),
        ("bob SOURCES bob.cpp DIAGRAM bob.png", "there is no picture"),
    ],
)
def test_wrong_call_is_refused_with_the_cause(tmp_path, call, message):
    script = tmp_path / "call.cmake"
    script.write_text(f'include("{ROOT}/packaging/MechfmuAddFmu.cmake")\nmechfmu_add_fmu({call})\n')
    with pytest.raises(AssertionError) as failure:
        run("cmake", "-P", script)
    assert message in " ".join(str(failure.value).split())

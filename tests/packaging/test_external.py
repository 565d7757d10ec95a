"""Other projects make FMUs of their own models: with an installed mechfmu, and with mechfmu as a subfolder. The installed
tool works without the sources."""

import os
import subprocess
import zipfile

import pytest
from built import BUILD, LIBRARIES, ROOT, exported, fmi_functions, needed, run
from lxml import etree

pytestmark = pytest.mark.skipif(not (BUILD / "mechfmu").exists(), reason="the tool is not built")

MODEL = """
#include "model/factory.h"
#include "model/model.h"

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

MECHANISM = """<mechanism name="Arm" gravity="0 -9.81 0">
  <include file="parts/arm.xml"/>
  <table name="curve" file="data/curve.csv" x_unit="rad" unit="N.m"/>
  <function name="drag" arguments="rad/s" unit="N.m"/>
  <torque name="damper" joint="A" value="-drag(A.rate) - table(curve, A.angle)"/>
  <output name="phi" value="A.angle" unit="rad"/>
  <experiment stop="0.5" step="0.01"/>
</mechanism>
"""
PART = """<part>
  <body name="arm" at="0.5 0 0" mass="1" box="1 0.1 0.1"/>
  <joint name="A" type="revolute" between="ground arm"/>
</part>
"""
LAW = """#include "mechanics/function.h"
mechfmu::Function<1> drag([](const auto& rate) { return 2.0 * tanh(rate); });
"""

PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(external LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
{mechfmu}
mechfmu_add_fmu(bob SOURCES bob.cpp)
mechfmu_add_fmu(arm MECHANISM "the arm/arm.xml" SOURCES law.cpp)
"""


def configure(folder, mechfmu, *options):
    files = {"CMakeLists.txt": PROJECT.format(mechfmu=mechfmu), "bob.cpp": MODEL, "law.cpp": LAW, "the arm/arm.xml": MECHANISM,
             "the arm/parts/arm.xml": PART, "the arm/data/curve.csv": "-2 -3\n2 3\n"}  # fmt: skip
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", *options)


def build_fmus(folder, mechfmu, *options):
    """Builds the FMUs of a project, and checks what is in them."""
    names = ["bob", "arm"]
    configure(folder, mechfmu, *options)
    run("cmake", "--build", folder / "build", "--target", *(f"{name}_fmu" for name in names))

    fmus = folder / "build/fmus"
    assert {path.name for path in fmus.iterdir()} == {f"{name}{kind}" for name in names for kind in (".fmu", ".fmi3.fmu")}
    for fmu in fmus.iterdir():
        name = fmu.name.partition(".")[0]
        with zipfile.ZipFile(fmu) as archive:
            assert archive.testzip() is None
            assert f'modelName="{name}"'.encode() in archive.read("modelDescription.xml")
            platform = "x86_64-linux" if fmu.name.endswith(".fmi3.fmu") else "linux64"
            library = archive.extract(f"binaries/{platform}/{name}.so", folder)
        assert exported(library) == fmi_functions()
        assert needed(library) <= LIBRARIES


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    """An installation, moved after it was made."""
    folder = tmp_path_factory.mktemp("an installation")
    run("cmake", "--install", BUILD, "--prefix", folder / "made here")
    return (folder / "made here").rename(folder / "moved there")


@pytest.fixture(scope="session")
def project(prefix, tmp_path_factory):
    """A project that uses the installation, built."""
    folder = tmp_path_factory.mktemp("projects") / "a project"
    build_fmus(folder, "find_package(mechfmu REQUIRED)", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=None")
    return folder


def out_of_sight(*command, cwd, **variables) -> subprocess.CompletedProcess:
    """Runs a command where the sources and the build are invisible, as far as this machine allows that."""
    hide = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', ROOT]
    if subprocess.run([*hide, "true"], capture_output=True, check=False).returncode != 0:
        hide = []
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(cwd), **variables}
    return subprocess.run([*hide, *command], capture_output=True, text=True, check=False, cwd=cwd, env=environment)


def test_installation_does_not_point_to_where_it_was_built(prefix):
    for file in [*prefix.rglob("*.cmake"), *prefix.rglob("*.kit")]:
        for place in (ROOT, BUILD, "made here"):
            assert str(place) not in file.read_text(), f"{file.name} does not survive a move"


def test_installed_tool_exports_and_simulates_on_its_own(prefix, tmp_path):
    tool = prefix / "bin/mechfmu"
    (tmp_path / "arm.xml").write_text(MECHANISM.replace('<include file="parts/arm.xml"/>', PART[6:-8]).replace(
        '<table name="curve" file="data/curve.csv"', '<table name="curve" x="-2 2" y="-3 3"'))  # fmt: skip
    (tmp_path / "law.cpp").write_text(LAW)
    done = out_of_sight(tool, "export", "arm.xml", "--source", "law.cpp", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "arm.fmu  (FMI 2.0)\narm.fmi3.fmu  (FMI 3.0)\n"), done
    done = out_of_sight(tool, "simulate", "arm.fmi3.fmu", "--columns", "phi", "-o", "arm.csv", cwd=tmp_path)
    assert done.returncode == 0 and "50 communication steps" in done.stdout, done
    # the plot: with a Python that has its packages, and with the system's, which may lack them
    python = str(ROOT / "build/venv/bin/python")
    words = [tool, "simulate", "arm.fmu", "--plot", "arm.png"]
    assert subprocess.run(words, cwd=tmp_path, env={**os.environ, "MECHFMU_PYTHON": python}, check=False).returncode == 0
    assert (tmp_path / "arm.png").read_bytes().startswith(b"\x89PNG")
    done = out_of_sight(*words, cwd=tmp_path)
    assert done.returncode == 0 or "set MECHFMU_PYTHON to use another one" in done.stderr


def test_installed_files_for_shells_and_editors(prefix):
    script = prefix / "share/bash-completion/completions/mechfmu"
    subprocess.run(["bash", "-n", script], check=True)
    assert "complete -F _mechfmu mechfmu" in script.read_text()
    schema = etree.RelaxNG(etree.parse(prefix / "share/mechfmu/mechanism.rng"))
    schema.assertValid(etree.fromstring(MECHANISM))


def test_installed_package(project, prefix):
    """The function of law.cpp and the included part are in the FMU."""
    words = [prefix / "bin/mechfmu", "simulate", project / "build/fmus/arm.fmu", "-o", "-", "--columns", "phi"]
    rows = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    assert rows[0] == "time,phi" and float(rows[-1].split(",")[1]) < -0.5


def steps(project) -> str:
    """The commands that a build would run."""
    return run("cmake", "--build", project / "build", "--target", "arm_fmu", "--", "-n")


@pytest.mark.parametrize("file", ["arm.xml", "parts/arm.xml", "data/curve.csv"])
def test_change_of_a_file_makes_the_fmu_again(project, file):
    assert "no work to do" in steps(project)
    path = project / "the arm" / file
    before = path.stat()
    try:
        os.utime(path)
        made = steps(project)
        assert "Translating" in made and "Packing arm.fmu" in made
    finally:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("file, old, new, message", [
    ("arm.xml", 'name="damper" joint="A"', 'name="damper" joint="AA"', "joint 'AA' does not exist; did you mean 'A'?"),
    ("parts/arm.xml", 'mass="1"', 'mass="1s"', "mass"),
])  # fmt: skip
def test_build_shows_errors_with_their_places(project, file, old, new, message):
    """Errors have the format of compilers, so that editors jump to them."""
    path = project / "the arm" / file
    text, before = path.read_text(), path.stat()
    line = text[: text.index(old)].count("\n") + 1
    path.write_text(text.replace(old, new))
    try:
        words = ["cmake", "--build", project / "build", "--target", "arm_fmu"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode != 0
        [shown] = [each for each in done.stdout.splitlines() if each.startswith(f"{path}:{line}: error: ")]
        assert message in shown
    finally:
        path.write_text(text)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


SUBFOLDER = f'add_subdirectory("{ROOT}" mechfmu)'


def test_subfolder(tmp_path):
    """The sources of a model find all headers, and the commands that make the FMUs are known; nothing of mechfmu is compiled."""
    folder = tmp_path / "a project"
    configure(folder, SUBFOLDER, "-DCMAKE_BUILD_TYPE=None")
    run("cmake", "--build", folder / "build", "--target", "bob_model")
    commands = run("ninja", "-C", folder / "build", "-t", "commands", "bob_fmu", "arm_fmu")
    for name in ["bob.fmu", "bob.fmi3.fmu", "arm.fmu", "arm.fmi3.fmu"]:
        assert f"/fmus/{name}" in commands
    assert "solver/step.cpp" in commands and "arm_mechanism.cpp" in commands


@pytest.mark.slow
def test_subfolder_is_built(tmp_path):
    build_fmus(tmp_path / "a project", SUBFOLDER, "-DCMAKE_BUILD_TYPE=None", "-DMECHFMU_PRECOMPILE=ON")


@pytest.mark.parametrize(
    "call, message",
    [
        ("2bob SOURCES bob.cpp", "does not begin with a digit"),
        ("bob-1 SOURCES bob.cpp", "letters, digits and _"),
        ("bob bob.cpp", "what is 'bob.cpp'?"),
        ("bob", "add MECHANISM <file.xml>, or SOURCES <file>..."),
        ("bob MECHANISM bob.xml", "there is no mechanism file"),
        ("bob SOURCES bob.cpp PLATFORMS all", "PLATFORMS is for a MECHANISM without SOURCES"),
        ("bob MECHANISM bob.xml SOURCES bob.cpp PLATFORMS win64", "PLATFORMS is for a MECHANISM without SOURCES"),
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

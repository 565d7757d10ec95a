"""The FMUs in the folder fmus of the build: contents of the archives, symbols and dependencies of the binaries."""

import os
import re
import sys
import zipfile

import pytest
from built import BUILD, LIBRARIES, ROOT, exported, fmi_functions, needed, needed_glibc, run
from fmu_names import MODELS, SOURCES

FMUS = [f"{model}{extension}" for model in MODELS for extension in [".fmu", ".fmi3.fmu"]]
pytestmark = pytest.mark.skipif(not (BUILD / "fmus").exists(), reason="the FMUs are not built")


def binary_name(fmu: str) -> str:
    model = fmu.split(".")[0]
    return f"binaries/{'x86_64-linux' if fmu.endswith('.fmi3.fmu') else 'linux64'}/{model}.so"


@pytest.fixture(params=MODELS)
def binary(request, tmp_path):
    """The binary of a model, out of its FMU."""
    fmu = f"{request.param}.fmu"
    with zipfile.ZipFile(BUILD / "fmus" / fmu) as archive:
        return archive.extract(binary_name(fmu), tmp_path)


def test_every_model_has_an_fmu_of_each_version_and_there_are_no_others():
    assert MODELS
    assert {path.name for path in (BUILD / "fmus").iterdir()} == set(FMUS)


@pytest.mark.parametrize("fmu", FMUS)
def test_archive_is_one_that_fmi_allows(fmu):
    with zipfile.ZipFile(BUILD / "fmus" / fmu) as archive:
        assert archive.testzip() is None
        for entry in archive.infolist():
            assert entry.compress_type == zipfile.ZIP_DEFLATED
            assert entry.create_version <= 20 and entry.extract_version <= 20
            assert not entry.is_dir() and "\\" not in entry.orig_filename
        names = archive.namelist()
    assert names == sorted(set(names))
    assert "modelDescription.xml" in names and "documentation/index.html" in names
    assert [name for name in names if name.startswith("binaries/")] == [binary_name(fmu)]


@pytest.mark.parametrize("model", MODELS)
def test_both_versions_hold_the_same_binary(model):
    first, second = (
        zipfile.ZipFile(BUILD / "fmus" / fmu).read(binary_name(fmu)) for fmu in [f"{model}.fmu", f"{model}.fmi3.fmu"]
    )
    assert first == second


@pytest.mark.parametrize("fmu", FMUS)
def test_documentation_shows_the_picture_of_the_model(fmu):
    folder = SOURCES[fmu.split(".")[0]].parent
    file = folder / f"{folder.name}.png"
    if not file.exists():
        pytest.skip(f"there is no {file.name}")
    picture = file.read_bytes()
    with zipfile.ZipFile(BUILD / "fmus" / fmu) as archive:
        assert archive.read("documentation/diagram.png") == archive.read("terminalsAndIcons/icon.png") == picture
        assert b'<img src="diagram.png"' in archive.read("documentation/index.html")


def test_binary_exports_all_functions_of_fmi_and_nothing_else(binary):
    functions = fmi_functions()
    assert len(functions) > 100
    assert exported(binary) == functions


def test_binary_needs_only_the_c_library(binary, record_property):
    assert needed(binary) <= LIBRARIES
    assert not re.search(r"\((RPATH|RUNPATH|TEXTREL)\)", run("readelf", "-dW", binary))
    glibc = needed_glibc(binary)
    record_property("needed glibc", ".".join(map(str, glibc)))
    print("needs glibc", *glibc)
    assert glibc <= tuple(map(int, os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")))


def test_binary_shares_no_variables_with_other_binaries(binary):
    assert "UNIQUE" not in run("readelf", "--dyn-syms", "-W", binary)


def test_binary_has_no_executable_stack(binary):
    (flags,) = re.findall(r"^\s*GNU_STACK(?:\s+0x\w+){5}\s+([RWE]+)", run("readelf", "-lW", binary), re.MULTILINE)
    assert flags == "RW"


def test_loading_the_binary_leaves_the_floating_point_mode_alone(binary):
    assert "set_fast_math" not in run("nm", "-a", binary)
    denormal = "import ctypes, sys; ctypes.CDLL(sys.argv[1]); print(sys.float_info.min / 2 > 0)"
    assert run(sys.executable, "-c", denormal, binary) == "True\n"


def test_binaries_of_several_models_live_in_one_process(tmp_path):
    """Each model keeps its own name, even when the importer loads all functions into one name space."""
    libraries = []
    for model in MODELS:
        with zipfile.ZipFile(BUILD / "fmus" / f"{model}.fmu") as archive:
            libraries.append(archive.extract(binary_name(f"{model}.fmu"), tmp_path))
    script = (
        "import ctypes, sys\n"
        "for name in sys.argv[1:]:\n"
        "    library = ctypes.CDLL(name, ctypes.RTLD_GLOBAL)\n"
        "    for function in [library.fmi2GetVersion, library.fmi3GetVersion]:\n"
        "        function.restype = ctypes.c_char_p\n"
        "        print(function().decode())\n"
    )
    assert run(sys.executable, "-c", script, *libraries).split() == ["2.0", "3.0"] * len(MODELS)


@pytest.mark.alone
@pytest.mark.skipif(not (BUILD / "CMakeCache.txt").exists(), reason="there is no build to repeat")
def test_building_again_gives_the_same_bytes_and_works_only_when_needed():
    def build():
        return run("cmake", "--build", BUILD, "--target", "pendulum_fmu")

    def contents():
        return [(BUILD / "fmus" / f"pendulum{extension}").read_bytes() for extension in [".fmu", ".fmi3.fmu"]]

    build()
    before = contents()
    assert "Packing" not in build()
    (ROOT / "models/pendulum/pendulum_fmu.cpp").touch()
    assert "Packing" in build()
    assert contents() == before

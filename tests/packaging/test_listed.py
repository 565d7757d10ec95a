"""FMUs made without a compiler: one library for all, the mechanism in their resources."""

import os
import shutil
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import pytest
from built import BUILD, TOOL, USAGE

ROOT = Path(__file__).resolve().parents[2]
MODELS = sorted(path.stem for path in (ROOT / "models").glob("*/*.xml") if path.stem == path.parent.name)
NEVER = {"CXX": "/nonexistent"}

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")


def compiled(model, ending):
    """Its FMU in the build, where the FMU of the mechanism file may have another name."""
    file = BUILD / "fmus" / f"{model}_file{ending}"
    return file if file.exists() else BUILD / "fmus" / f"{model}{ending}"


@pytest.mark.parametrize("model", MODELS)
def test_results_are_those_of_the_compiled_ones(mechfmu, tmp_path, model):
    mechfmu("export", ROOT / "models" / model / f"{model}.xml", "--compile", "never", **NEVER)
    for ending in [".fmu", ".fmi3.fmu"]:
        read = fmpy.simulate_fmu(str(tmp_path / f"{model}{ending}"), validate=True)
        made = fmpy.simulate_fmu(str(compiled(model, ending)))
        assert read.dtype.names == made.dtype.names
        for name in read.dtype.names:
            size = max(np.ptp(made[name]), np.abs(made[name]).max() * 1e-3, 1e-9)
            assert np.abs(read[name] - made[name]).max() < 1e-4 * size, name


def test_what_is_inside(mechfmu, tmp_path):
    shutil.copy(ROOT / "models/four_bar/four_bar.xml", tmp_path)
    mechfmu("export", "four_bar.xml", "--compile", "never", **NEVER)
    first = (tmp_path / "four_bar.fmu").read_bytes()
    with zipfile.ZipFile(tmp_path / "four_bar.fmu") as archive:
        assert archive.read("resources/mechanism.bin").startswith(b"mechfmu listing\n")
        assert "binaries/linux64/four_bar.so" in archive.namelist()
    mechfmu("export", "four_bar.xml", "--compile", "never", **NEVER)
    assert (tmp_path / "four_bar.fmu").read_bytes() == first
    # without a message, if there is no compiler
    mechfmu("export", "four_bar.xml", **NEVER)
    assert (tmp_path / "four_bar.fmu").read_bytes() == first
    assert "cannot start" in mechfmu("export", "four_bar.xml", "--compile", "always", code=3, **NEVER).stderr


def test_functions_need_a_compiler(complaint, tmp_path):
    (tmp_path / "m.xml").write_text(
        '<mechanism name="M"><body name="a" mass="1" sphere="1" free="true"/><function name="pull" arguments="1" unit="N"/>'
        '<force name="f" body="a" value="pull(time/1s) 0 0"/></mechanism>'
    )
    (tmp_path / "law.cpp").write_text("")
    said = complaint("export", "m.xml", "--source", "law.cpp", "--compile", "never", code=USAGE)
    assert "function 'pull' is written in C++, which needs a compiler: omit --compile never" in said


def unpacked(mechfmu, tmp_path, name="an FMU ü%20"):
    shutil.copy(ROOT / "models/four_bar/four_bar.xml", tmp_path)
    mechfmu("export", "four_bar.xml", "--compile", "never")
    for ending in ["fmu", "fmi3.fmu"]:
        with zipfile.ZipFile(tmp_path / f"four_bar.{ending}") as archive:
            archive.extractall(tmp_path / name / ending)
    return tmp_path / name


def test_resources_are_found_in_folders_of_any_name(mechfmu, tmp_path):
    folder = unpacked(mechfmu, tmp_path)
    for ending in ["fmu", "fmi3.fmu"]:
        result = fmpy.simulate_fmu(str(folder / ending), stop_time=0.1)
        assert len(result) > 5


@pytest.mark.parametrize("damage", ["missing", "cut off", "changed", "another"])
def test_damaged_mechanisms_are_refused_by_name(mechfmu, tmp_path, damage):
    folder = unpacked(mechfmu, tmp_path, "x")
    for ending in ["fmu", "fmi3.fmu"]:
        file = folder / ending / "resources/mechanism.bin"
        data = bytearray(file.read_bytes())
        said = {"missing": "cannot read", "cut off": "is cut off", "changed": "its checksum is wrong",
                "another": "does not begin like one"}[damage]  # fmt: skip
        if damage == "missing":
            file.unlink()
        elif damage == "cut off":
            os.truncate(file, len(data) // 2)
        elif damage == "changed":
            data[-7] ^= 1
            file.write_bytes(data)
        else:
            file.write_bytes(b"something else")
        messages = []
        with pytest.raises(Exception):  # noqa: B017, FMPy has no exception type for this
            fmpy.simulate_fmu(str(folder / ending), stop_time=0.1, logger=lambda *words, to=messages: to.append(str(words[-1])))
        assert any(said in message and "mechanism.bin" in message for message in messages), messages

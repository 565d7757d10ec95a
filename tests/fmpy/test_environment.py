"""The FMU leaves the process it runs in alone: rounding mode, floating-point flags, locale, folder, files."""

import ctypes
import ctypes.util
import locale
import os
import subprocess

import numpy as np
import pytest
from plant import Fmu, Plant, Status

UPWARD = {"x86_64": 0x800, "aarch64": 0x400000}.get(os.uname().machine)


@pytest.fixture
def libm():
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    mode = library.fegetround()
    yield library
    library.fesetround(mode)


def drive(plant):
    plant.start()
    plant.step(0.05)
    with plant.refuses(Status.ERROR):
        plant.step(-1)
    return plant.everything()


@pytest.mark.parametrize("model", ["slider_crank", "pendulum"])
def test_rounding_mode_is_left_alone(plants, libm, model):
    nearest = libm.fegetround()
    expected = drive(plants(model))
    assert libm.fegetround() == nearest
    if UPWARD is None:
        pytest.skip("the number of the rounding mode is not known on this machine")
    assert libm.fesetround(UPWARD) == 0
    upward = drive(plants(model))
    mode = libm.fegetround()
    libm.fesetround(nearest)
    assert mode == UPWARD
    np.testing.assert_allclose(upward[: len(expected)], expected, rtol=1e-3, atol=10)


def test_tiny_numbers_are_not_flushed_to_zero(plants):
    plants("slider_crank").start().step(0.01)
    assert np.float64(2.2250738585072014e-308) / np.float64(2) > 0


@pytest.fixture
def decimal_comma(tmp_path, monkeypatch):
    """A locale made by the test, because machines differ in the installed ones."""
    before = locale.setlocale(locale.LC_ALL)
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], check=True, capture_output=True)
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
    assert locale.localeconv()["decimal_point"] == ","
    yield
    locale.setlocale(locale.LC_ALL, before)


def test_decimal_comma_of_the_process_changes_nothing(plants, decimal_comma):
    plant = plants("slider_crank")
    values = drive(plant)
    assert any("t = 0.05" in m.text for m in plant.messages)
    locale.setlocale(locale.LC_ALL, "C")
    np.testing.assert_array_equal(drive(plants("slider_crank")), values)


def test_working_folder_and_environment_are_left_alone(plants, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    environment = dict(os.environ)
    drive(plants("pendulum"))
    assert os.getcwd() == str(tmp_path) and not list(tmp_path.iterdir())
    assert dict(os.environ) == environment


def test_folder_with_spaces_and_special_characters(load, version, tmp_path):
    fmu = Fmu(load("pendulum", version).path, tmp_path / "a folder + 100% größer")
    plant = Plant(fmu).start()
    plant.step(0.1)
    plant.free()

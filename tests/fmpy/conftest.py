"""Fixtures for tests of the built FMUs: build/fmus, or the folder MECHFMU_FMUS names."""

import faulthandler
import os
from pathlib import Path

import pytest
from fmu_names import MODELS
from plant import Fmu, Plant

ROOT = Path(__file__).resolve().parents[2]
FMUS = Path(os.environ.get("MECHFMU_FMUS", ROOT / "build" / "fmus"))
_loaded: dict[str, Fmu] = {}


def pytest_collection_modifyitems(items):
    if not FMUS.is_dir():
        for item in items:
            if Path(item.fspath).parent == Path(__file__).parent:
                item.add_marker(pytest.mark.skip(reason=f"the FMUs are not built: no folder {FMUS}"))


@pytest.fixture(autouse=True)
def _no_hang():
    """A call into an FMU that does not return ends the run, with a trace of its place."""
    faulthandler.dump_traceback_later(120, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="session")
def load(tmp_path_factory):
    """load(model, version): the FMU, extracted and loaded once."""

    def loader(model: str, version: int) -> Fmu:
        name = f"{model}.fmu" if version == 2 else f"{model}.fmi3.fmu"
        if name not in _loaded:
            _loaded[name] = Fmu(FMUS / name, tmp_path_factory.mktemp(name))
        return _loaded[name]

    return loader


@pytest.fixture(params=[2, 3], ids=["fmi2", "fmi3"])
def version(request) -> int:
    return request.param


@pytest.fixture(params=MODELS)
def any_fmu(request, load, version) -> Fmu:
    """Every FMU in turn."""
    return load(request.param, version)


@pytest.fixture
def plants(load, version):
    """plants(model, ...): a new instance, freed after the test."""
    made = []

    def make(model: str, version: int = version, **options) -> Plant:
        made.append(Plant(load(model, version), **options))
        return made[-1]

    yield make
    for plant in made:
        plant.free()

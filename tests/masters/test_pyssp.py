"""pyssp_standard, a reader of SSP packages, accepts those of the closed loops: by the schemas of SSP 1.0, and with
connections that fit.

It checks a file by writing it after reading, and fails there on values without a unit, which the standard allows. This
test compares the file itself with the schemas.
"""

from pathlib import Path

import mechfmu.couple
import pytest
import xmlschema
from pyssp_standard.ssp import SSP
from pyssp_standard.standard import ModelicaStandard

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="session")
def schema():
    return xmlschema.XMLSchema(str(ModelicaStandard.schemas["ssd"]))


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("folder", mechfmu.couple.loops(EXAMPLES), ids=lambda folder: folder.name)
def test_packages_are_read_and_valid(folder, version, schema):
    loop = mechfmu.couple.load(folder).LOOP
    system = loop.system(version)
    with SSP(str(loop.package(version)), mode="r") as package:
        assert {Path(name).name for name in package.resources} == {unit.name for unit in system.fmus.values()}
        schema.validate(str(package.unpacked_path / "SystemStructure.ssd"))
        structure = package.system_structure
        with structure as read:
            assert len(read.connections()) == len(system.connections)
            read.check_connections()

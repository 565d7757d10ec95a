"""docs/conformance.md lists exactly the capabilities that FMUs declare."""

import re
import zipfile
from xml.etree import ElementTree

import pytest
from test_tool_pages import BUILD, ROOT

ROW = re.compile(r"^\|[^|]*\| (.*?) \|\s?(.*?)\s?\| (.*?) \|\s?(.*?)\s?\|$", re.M)


@pytest.mark.parametrize("file, column", [("four_bar.fmu", 0), ("four_bar.fmi3.fmu", 2)])
def test_capabilities_are_those_of_fmus(file, column):
    page = (ROOT / "docs/conformance.md").read_text(encoding="utf-8")
    table = page.partition("## Capabilities")[2].partition("## Functions")[0]
    shown = {row[column].strip("`"): row[column + 1] for row in ROW.findall(table) if row[column].startswith("`")}
    with zipfile.ZipFile(BUILD / "fmus" / file) as archive:
        description = ElementTree.fromstring(archive.read("modelDescription.xml"))
    declared = dict(description.find("CoSimulation").attrib)
    del declared["modelIdentifier"]
    assert shown == declared

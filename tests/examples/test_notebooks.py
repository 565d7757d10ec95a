"""The notebooks of examples/ run, and print the output that they show."""

import json

import notebook
import pytest
from conftest import EXAMPLES

NOTEBOOKS = sorted(EXAMPLES.glob("notebooks/*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 2


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_prints_the_output_it_shows(file, tmp_path):
    written = json.loads(file.read_text())
    assert (written["nbformat"], written["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in written["cells"]}) == len(written["cells"])
    assert notebook.run(file, tmp_path) == [notebook.shown(cell) for cell in notebook.code_cells(written)]

"""docs/python.md is correct: its Python runs from top to bottom and writes the output shown."""

import contextlib
import io
import re
from pathlib import Path

import mechfmu
import pytest
from mechfmu.tool import run

ROOT = Path(__file__).resolve().parents[2]


def test_examples_of_the_page_write_the_output_shown(tmp_path, monkeypatch):
    try:
        mechfmu.program()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))
    monkeypatch.chdir(tmp_path)
    run("new", "four_bar")
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", page, re.M | re.S)
    assert len(examples) >= 6 and len(examples) == page.count("```python")
    names: dict = {}
    for code, shown in examples:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(compile(code, "docs/python.md", "exec"), names)
        assert said.getvalue() == shown, code


def test_extras_of_the_page_are_those_of_the_package():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.optional-dependencies]")[2]
    extras = re.findall(r"^(\w+) = \[", declared.partition("\n\n")[0], re.M)
    assert extras and re.findall(r"^\| `(\w+)` \| .* \| .* \|$", page.partition("## new and check")[0], re.M) == extras

"""docs/tutorial.md and docs/faq.md work from top to bottom: files are saved, commands run, their output compared.

```xml title="name"         the file is saved
```console                  the command is run and writes the output shown
```console replace="a b"    … after a is replaced by b in the file it refers to
MECHFMU_UPDATE_DOCS=1 writes the commands' present output into the page.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from test_tool_pages import ROOT, TOOL, UPDATE, run, without_the_last_digits

BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<key>title|replace)=\"(?P<value>[^\"]*)\")?\n(?P<text>.*?)^```$", re.M | re.S)


@pytest.mark.parametrize("name, runs", [("tutorial", 7), ("faq", 3)])
def test_the_page_can_be_followed(name, runs, tmp_path):
    path = ROOT / f"docs/{name}.md"
    environment = {**os.environ, "MECHFMU": str(TOOL)}
    page = path.read_text(encoding="utf-8")
    commands = 0
    for block in list(BLOCK.finditer(page)):
        if block["key"] == "title":
            (tmp_path / block["value"]).write_text(block["text"], encoding="utf-8")
            continue
        if block["language"] != "console":
            continue
        command, _, shown = block["text"].partition("\n")
        words = shlex.split(command)
        assert words[0] == "$"
        if block["key"] == "replace":
            file = tmp_path / words[3]
            file.write_text(file.read_text().replace(*block["value"].split()))
        says = python(words[2:], tmp_path, environment) if words[1] == "python" else run(words[2:], tmp_path, environment)
        commands += 1
        if UPDATE:
            page = page.replace(block[0], block[0].replace(block["text"], f"{command}\n{says}"))
        else:
            assert without_the_last_digits(says) == without_the_last_digits(shown), command
    if UPDATE:
        path.write_text(page, encoding="utf-8")
    assert commands == runs


def python(words: list[str], folder: Path, environment) -> str:
    done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
    return done.stdout

"""The pages about the tool, mechanism files and functions are correct: their commands are run, their examples compiled.

MECHFMU_UPDATE_DOCS=1 writes the tool's present output into docs/tool.md and docs/mechanism_reference.md.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("MECHFMU_BUILD", ROOT / "build"))
TOOL = BUILD / "mechfmu"
UPDATE = os.environ.get("MECHFMU_UPDATE_DOCS") == "1"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    return {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)


def run(words, cwd, environment) -> str:
    """The output of a command on both streams; times are the same in every run."""
    done = subprocess.run([TOOL, *words], cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)  # fmt: skip
    return re.sub(r"exported in [\d.]+ s", "exported in 0.8 s", done.stdout)


def without_the_last_digits(text: str) -> str:
    """Compilers may differ in the last bits, and with them counts of steps."""
    text = re.sub(r"\d+ communication steps; .*", "steps", text)
    return re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda m: f"{float(m[0]):.3g}" if abs(float(m[0])) > 1e-6 else "0", text)


def test_commands_of_the_page_write_the_output_shown(tmp_path, environment):
    path = ROOT / "docs/tool.md"
    page = path.read_text(encoding="utf-8")
    shown = blocks(page, "console")
    assert len(shown) >= 7
    for block in shown:
        command, _, expected = block.partition("\n")
        assert command.startswith("$ mechfmu ")
        says = run(shlex.split(command)[2:], tmp_path, environment)
        if UPDATE:
            page = page.replace(f"```console\n{block}```", f"```console\n{command}\n{says}```")
        else:
            assert without_the_last_digits(says) == without_the_last_digits(expected), command
    if UPDATE:
        path.write_text(page, encoding="utf-8")


def test_every_command_and_option_is_on_the_page():
    page = (ROOT / "docs/tool.md").read_text(encoding="utf-8")
    top = subprocess.run([TOOL, "--help"], capture_output=True, text=True, check=True).stdout
    for command in re.findall(r"^  ([a-z]+) {5,}", top.partition("Subcommands:")[2], re.M):
        assert f"mechfmu {command}" in page
        about = subprocess.run([TOOL, command, "--help"], capture_output=True, text=True, check=True).stdout
        for option in set(re.findall(r"--[a-z]+", about)) - {"--help", "--output"}:
            assert option in page, f"{command} {option}"


def test_reference_page_is_up_to_date():
    path = ROOT / "docs/mechanism_reference.md"
    says = subprocess.run([TOOL, "reference"], capture_output=True, text=True, check=True).stdout
    if UPDATE:
        path.write_text(says, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == says, "write it again: build/mechfmu reference -o docs/mechanism_reference.md"


def test_mechanisms_of_the_guide_are_right(tmp_path, environment):
    """The wrong file gets the messages that the page shows."""
    page = (ROOT / "docs/mechanism_file.md").read_text(encoding="utf-8")
    examples = [block for block in blocks(page, "xml") if block.startswith("<mechanism ")]
    assert len(examples) >= 4
    run(["new", "four_bar"], tmp_path, environment)
    assert examples[0] == (tmp_path / "four_bar.xml").read_text(encoding="utf-8")
    answers = blocks(page, "text")
    for example in examples:
        wrong = 'name="Wrong"' in example
        file = tmp_path / ("wrong.xml" if wrong else "m.xml")
        file.write_text(example)
        says = run(["check", "--strict", file.name], tmp_path, environment)
        if not wrong:
            assert "error" not in says and "degrees of freedom" in says, f"{example}\n{says}"
            continue
        assert says == answers[0]
        example = example.replace("revolut", "revolute").replace("crnk", "crank").replace('"k"/>', '"kk"/>')
        file.write_text(example.replace("</mech", '  <output name="pin" value="A.force.x" unit="N.m"/>\n</mech'))
        assert run(["check", file.name], tmp_path, environment) == answers[1]


def test_links_within_the_reference_page_lead_somewhere():
    page = (ROOT / "docs/mechanism_reference.md").read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.*)$", page, re.M)
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    assert set(re.findall(r"\]\(#([^)]*)\)", page)) <= anchors


def test_function_of_the_page_runs(tmp_path, environment):
    """The friction of a brush stops a disk with J = m r²/2: dv/dt = −r² F(v)/J."""
    page = (ROOT / "docs/functions.md").read_text(encoding="utf-8")
    [mechanism], [law] = blocks(page, "xml"), blocks(page, "cpp")
    (tmp_path / "brush.xml").write_text(mechanism)
    (tmp_path / "brush_force.cpp").write_text(law)
    [commands] = blocks(page, "sh")
    words = shlex.split(commands.splitlines()[0])[1:]
    rows = run([*words, "-o", "-", "--tolerance", "1e-8"], tmp_path, environment).splitlines()
    assert rows[0].startswith("time,speed,")
    time, speed = (float(cell) for cell in rows[51].split(",")[:2])
    assert time == 0.5

    def slope(v):  # of v = r ω
        return -(0.2**2) * (0.25 + 0.15 / (1 + v * v)) * 40 / (2 * 0.2**2 / 2)

    v, h = 6.0, 1e-4  # fast enough that tanh is 1
    for _ in range(5000):
        middle = v + h / 2 * slope(v)
        v += h * slope(middle)
    assert v > 0.3 and abs(speed - v / 0.2) < 1e-3

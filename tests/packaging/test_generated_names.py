"""Elements may have any name: the C++ made from them compiles, whatever words its headers use."""

import re
import shutil
import subprocess

import pytest
from built import ERRORS, FINE, ROOT, TOOL

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")

HEADERS = [f"mechanics/{name}.h" for name in ["data", "formula", "function", "functions", "law_value", "tables"]] + [
    "model/dual_number.h"
]


def compiler_words():
    """The compiler and its options, as the tool uses them."""
    kit = dict(line.split(" = ", 1) for line in (TOOL.parent / "mechfmu.kit").read_text().splitlines() if " = " in line)
    return kit["compiler"].split(";") + kit["compile"].split(";")


def words_of_headers():
    source = "".join(f"#include <{header}>\n" for header in HEADERS)
    done = subprocess.run([*compiler_words(), "-dM", "-E", "-x", "c++", "-"], input=source, text=True, capture_output=True, check=True)
    macros = set(re.findall(r"^#define ([A-Za-z]\w*)", done.stdout, re.M))  # names begin with a letter
    own = set()
    for header in HEADERS:
        own |= set(re.findall(r"\b[A-Za-z]\w*", (ROOT / header).read_text()))
    generated = re.findall(r"\b[A-Za-z]\w*", (ROOT / "tests/mechanisms/gough_stewart.golden").read_text())
    return macros | own | set(generated) | {"unix", "linux", "stdin", "assert", "EOF", "errno", "x_NAN", "signal", "index"}


@pytest.mark.parametrize("mechanism", ["forces", "joints"])
def test_words_of_headers_are_names_like_others(mechfmu, tmp_path, mechanism):
    words = words_of_headers() - {"and", "or", "not", "if"}  # also words of expressions
    assert {"NAN", "M_PI", "Body", "Joint", "Formula", "law", "mechanism_tables"} <= words and len(words) > 1000
    # Parameters come first, so that all code of the mechanism is in their scope. Names that the file already uses or that
    # have a meaning in all files are refused and left out.
    text = (ROOT / f"tests/mechanisms/{mechanism}.xml").read_text()
    words -= set(re.findall(r'name="(\w+)"', text))
    shutil.copytree(ROOT / "tests/mechanisms/parts", tmp_path / "parts")
    for code in [ERRORS, FINE]:
        parameters = "".join(f'<parameter name="{word}" value="1" unit="kg"/>\n' for word in sorted(words))
        shapes = "".join(f'<shape sphere="0.1" mass="{word}"/>\n' for word in sorted(words))
        body = f'{parameters}<body name="a_new_body" free="true">{shapes}</body></mechanism>'
        (tmp_path / "m.xml").write_text(text.replace("</mechanism>", body))
        done = mechfmu("generate", "m.xml", "-o", "m.cpp", code=code)
        refused = set(re.findall(r"parameter '(\w+)'", done.stderr))
        assert len(refused) < 0.05 * len(words), refused
        words -= refused
    settings = re.search(r"constexpr Setting ([^;]*);", (tmp_path / "m.cpp").read_text(), re.S)
    assert settings.group(1).count("{") > len(words)
    subprocess.run([*compiler_words(), "-fsyntax-only", "m.cpp"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("name", ["constraint.position", "constraint.velocity", "solver.steps", "solver.method"])
def test_output_with_the_name_of_a_variable_that_every_fmu_has(mechfmu, tmp_path, name):
    (tmp_path / "m.xml").write_text(
        '<mechanism name="M">\n<body name="a" mass="1" sphere="0.1" free="true"/>\n'
        f'<output name="{name}" value="a.position.x" unit="m"/>\n</mechanism>'
    )
    done = mechfmu("check", "m.xml", code=ERRORS)
    assert re.fullmatch(rf"m\.xml:3: error: output '{name}': .*; use another one\n", done.stderr), done.stderr


def test_parameter_in_a_group_with_the_name_of_a_variable_that_every_fmu_has(mechfmu, tmp_path):
    (tmp_path / "m.xml").write_text(
        '<mechanism name="M">\n<group name="g">\n<parameter name="position" value="1"/>\n</group>\n'
        '<body name="a" mass="1" sphere="0.1" free="true"/>\n<use group="g" name="constraint"/>\n</mechanism>'
    )
    done = mechfmu("check", "m.xml", code=ERRORS)
    assert re.fullmatch(r"m\.xml:3: error: parameter 'position': .*use another one \(in constraint\)\n", done.stderr), done.stderr


@pytest.mark.parametrize("name", ["law", "vec", "Body", "EOF", "assert", "mechanism_tables", "while"])
def test_functions_keep_their_names_so_some_are_refused(mechfmu, tmp_path, name):
    (tmp_path / "m.xml").write_text(
        '<mechanism name="M"><body name="a" mass="1" sphere="0.1" free="true"/>\n'
        f'<function name="{name}" arguments="1" unit="m"/><output name="o" value="{name}(time/1s)" unit="m"/></mechanism>'
    )
    done = mechfmu("check", "m.xml", code=ERRORS)
    assert "m.xml:2: error: " in done.stderr and name in done.stderr

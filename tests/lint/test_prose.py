"""Prose in Markdown is wrapped at 100 columns: readers of the files see whole lines, and changes stay small."""

import re

import pytest
from sources import ROOT, all_files

COLUMNS = 100
LINK = re.compile(r"\]\([^)\s]*\)")
NOT_WRAPPED = re.compile(r"^\s*(\||<|\[[^\]]+\]:|!\[|#)")  # tables, HTML, targets of links, pictures, headings
EXCEPTIONS = {
    "docs/accuracy.md",
    "docs/accuracy_tables.md",
    "docs/animation.md",
    "docs/cost.md",
    "docs/decisions.md",
    "docs/flexible.md",
    "docs/fmu.md",
    "docs/gallery/README.md",
    "docs/mechanics.md",
    "docs/mechanism_file.md",
    "docs/scaling.md",
    "examples/crane/README.md",
    "examples/slider_crank/README.md",
    "examples/steer_by_wire/README.md",
    "models/flexible_slider_crank/README.md",
    "models/rolling_disk/README.md",
}


def long_lines(text: str) -> list[str]:
    """Lines of prose that are too long, without the targets of links; code and displayed formulas do not count."""
    found = []
    end = None  # the end of the block of code or formulas
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if end is not None:
            if stripped.startswith(end) or (end == "$$" and stripped.endswith(end)):
                end = None
        elif stripped.startswith(("```", "~~~")):
            end = stripped[:3]
        elif stripped.startswith("$$"):
            end = None if len(stripped) > 2 and stripped.endswith("$$") else "$$"
        elif not NOT_WRAPPED.match(line) and len(LINK.sub("]()", line)) > COLUMNS:
            found.append(f"{number}: {line}")
    return found


PAGES = [str(path.relative_to(ROOT)) for path in all_files() if path.suffix == ".md"]


@pytest.mark.parametrize("page", [page for page in PAGES if page not in EXCEPTIONS])
def test_prose_is_wrapped(page):
    found = long_lines((ROOT / page).read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


def test_code_tables_formulas_and_targets_of_links_are_not_wrapped():
    long = "word " * 25
    assert long_lines(long) == [f"1: {long}"]
    assert long_lines(f"```\n{long}\n```\n| {long} |\n$$\n{long}\n$$\n$$ {long} $$\n") == []
    assert long_lines(f"[text]({'x' * 120})") == []
    assert len(long_lines(f"```\ncode\n```\n{long}")) == 1

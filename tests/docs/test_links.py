"""Every link in a Markdown file leads to an existing file and heading."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")
    if name and (ROOT / name).exists()
]  # fmt: skip
LINK = re.compile(r"\]\(([^)\s]+)\)|\bsrc=\"([^\"]+)\"")


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of its headings, as GitHub makes them: a second heading of the same words ends in -1."""
    found: set[str] = set()
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for title in re.findall(r"^#+ +(.*?)\s*$", text, re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        number = 0
        while f"{name}-{number}" * (number > 0) + name * (number == 0) in found:
            number += 1
        found.add(f"{name}-{number}" if number else name)
    return found


def broken_links(page: Path) -> list[str]:
    broken = []
    for match in LINK.finditer(without_code(page.read_text(encoding="utf-8"))):
        target, _, anchor = (match[1] or match[2]).partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        file = page.parent / target if target else page
        if not file.exists():
            broken.append(f"{page.name}: {target} does not exist")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.resolve()):
            broken.append(f"{page.name}: {target}#{anchor}: there is no such heading")
    for text in re.findall(r"\[([^][]*\n[ \t]*\n[^][]*)\]\(", without_code(page.read_text(encoding="utf-8"))):
        broken.append(f"{page.name}: the blank line in '{' '.join(text.split())[-60:]}' ends the link")
    return broken


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    assert not broken_links(page)


def test_index_of_decisions_lists_all_of_them():
    page = (ROOT / "docs/decisions.md").read_text(encoding="utf-8")
    index, _, decisions = page.partition("\n## ")
    titles = re.findall(r"^## (.*)$", "## " + decisions, re.M)
    assert sorted(re.findall(r"^- \[(.*)\]\(#", index, re.M)) == sorted(titles)


def test_broken_links_are_found(tmp_path):
    (tmp_path / "b.md").write_text("# Some `code`, and more\n# Twice\n# Twice\n")
    page = tmp_path / "a.md"
    page.write_text("[x](b.md#some-code-and-more) [y](b.md#twice-1) [z](https://example.org) `[c](no.md)`\n")
    assert broken_links(page) == []
    page.write_text("[x](c.md) [y](b.md#once) [z](#nothing)\n")
    assert len(broken_links(page)) == 3
    page.write_text("[Some](b.md) [text of\n\n  two parts](b.md) [Other\ntext](b.md) [ ] [x]\n\ny](\n")
    assert len(broken_links(page)) == 1

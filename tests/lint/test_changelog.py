"""CHANGELOG.md lists changes for users, newest version first, in the usual sections."""

import re

from sources import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]  # of Keep a Changelog
VERSION = re.compile(r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}")


def versions(text: str) -> dict[str, list[str]]:
    """The kinds of changes of each version."""
    found: dict[str, list[str]] = {}
    for marks, title in re.findall(r"^(##+) (.+)$", text, re.MULTILINE):
        if marks == "##":
            found[title] = []
        else:
            found[list(found)[-1]].append(title)
    return found


def test_changelog_begins_with_unreleased_changes():
    assert next(iter(versions(TEXT)), None) == "[Unreleased]", 'CHANGELOG.md must begin with a section "## [Unreleased]"'


def test_other_versions_have_a_number_and_a_date():
    assert [title for title in list(versions(TEXT))[1:] if not VERSION.fullmatch(title)] == []


def test_kinds_of_changes_are_the_known_ones_once_per_version():
    for version, kinds in versions(TEXT).items():
        assert set(kinds) <= set(KINDS), version
        assert len(kinds) == len(set(kinds)), version

"""Users find out what changed: CHANGELOG.md lists it, newest first, beginning with what is not released."""

import re

from sources import ROOT


def test_changelog_begins_with_unreleased_changes():
    sections = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sections and sections[0] == "[Unreleased]", 'CHANGELOG.md must begin with a section "## [Unreleased]"'

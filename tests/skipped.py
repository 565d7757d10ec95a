#!/usr/bin/env python3
"""skipped.py <results of ctest as JUnit XML>: fails if a test was skipped that tests/skips.txt does not name."""

import sys
from fnmatch import fnmatch
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).parent


def listed(path: Path) -> list[str]:
    """The patterns of test names in a file; a reason follows each."""
    patterns = []
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pattern, _, reason = line.partition("  ")
        assert reason.strip(), f"{path.name}: '{pattern}' has no reason"
        patterns.append(pattern)
    return patterns


def not_listed(results: Path, patterns: list[str]) -> list[str]:
    """Names and messages of the skipped tests that no pattern matches."""
    found = []
    for case in ElementTree.parse(results).iter("testcase"):
        skipped = case.find("skipped")
        if skipped is None or any(fnmatch(case.get("name", ""), pattern) for pattern in patterns):
            continue
        found.append(f"{case.get('name')}: {case.findtext('system-out', '').strip() or skipped.get('message')}")
    return found


if __name__ == "__main__":
    skipped = not_listed(Path(sys.argv[1]), listed(HERE / "skips.txt"))
    if skipped:
        sys.exit("\n".join([*skipped, "Nothing is skipped here unless tests/skips.txt names it with a reason."]))

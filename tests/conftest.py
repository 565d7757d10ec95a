"""pytest --strict-skips: a test that is skipped has failed, unless tests/skips.txt names it with a reason."""

from fnmatch import fnmatch
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_addoption(parser):
    parser.addoption("--strict-skips", action="store_true", help="tests that are skipped fail, unless tests/skips.txt names them")


def listed(path: Path = HERE / "skips.txt") -> list[str]:
    """Patterns of names of tests; each has its reason behind it."""
    patterns = []
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pattern, _, reason = line.partition("  ")
        assert reason.strip(), f"{path.name}: '{pattern}' has no reason"
        patterns.append(pattern)
    return patterns


def refuse(report, patterns: list[str]) -> None:
    """Makes a failure of a skip that is not listed."""
    if not report.skipped or hasattr(report, "wasxfail") or any(fnmatch(report.nodeid, pattern) for pattern in patterns):
        return
    why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid}: {why}\nNothing is skipped here unless tests/skips.txt names it with a reason."


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if item.config.option.strict_skips:
        refuse(report, listed())
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    if collector.config.option.strict_skips:
        refuse(report, listed())
    return report

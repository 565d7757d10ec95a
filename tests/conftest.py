"""pytest --strict-skips: a skipped test fails, unless tests/skips.txt, or the file of --skips, names it with a reason."""

from fnmatch import fnmatch
from pathlib import Path

import pytest
from skipped import listed

HERE = Path(__file__).parent


def pytest_addoption(parser):
    parser.addoption(
        "--strict-skips", action="store_true", help="Make skipped tests fail, unless the file of --skips names them"
    )
    parser.addoption(
        "--skips", type=Path, default=HERE / "skips.txt", help="File with patterns of tests that may be skipped"
    )


def refuse(report, config) -> None:
    """Turn a skip that is not listed into a failure."""
    patterns = listed(config.option.skips)
    if (
        not report.skipped
        or hasattr(report, "wasxfail")
        or any(fnmatch(report.nodeid, pattern) for pattern in patterns)
    ):
        return
    why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = (
        f"{report.nodeid}: {why}\nNothing is skipped here unless {config.option.skips.name} names it with a reason."
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if item.config.option.strict_skips:
        refuse(report, item.config)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    if collector.config.option.strict_skips:
        refuse(report, collector.config)
    return report

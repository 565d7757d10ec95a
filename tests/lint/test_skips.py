"""A skipped test fails unless it is listed (tests/conftest.py, tests/skipped.py); every slow test belongs to a part of
tests/nightly.sh."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from skipped import not_listed

HERE = Path(__file__).resolve().parents[1]
FILES = [HERE / "conftest.py", HERE / "skipped.py"]
TESTS = """
import pytest

@pytest.mark.skipif(True, reason="there is no hammer")
def test_listed(): pass

@pytest.mark.skipif(True, reason="there is no saw")
def test_not_listed(): pass

@pytest.mark.xfail(reason="known")
def test_expected(): assert False

def test_fine(): pass
"""


def run(folder, *options) -> str:
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", *options]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_skips_fail_unless_they_are_listed(tmp_path):
    for file in FILES:
        shutil.copy(file, tmp_path)
    (tmp_path / "skips.txt").write_text("# comment\ntest_tools.py::test_listed  hammers are for the night\n")
    (tmp_path / "test_tools.py").write_text(TESTS)
    (tmp_path / "test_module.py").write_text("import pytest\npytest.skip('no workshop', allow_module_level=True)\n")
    assert "1 passed, 3 skipped, 1 xfailed" in run(tmp_path)
    said = run(tmp_path, "--strict-skips", "--continue-on-collection-errors")
    assert "1 passed, 1 skipped, 1 xfailed, 2 errors" in said
    assert "there is no saw" in said and "no workshop" in said


def test_a_list_without_reasons_is_refused(tmp_path):
    for file in FILES:
        shutil.copy(file, tmp_path)
    (tmp_path / "skips.txt").write_text("test_tools.py::test_listed\n")
    (tmp_path / "test_tools.py").write_text(TESTS)
    assert "has no reason" in run(tmp_path, "--strict-skips")


def test_the_nightly_run_has_a_separate_list(tmp_path):
    for file in FILES:
        shutil.copy(file, tmp_path)
    (tmp_path / "skips.txt").write_text("test_tools.py::*  of the day\n")
    (tmp_path / "night.txt").write_text("test_tools.py::test_not_listed  of the night\n")
    (tmp_path / "test_tools.py").write_text(TESTS)
    said = run(tmp_path, "--strict-skips", f"--skips={tmp_path / 'night.txt'}")
    assert "1 passed, 1 skipped, 1 xfailed, 1 error" in said
    assert "there is no hammer" in said and "unless night.txt names it" in said


def test_every_slow_test_is_part_of_the_night():
    """pytest.ini deselects slow tests, so nothing else would run them."""
    night = re.findall(r"run_pytest\b.*-m slow.*", (HERE / "nightly.sh").read_text())
    slow = [path for path in HERE.rglob("test_*.py") if re.search(r"\bmark\.slow\b", path.read_text())]
    assert len(slow) > 4
    for path in slow:
        name = path.relative_to(HERE.parent).as_posix()
        assert any(name in re.findall(r"[\w./]+", line) for line in night), (
            f"no part of tests/nightly.sh runs the slow tests of {name}"
        )


RESULTS = """<testsuite>
<testcase name="solver.A" status="run"/>
<testcase name="solver.B" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/><system-out>no saw</system-out></testcase>
</testsuite>
"""


def test_skipped_tests_of_ctest_fail_unless_they_are_listed(tmp_path):
    (tmp_path / "results.xml").write_text(RESULTS)
    assert not_listed(tmp_path / "results.xml", ["solver.B"]) == []
    assert not_listed(tmp_path / "results.xml", ["solver.A"]) == ["solver.B: no saw"]

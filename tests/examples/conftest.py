import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "examples" / "masters")]
status = 0


def pytest_sessionfinish(exitstatus):
    global status
    status = int(exitstatus)


def pytest_unconfigure():
    """FMUs of pythonfmu that have run in this process may crash it when their libraries are taken down at its end, long
    after the last test: it ends here, with the status of the tests."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

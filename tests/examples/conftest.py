import os
import sys
from pathlib import Path

import mechfmu.couple

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
status = 0


def load(name: str):
    """The module of a loop of examples/."""
    return mechfmu.couple.load(EXAMPLES / name)


def names() -> list[str]:
    return [folder.name for folder in mechfmu.couple.loops(EXAMPLES)]


def pytest_sessionfinish(exitstatus):
    global status
    status = int(exitstatus)


def pytest_unconfigure():
    """FMUs of pythonfmu that have run in this process may crash it when it unloads their libraries, long after the last
    test: the process ends here, with the status of the tests."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

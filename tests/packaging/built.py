"""The products of the build, and what other programs see in them."""

import importlib.util
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("MECHFMU_BUILD", ROOT / "build"))

TOOL = BUILD / "mechfmu"
FINE, ERRORS, USAGE, FAILED, STOPPED = 0, 1, 2, 3, 130  # exit codes of the tool

LIBRARIES = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}  # the only libraries that a binary may need


def run(*command) -> str:
    """The output of a command; if it fails, the test fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-5000:]}"
    return done.stdout


def fmi_functions() -> set[str]:
    """The functions that the headers of FMI 2.0 and 3.0 declare."""
    headers = Path(importlib.util.find_spec("fmpy").submodule_search_locations[0]) / "c-code"
    text = "".join((headers / name).read_text() for name in ["fmi2Functions.h", "fmi3Functions.h"])
    return set(re.findall(r"^\s*FMI[23]_Export\s+\w+TYPE\s+(\w+)\s*;", text, re.MULTILINE))


def exported(library: Path) -> set[str]:
    return {line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()}


def needed(library: Path) -> set[str]:
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", library)))


def needed_glibc(library: Path) -> tuple[int, ...]:
    versions = re.findall(r"\bGLIBC_([0-9.]+)", run("readelf", "-VW", library))
    return max(tuple(map(int, version.split("."))) for version in versions)

"""Hostile archives and mechanism files, for some seconds; tests/nightly.sh runs them for an hour.

A failure names its seed and the file: build/tests/hostile archives <good.fmu> --seed <seed> --count 1 repeats it.
"""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("MECHFMU_BUILD", ROOT / "build"))
HOSTILE = BUILD / "tests" / "hostile"
GOOD = {
    "archives": [BUILD / "fmus" / "pendulum.fmu"],
    "files": [ROOT / "models", ROOT / "tests" / "mechanisms"],
}
COUNT = {
    "archives": int(os.environ.get("MECHFMU_HOSTILE_ARCHIVES", "1000")),
    "files": int(os.environ.get("MECHFMU_HOSTILE_FILES", "1000")),
}
SEED = os.environ.get("MECHFMU_ATTACK_SEED", "1")
MEMORY = Path("/dev/shm")  # files that come and go by the thousand


def hostile(folder, mode, *words) -> subprocess.CompletedProcess:
    place = {"TMPDIR": str(MEMORY)} if os.access(MEMORY, os.W_OK) else {}
    command = [HOSTILE, mode, *GOOD[mode], *map(str, words)]
    return subprocess.run(command, cwd=folder, env={**os.environ, **place}, capture_output=True, text=True, check=False,
                          errors="replace")  # fmt: skip


@pytest.mark.parametrize("mode", GOOD)
def test_hostile_input_does_no_harm(tmp_path, mode):
    done = hostile(tmp_path, mode, "--count", COUNT[mode], "--seed", SEED)
    assert done.returncode == 0, done.stderr
    # some are accepted, and some are not
    first, second = (int(done.stdout.split()[i]) for i in ((2, 4) if mode == "archives" else (3, 6)))
    assert first > COUNT[mode] / 20 and second > COUNT[mode] / 20, done.stdout
    assert not list(tmp_path.iterdir())


FAULTS = {
    "archives": {
        "escape": "outside of the folder",
        "canary": "a file outside of the folder was written to",
        "accepts": "it was unpacked in spite of",
        "link": "neither a file nor a folder was made",
        "leftover": "left",
        "beyond": "bytes were written",
        "changed": "says another",
        "nameless": "the message does not name",
        "lines": "the message is not one line",
        "exception": "thrown: planted",
        "crash": "crash",
        "hang": "it does not end",
        "leak": "memory has grown",
    },
    "files": {
        "escape": "a file outside of the folder was read",
        "nameless": "the message does not name",
        "lineless": "the message has no line number",
        "lines": "the message is not one line",
        "silent": "there are neither facts nor errors",
        "exception": "thrown: planted",
        "crash": "crash",
        "hang": "it does not end",
        "leak": "memory has grown",
    },
}


@pytest.mark.parametrize(("mode", "fault"), [(mode, fault) for mode, faults in FAULTS.items() for fault in faults])
def test_planted_faults_are_found(tmp_path, mode, fault):
    done = hostile(tmp_path, mode, "--count", 500, "--plant", fault)
    assert done.returncode != 0
    assert FAULTS[mode][fault] in done.stderr
    if fault == "leak":
        return
    [file] = tmp_path.iterdir()
    assert f"it is in {file.name}" in done.stderr
    seed = done.stderr.split("--seed ")[1].split()[0]
    content = file.read_bytes()
    assert hostile(tmp_path, mode, "--count", 1, "--seed", seed, "--plant", fault).returncode == done.returncode
    assert file.read_bytes() == content or fault == "escape"

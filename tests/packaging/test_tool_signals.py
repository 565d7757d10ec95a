"""However the tool is stopped, no temporary files and no compilers remain, and all results until then are kept."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from built import TOOL

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")

@pytest.fixture
def start(environment, tmp_path):
    """start(words...): the tool in an empty folder, with a separate folder for temporary files."""
    (tmp_path / "tmp").mkdir()
    (tmp_path / "work").mkdir()
    running = []

    def run(*words, stdout=subprocess.PIPE, hangup=signal.SIG_DFL, **variables):
        process = subprocess.Popen([TOOL, *map(str, words)], cwd=tmp_path / "work", stdout=stdout, stderr=subprocess.PIPE, text=True,
                                   env={**environment, "TMPDIR": str(tmp_path / "tmp"), **variables},
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, hangup))  # fmt: skip
        running.append(process)
        return process

    yield run
    for process in running:
        process.kill()
        process.wait()


def wait_for(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def ends(process):
    """Exit code and messages. The interrupted work would take hours, so the test is that the tool ends."""
    errors = process.communicate(timeout=60)[1]
    return process.returncode, errors


def programs_with(text):
    """Running programs with this text in their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if text.encode() in (entry / "cmdline").read_bytes():
                found.append(entry.name)
        except OSError:
            pass
    return found


# --- a communication step that takes hours ---


def long_step(four_bar):
    settings = ["--set", "solver.max_substeps=2000000000", "--set", "solver.h_max=1e-7"]
    return ["simulate", four_bar / "four_bar.fmu", "--step", "1e4", "--stop", "1e4", "-o", "out.csv", *settings]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_long_step_ends_at_the_first_signal(four_bar, start, tmp_path, number):
    process = start(*long_step(four_bar))
    wait_for((tmp_path / "work/out.csv").exists)
    time.sleep(0.2)
    process.send_signal(number)
    assert ends(process) == (-number, "mechfmu: stopped\n")
    assert os.listdir(tmp_path / "tmp") == []
    # the row at t = 0 was written
    assert (tmp_path / "work/out.csv").read_text().count("\n") == 2


def test_second_signal_ends_it_as_well(four_bar, start, tmp_path):
    process = start(*long_step(four_bar))
    wait_for((tmp_path / "work/out.csv").exists)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert ends(process)[0] == -signal.SIGINT
    assert (tmp_path / "work/out.csv").read_text().count("\n") == 2
    assert os.listdir(tmp_path / "tmp") == []


# --- compilers ---


@pytest.fixture
def slow_compiler(tmp_path):
    """A compiler that takes a minute, ignores requests to end, and has a child process."""
    script = tmp_path / "slow c++"
    script.write_text(f'#!/bin/sh\ntrap "" TERM\ntouch "{tmp_path}/compiling"\nsh -c "sleep 60; :" "{tmp_path}/child"\n')
    script.chmod(0o755)
    return script


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("count", [1, 2])
def test_no_compiler_is_left(four_bar, start, slow_compiler, tmp_path, number, count):
    process = start("export", four_bar / "four_bar.xml", CXX=str(slow_compiler))
    wait_for((tmp_path / "compiling").exists)
    for _ in range(count):
        process.send_signal(number)
        time.sleep(0.05)
    assert ends(process)[0] == -number
    assert os.listdir(tmp_path / "tmp") == [] and os.listdir(tmp_path / "work") == []
    wait_for(lambda: programs_with(f"{tmp_path}/") == [])  # a busy machine needs time to end killed processes


def test_programs_started_with_nohup_live_on(four_bar, start, tmp_path):
    process = start(*long_step(four_bar), hangup=signal.SIG_IGN)
    wait_for((tmp_path / "work/out.csv").exists)
    process.send_signal(signal.SIGHUP)
    time.sleep(1.5)
    assert process.poll() is None


# --- output that nobody reads ---


def test_simulate_into_head(four_bar, start, tmp_path):
    process = start("simulate", four_bar / "four_bar.fmu", "--stop", "1e5", "-o", "-")
    assert process.stdout.readline().startswith("time,phi")
    process.stdout.close()
    process.stdout = None
    assert ends(process) == (-signal.SIGPIPE, "")
    assert os.listdir(tmp_path / "tmp") == []


@pytest.mark.parametrize("words", [["info", "four_bar.fmu"], ["linearize", "four_bar.fmu"], ["simulate", "four_bar.fmu"]])
def test_results_that_nobody_reads(four_bar, start, tmp_path, words):
    read, write = os.pipe()
    os.close(read)
    process = start(words[0], four_bar / words[1], stdout=write)
    os.close(write)
    assert ends(process) == (-signal.SIGPIPE, "")
    assert os.listdir(tmp_path / "tmp") == []

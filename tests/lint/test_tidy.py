"""clang-tidy reports nothing about the C++ files and headers that changed.

MECHFMU_TIDY=all checks every file and takes the time it needs; otherwise no file is begun after TIME_LIMIT, and files
that were not checked are a failure. A file that was found clean is not checked again until it, a header it includes or
the settings change: a second run continues where the first one ended.
"""

import hashlib
import json
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sources import ROOT, changed_files, own_headers

CACHE = ROOT / "build" / "tidy"
TIME_LIMIT = 300  # seconds
DIAGNOSTIC = re.compile(r"^(?P<file>/[^:\n]+):\d+:\d+: (?:warning|error): .*\[(?P<check>[^\[\]]+)\]$", re.MULTILINE)


def compile_commands() -> dict[Path, str]:
    """The command for each file, from a configuration without batches of files and without gcc's precompiled headers."""
    options = ["-DMECHFMU_BATCH=OFF", "-DMECHFMU_PRECOMPILE=OFF", "-DMECHFMU_CCACHE=OFF"]
    words = ["cmake", "-S", ROOT, "-B", CACHE, "-G", "Ninja", *options]
    configured = subprocess.run(words, capture_output=True, text=True, check=False)
    if configured.returncode != 0:
        pytest.fail(configured.stdout + configured.stderr)
    entries = json.loads((CACHE / "compile_commands.json").read_text())
    return {Path(entry["file"]): entry["command"] for entry in entries}


def to_check(commands: dict[Path, str], changed: set[Path]) -> list[Path]:
    """The changed *.cpp, and for each changed header that they do not include one *.cpp that does."""
    headers = {file: own_headers(file) for file in sorted(commands)}
    selected = [file for file in headers if file in changed]
    for header in sorted(changed):
        if header.suffix == ".h" and not any(header in headers[file] for file in selected):
            selected += [file for file, included in headers.items() if header in included][:1]
    return selected


def fingerprint(file: Path, command: str) -> str:
    digest = hashlib.sha256(command.encode())
    for path in [ROOT / ".clang-tidy", file, *sorted(own_headers(file))]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def findings(output: str, root: Path = ROOT) -> str:
    """The diagnostics about files of the repository; path-sensitive checks also report on libraries."""
    ours = [
        output[m.start() : n]
        for m, n in spans(output)
        if Path(m["file"]).is_relative_to(root) or "clang-diagnostic-error" in m["check"]
    ]
    return "".join(ours)


def spans(output: str):
    """Each diagnostic with the position of the next one."""
    matches = list(DIAGNOSTIC.finditer(output))
    return zip(matches, [m.start() for m in matches[1:]] + [len(output)])


def run_tidy(file: Path, command: str, deadline: float) -> str | None:
    """The findings in a file, or None if the time ran out."""
    mark = CACHE / fingerprint(file, command)
    if mark.exists():
        return ""
    if time.monotonic() > deadline:
        return None
    run = subprocess.run(
        ["clang-tidy", "--quiet", "-p", CACHE, f"--header-filter=^{re.escape(str(ROOT))}/", file],
        capture_output=True,
        text=True,
        check=False,
    )
    found = findings(run.stdout)
    if not DIAGNOSTIC.search(run.stdout) and run.returncode != 0:
        found = run.stdout + run.stderr  # clang-tidy itself failed
    if not found:
        mark.touch()
    return found


def verdict(files: list[Path], results: list[str | None]) -> str:
    """Findings, and files that were not checked."""
    unchecked = [str(file.relative_to(ROOT)) for file, result in zip(files, results) if result is None]
    found = [result for result in results if result]
    if unchecked:
        found.append(f"not checked after {TIME_LIMIT} s; run again, or set MECHFMU_TIDY=all: {' '.join(unchecked)}")
    return "\n".join(found)


def test_changed_files_are_tidy():
    commands = compile_commands()
    check_all = os.environ.get("MECHFMU_TIDY") == "all"
    existing = {file: command for file, command in commands.items() if file.is_file()}  # the others are made by a build
    files = sorted(existing) if check_all else to_check(existing, changed_files())
    deadline = float("inf") if check_all else time.monotonic() + TIME_LIMIT
    with ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(lambda file: run_tidy(file, commands[file], deadline), files))

    found = verdict(files, results)
    assert not found, found


def test_files_that_were_not_checked_are_a_failure():
    files = [ROOT / "solver/state.cpp", ROOT / "solver/result.cpp"]
    assert verdict(files, ["", ""]) == ""
    assert "solver/result.cpp" in verdict(files, ["", None]) and "solver/state.cpp" not in verdict(files, ["", None])


def test_findings_in_own_files_count_and_those_in_libraries_do_not():
    root = Path("/home/me/mechfmu")
    own = f"{root}/solver/a.cpp:1:2: error: empty [bugprone-x,-warnings-as-errors]\n  code\n"
    library = "/usr/include/eigen3/E.h:1:2: error: leak [clang-analyzer-x,-warnings-as-errors]\n  code\n"
    not_compiled = "/usr/include/x.h:1:2: error: unknown type [clang-diagnostic-error]\n"
    assert findings(own + library, root) == own
    assert findings(library + not_compiled, root) == not_compiled

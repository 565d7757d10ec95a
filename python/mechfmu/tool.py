"""The tool as a function: its messages become exceptions."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

PACKAGE = Path(__file__).resolve().parent
CLONE = PACKAGE.parents[1]


@dataclass(frozen=True)
class Problem:
    """One error or warning that the tool reports about a mechanism file."""

    file: str
    line: int | None  # None: the file as a whole
    element: str  # "joint 'B'"; empty for messages about no element
    message: str
    severity: str = "error"  # or "warning"

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.severity}: {self.element + ': ' if self.element else ''}{self.message}"


class ToolError(Exception):
    """The tool failed; the text is its message. `code` is its exit code: 1 a failed run or an
    unusable file, 2 a wrong name, value or option, 3 any other failure (no compiler, disk full)."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.message, self.code = message, code


class MechanismError(ToolError):
    """A mechanism file has errors. File, line, element and message are those of the first;
    `problems` holds all of them."""

    def __init__(self, problems: list[Problem], code: int = 1) -> None:
        super().__init__("\n".join(map(str, problems)), code)
        self.problems = problems
        self.file, self.line = problems[0].file, problems[0].line
        self.element, self.message = problems[0].element, problems[0].message


def program() -> Path:
    """Return the path of the tool: in the wheel, or in the build folder of a clone."""
    for path in (PACKAGE / "bin" / "mechfmu", CLONE / "build" / "mechfmu"):
        if path.is_file():
            return path
    raise FileNotFoundError(f"{CLONE / 'build' / 'mechfmu'} does not exist; packaging/quickstart.sh builds it")


def environment() -> dict[str, str]:
    """Return the environment of the tool: this Python draws plots. The libraries of a wheel made by
    Zig fit only Zig as a compiler, so it is found if it is installed."""
    made = {"MECHFMU_PYTHON": sys.executable} | os.environ
    kit = PACKAGE / "lib" / "mechfmu" / "mechfmu.kit"
    if kit.is_file() and kit.read_text(encoding="utf-8").startswith("compiler = zig;"):
        made.pop("CXX", None)
        if found := importlib.util.find_spec("ziglang"):
            folders = found.submodule_search_locations or []
            made["PATH"] = os.pathsep.join([*folders, made.get("PATH", os.defpath)])
    return made


LINE = re.compile(r"(?P<file>.+?)(?::(?P<line>\d+))?: (?P<severity>error|warning): (?P<rest>.*)")
ELEMENT = re.compile(r"(?P<element>[a-z_]+ '[^']*'|[a-z_]+ \([^)]*\)|[a-z_]+): (?P<message>.*)")


def problems_in(text: str) -> list[Problem]:
    """Return errors and warnings about mechanism files in the output of the tool."""
    found = []
    for line in text.splitlines():
        if (match := LINE.fullmatch(line)) and match["file"] != "mechfmu":
            about = ELEMENT.fullmatch(match["rest"])
            element, message = (about["element"], about["message"]) if about else ("", match["rest"])
            number = int(match["line"]) if match["line"] else None
            found.append(Problem(match["file"], number, element, message, match["severity"]))
    return found


def run(*words: object) -> tuple[str, list[Problem]]:
    """Run the tool and return its output and warnings. Raises MechanismError or ToolError."""
    command = [str(program()), *map(str, words)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, env=environment())
    problems = problems_in(done.stderr)
    if done.returncode != 0:
        if errors := [problem for problem in problems if problem.severity == "error"]:
            raise MechanismError(errors, done.returncode)
        said = done.stderr.strip() or f"mechfmu exited with code {done.returncode}"
        raise ToolError(said.removeprefix("mechfmu: "), done.returncode)
    return done.stdout, problems


def main() -> NoReturn:
    """Run the command `mechfmu`: this process becomes the tool."""
    path = program()
    os.execve(path, ["mechfmu", *sys.argv[1:]], environment())

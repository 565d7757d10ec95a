"""The tool as tests call it, and an FMU that it has made."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from built import FINE, ROOT, TOOL, USAGE, run
from drivers import TARGETS, WINE, ZIG, Driver


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """An environment without the user's shell settings, and with a separate folder for temporary files."""
    folder = tmp_path_factory.mktemp("environment")
    (folder / "tmp").mkdir()
    (folder / "c++").symlink_to(shutil.which("c++"))
    kept = {name: value for name, value in os.environ.items() if name not in ("MECHFMU_KIT", "SOURCE_DATE_EPOCH")}
    return {**kept, "TMPDIR": str(folder / "tmp"), "CXX": str(folder / "c++"),
            "TERM": "xterm"}  # fmt: skip


@pytest.fixture
def mechfmu(environment, tmp_path):
    """mechfmu(words..., code=0): runs the tool in an empty folder and returns its output."""

    def run(*words, code=FINE, cwd=tmp_path, **variables):
        done = subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True, check=False, cwd=cwd,
                              env={**environment, **variables}, timeout=300)  # fmt: skip
        assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        left = os.listdir(environment["TMPDIR"])
        assert not left, f"temporary files are left: {left}"
        return done

    return run


@pytest.fixture
def complaint(mechfmu):
    """complaint(words...): the single line that a refused command writes."""

    def run(*words, code=USAGE, **options):
        done = mechfmu(*words, code=code, **options)
        assert done.stdout == "" and done.stderr.count("\n") == 1 and done.stderr.startswith("mechfmu: "), done
        return done.stderr.removeprefix("mechfmu: ").strip()

    return run


@pytest.fixture(scope="session")
def four_bar(environment, tmp_path_factory):
    """A folder with four_bar.xml and its FMUs, exported from another folder; their path contains special characters."""
    folder = tmp_path_factory.mktemp("with space") / "Prüfstand Ω"
    folder.mkdir()
    run = {"cwd": "/", "env": environment, "check": True, "capture_output": True, "text": True}
    subprocess.run([TOOL, "new", "four_bar", "-o", folder / "four_bar.xml"], **run)
    done = subprocess.run([TOOL, "export", folder / "four_bar.xml", "-o", folder / "four_bar.fmu"], **run)
    assert done.stdout == f"{folder}/four_bar.fmu  (FMI 2.0)\n{folder}/four_bar.fmi3.fmu  (FMI 3.0)\n"
    assert re.fullmatch(r"mechfmu: FourBar exported in [\d.]+ s\n", done.stderr)
    return folder


@pytest.fixture(scope="session")
def drivers(tmp_path_factory):
    """drivers(platform): the Driver, compiled at its first use."""
    folder = tmp_path_factory.mktemp("drivers")
    made = {}

    def make(platform: str) -> Driver:
        if platform in made:
            return made[platform]
        program = folder / f"drive-{platform}{'.exe' if platform == 'win64' else ''}"
        headers = next((ROOT / "build" / "venv").glob("lib/python3*/site-packages/fmpy/c-code"))
        run(ZIG, "cc", "-target", TARGETS[platform], "-O1", "-Wall", "-Wextra", "-Werror", "-isystem", headers,
            ROOT / "tests/packaging/drive.c", "-o", program, *(["-lshell32"] if platform == "win64" else []))  # fmt: skip
        prefix, environment = [], {}
        if platform == "win64":
            prefix = [str(WINE)]
            environment = {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}
        if platform == "aarch64-linux":
            prefix = ["/usr/bin/qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"]
        made[platform] = Driver(platform, program, folder, prefix, environment)
        return made[platform]

    yield make
    if "win64" in made:
        server = Path("/usr/lib/wine/wineserver")
        if server.exists():
            subprocess.run([server, "-k"], env={**os.environ, **made["win64"].environment}, check=False)

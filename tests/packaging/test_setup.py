"""packaging/setup.sh installs missing packages only, judged by its calls of stand-ins for apt and dpkg."""

import shutil
import subprocess
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parents[2] / "packaging/setup.sh"


class Machine:
    """A tree with setup.sh, and a PATH that holds a few real programs and the stand-ins."""

    def __init__(self, folder: Path):
        self.tree, self.bin, self.apt_log = folder / "a tree", folder / "bin", folder / "apt_log"
        (self.tree / "packaging").mkdir(parents=True)
        shutil.copy(SETUP, self.tree / "packaging")
        (self.tree / "packaging/requirements.txt").write_text("# none\n")
        self.bin.mkdir()
        for name in ["bash", "cat", "dirname", "env", "mkdir", "python3", "sha256sum", "tail"]:
            (self.bin / name).symlink_to(shutil.which(name))
        self.program("apt-get", f'echo "$@" >>{self.apt_log}')
        self.program("id", "echo 0")
        self.lacks()

    def program(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def lacks(self, *packages: str) -> None:
        tests = " ".join(f'[ "${{@: -1}}" = {package} ] && exit 1;' for package in packages)
        self.program("dpkg-query", f"{tests} echo -n installed")

    def setup(self, **environment) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.tree / "packaging/setup.sh"],
            cwd="/",
            env={"PATH": str(self.bin), **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def apt_calls(self) -> list[str]:
        return self.apt_log.read_text().splitlines() if self.apt_log.exists() else []


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    """A complete machine, set up once."""
    machine = Machine(tmp_path_factory.mktemp("complete"))
    first = machine.setup()
    assert first.returncode == 0, first.stderr
    return machine


@pytest.fixture
def machine(tmp_path, complete):
    """A machine whose Python packages are up to date, for the tests about Debian packages."""
    machine = Machine(tmp_path)
    (machine.tree / "build").mkdir()
    (machine.tree / "build/venv").symlink_to(complete.tree / "build/venv")
    return machine


def test_second_run_changes_nothing_and_apt_is_never_called(complete):
    mark = complete.tree / "build/venv/mark"
    mark.touch()
    second = complete.setup()
    assert second.returncode == 0, second.stderr
    assert "up to date" in second.stdout
    assert mark.exists()
    assert complete.apt_calls() == []


def test_only_missing_packages_are_installed_without_fetching_lists(machine):
    machine.lacks("libeigen3-dev", "ninja-build")
    run = machine.setup()
    assert run.returncode == 0, run.stderr
    assert "installing ninja-build libeigen3-dev\n" in run.stdout
    calls = machine.apt_calls()
    assert all(call.split()[0] == "install" for call in calls)
    assert calls[-1].endswith(" ninja-build libeigen3-dev")


def test_lists_are_fetched_when_a_package_cannot_be_found(machine):
    machine.lacks("libeigen3-dev")
    machine.program("apt-get", f'echo "$@" >>{machine.apt_log}; [[ "$*" != *simulate* ]]')
    assert machine.setup().returncode == 0
    assert [call.split()[0] for call in machine.apt_calls()] == ["install", "update", "install"]


def test_ordinary_user_installs_with_sudo(machine):
    machine.lacks("cmake")
    machine.program("id", "echo 1000")
    machine.program("sudo", f'echo sudo >>{machine.apt_log}; exec "$@"')
    run = machine.setup()
    assert run.returncode == 0, run.stderr
    assert machine.apt_calls()[-2] == "sudo"
    assert machine.apt_calls()[-1].endswith(" cmake")


def test_without_root_and_sudo_it_states_the_administrators_task(machine):
    machine.lacks("cmake")
    machine.program("id", "echo 1000")
    run = machine.setup()
    assert run.returncode == 1
    assert "apt-get install cmake" in run.stderr
    assert machine.apt_calls() == []


def test_without_root_a_conda_environment_provides_what_debian_lacks(machine):
    machine.lacks("cmake")
    machine.program("id", "echo 1000")
    run = machine.setup(CONDA_PREFIX="/opt/conda/envs/mechfmu")
    assert run.returncode == 0, run.stderr
    assert "the conda environment /opt/conda/envs/mechfmu has to provide cmake\n" in run.stdout
    assert machine.apt_calls() == []


def test_failure_of_apt_is_shown(machine):
    machine.lacks("cmake")
    machine.program("apt-get", "echo E: disk full; exit 100")
    run = machine.setup()
    assert run.returncode != 0
    assert "disk full" in run.stdout + run.stderr


def test_other_requirements_make_a_new_environment(complete):
    mark = complete.tree / "build/venv/mark"
    mark.touch()
    (complete.tree / "packaging/requirements.txt").write_text("# other\n")
    assert complete.setup().returncode == 0
    assert not mark.exists()

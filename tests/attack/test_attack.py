"""Random calls and changed states, on FMUs of both versions, for a minute; tests/nightly.sh runs them for an hour.

A failure names its seed: build/tests/attack calls <unpacked FMU> --seed <seed> repeats it.
"""

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("MECHFMU_BUILD", ROOT / "build"))
ATTACK = BUILD / "tests" / "attack"
# Redundant constraints, first-order states, rolling, rotors, contact of all with all
MODELS = ["pendulum", "slider_crank_file", "double_wishbone", "crane", "rolling_wheel", "heavy_top", "andrews_file"]
VERSIONS = {"fmi2": ".fmu", "fmi3": ".fmi3.fmu"}
CALLS = int(os.environ.get("MECHFMU_ATTACK_CALLS", "3000"))
STATES = int(os.environ.get("MECHFMU_ATTACK_STATES", "1000"))
SEED = os.environ.get("MECHFMU_ATTACK_SEED", "1")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    def unpack(model, version):
        folder = tmp_path_factory.mktemp(model)
        with zipfile.ZipFile(BUILD / "fmus" / f"{model}{VERSIONS[version]}") as archive:
            archive.extractall(folder)
        return folder

    return unpack


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    """FMUs that read their mechanism."""

    def export(model, version):
        folder = tmp_path_factory.mktemp(model)
        words = [BUILD / "mechfmu", "export", ROOT / "models" / model / f"{model}.xml", "--compile", "never", "-q", "-o", folder]
        subprocess.run(words, check=True)
        with zipfile.ZipFile(folder / f"{model}{VERSIONS[version]}") as archive:
            archive.extractall(folder / "x")
        return folder / "x"

    return export


def attack(*words) -> subprocess.CompletedProcess:
    return subprocess.run([ATTACK, *map(str, words)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("model", MODELS)
def test_random_calls(unpacked, model, version):
    done = attack("calls", unpacked(model, version), "--calls", CALLS, "--seed", SEED)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("model", MODELS)
def test_changed_states(unpacked, model):
    done = attack("states", unpacked(model, "fmi2"), "--states", STATES, "--seed", SEED)
    assert done.returncode == 0, done.stderr
    assert 0 < int(done.stdout.split()[4]) < STATES  # some are refused, and some continue


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("model", ["crane", "double_wishbone"])
def test_fmus_that_read_their_mechanism(listed, model, version):
    folder = listed(model, version)
    for words in [("calls", "--calls", CALLS), ("states", "--states", STATES), ("memory", "--calls", CALLS)]:
        done = attack(words[0], folder, *words[1:], "--seed", SEED)
        assert done.returncode == 0, done.stderr


def test_faults_found_before(unpacked):
    # the roundoff of a step used the parameters of another state: other last bits after a roll-back
    done = attack("calls", unpacked("gough_stewart", "fmi2"), "--calls", 2000, "--seed", 1100001)
    assert done.returncode == 0, done.stderr
    # an order of elimination for one of two matrices
    done = attack("states", unpacked("slider_crank_file", "fmi2"), "--states", 1, "--seed", 1102686)
    assert done.returncode == 0, done.stderr
    # the next step used matrices that could not be factored again for an output
    done = attack("states", unpacked("heavy_top", "fmi2"), "--states", 1, "--seed", 7000189)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("version", VERSIONS)
def test_calls_without_memory(unpacked, version):
    done = attack("memory", unpacked("slider_crank_file", version), "--calls", CALLS, "--seed", SEED)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("version", VERSIONS)
def test_instances_in_threads_equal_those_alone(unpacked, version):
    done = attack("threads", unpacked("double_wishbone", version), "--instances", 200)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("version", VERSIONS)
def test_neither_steps_nor_resets_let_memory_grow(unpacked, version):
    done = attack("endurance", unpacked("pendulum", version), "--steps", 20000, "--resets", 5000)
    assert done.returncode == 0, done.stderr


def test_planted_faults_of_many_are_found(unpacked):
    folder = unpacked("pendulum", "fmi2")
    mixed = attack("threads", folder, "--instances", 20, "--plant", "mixed")
    assert "instance 10 differs from itself alone" in mixed.stderr
    for few in (("--resets", 10), ("--steps", 10)):
        growing = attack("endurance", folder, "--steps", 50000, "--resets", 50000, *few, "--plant", "grows")
        assert "memory has grown" in growing.stderr


@pytest.mark.parametrize(
    ("fault", "found"),
    {
        "nan": "gave a value that is not finite|gave other values when asked again",
        "changes": "changed the state|gave other values when asked again",
        "accepts": "was accepted",
        "silent": "was refused without a message",
        "drifts": "a state taken back has other bytes|steps give other values|other bytes",
        "grows": "memory has grown",
        "crash": "crash",
    }.items(),
)
def test_planted_faults_are_found(unpacked, fault, found):
    done = attack("calls", unpacked("pendulum", "fmi3"), "--calls", 20000, "--plant", fault)
    assert done.returncode != 0
    assert any(text in done.stderr for text in found.split("|")), done.stderr
    assert "--seed" in done.stderr or fault == "grows"

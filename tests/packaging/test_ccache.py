"""Objects come from ccache if it works, and only then: tested by the rules that CMake writes, without a build."""

import os
import shutil
import subprocess

import pytest
from built import ROOT

pytestmark = pytest.mark.skipif(
    not shutil.which("ccache"), reason="ccache is not installed; packaging/setup.sh installs it"
)
PARTS = ["-DMECHFMU_BUILD_TESTS=OFF", "-DMECHFMU_BUILD_BENCH=OFF", "-DMECHFMU_BUILD_FMUS=OFF"]


def configured(folder, *options, **variables) -> tuple[str, str]:
    """CMake's output, and the rules that it writes."""
    environment = {name: value for name, value in os.environ.items() if name not in ("CXX", "CXXFLAGS")}
    words = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *PARTS, *options]
    done = subprocess.run(words, env={**environment, **variables}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, (folder / "CMakeFiles/rules.ninja").read_text()


def kit(folder) -> str:
    """The compiler that the tool of this build would run."""
    first = (folder / "mechfmu.kit").read_text().splitlines()[0]
    return first.removeprefix("compiler = ")


def test_is_used_with_gcc_and_not_in_the_kit(tmp_path):
    said, rules = configured(tmp_path, CXX="g++")
    assert "CCACHE_BASEDIR" in rules and "not used" not in said
    assert "ccache" not in kit(tmp_path)


def test_is_not_used_where_it_may_not_write(tmp_path):
    """A user without a home, for example: every compilation would fail."""
    said, rules = configured(tmp_path, CXX="g++", CCACHE_DIR="/dev/null/nowhere")
    assert "ccache is not used: ccache: error: Failed to create directory" in said
    assert "ccache" not in rules


def test_is_not_used_on_request_nor_with_another_compiler(tmp_path):
    assert "ccache" not in configured(tmp_path / "off", "-DMECHFMU_CCACHE=OFF", CXX="g++")[1]
    assert "ccache" not in configured(tmp_path / "clang", CXX="clang++")[1]


def test_compiler_of_two_words_is_known_to_the_kit_with_both(tmp_path):
    configured(tmp_path, CXX="ccache g++")
    assert [word.rpartition("/")[2] for word in kit(tmp_path).split(";")] == ["ccache", "g++"]
    assert 'ccache;g++" -DEIGEN=' in (tmp_path / "build.ninja").read_text()  # the command that collects sources of FMUs

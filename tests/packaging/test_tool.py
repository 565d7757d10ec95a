"""The command-line tool, as users see it: every command and option, output on both streams, and exit codes.

Compiling takes seconds, so FMUs are exported once and shared.
"""

import csv
import filecmp
import json
import os
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import time
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import pytest
from built import ERRORS, FAILED, LIBRARIES, ROOT, STOPPED, TOOL, USAGE, exported, fmi_functions, needed
from fmpy.validation import validate_fmu
from lxml import etree

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")

# A pendulum with a user-defined damper law; the run ends at 0.5 s unless a test asks for more.
WITH_FUNCTION = """<mechanism name="Damped" gravity="0 -9.81 0">
  <parameter name="b" value="2" unit="N.m.s/rad"/>
  <body name="arm" at="0.5 0 0" mass="1" box="1 0.1 0.1"/>
  <joint name="A" type="revolute" between="ground arm"/>
  <function name="drag" arguments="rad/s" unit="N.m"/>
  <torque name="damper" joint="A" value="-b*1rad/1s*drag(A.rate)/1N.m"/>
  <output name="phi" value="A.angle" unit="rad"/>
  <experiment stop="0.5" step="0.01"/>
</mechanism>
"""
LAW = """#include "mechanics/function.h"
#include "strength.h"
mechfmu::Function<1> drag([](const auto& rate) { return strength * tanh(rate); });
"""
# The force is not a number after 1 s, which the experiment does not reach.
FAILING = """<mechanism name="Failing">
  <body name="a" mass="1" sphere="0.1" free="true"/>
  <force name="f" body="a" value="0 sqrt(1 - time/1s)*1N 0"/>
  <output name="y" value="a.position.y" unit="m"/>
  <experiment stop="0.5" step="0.01"/>
</mechanism>
"""


@pytest.fixture
def with_function(tmp_path):
    (tmp_path / "damped.xml").write_text(WITH_FUNCTION)
    (tmp_path / "law.cpp").write_text(LAW)
    (tmp_path / "strength.h").write_text("constexpr double strength = 1;\n")
    return tmp_path / "damped.xml"


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {name: np.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}


# --- export ---


@pytest.mark.parametrize("name", ["four_bar.fmu", "four_bar.fmi3.fmu"])
def test_exported_fmu_is_valid_and_needs_nothing(four_bar, name, tmp_path):
    assert validate_fmu(str(four_bar / name)) == []
    with zipfile.ZipFile(four_bar / name) as archive:
        [binary] = [entry for entry in archive.namelist() if entry.startswith("binaries/")]
        library = Path(archive.extract(binary, tmp_path))
    assert library.name == "FourBar.so"
    assert needed(library) <= LIBRARIES
    assert exported(library) == fmi_functions()
    assert str(ROOT).encode() not in library.read_bytes()


def test_export_gives_the_same_bytes_anywhere(four_bar, mechfmu, tmp_path):
    """From another folder, with another name, and keeping intermediate files."""
    shutil.copy(four_bar / "four_bar.xml", tmp_path / "other.xml")
    done = mechfmu("export", "other.xml", "--keep", "kept", "-v")
    assert done.stdout == "other.fmu  (FMI 2.0)\nother.fmi3.fmu  (FMI 3.0)\n"
    for stage in ["reading", "compiling", "linking", "describing", "packing"]:
        assert re.search(rf"^mechfmu: {stage} [\d.]+ s$", done.stderr, re.M)
    assert filecmp.cmp(tmp_path / "other.fmu", four_bar / "four_bar.fmu", shallow=False)
    assert filecmp.cmp(tmp_path / "other.fmi3.fmu", four_bar / "four_bar.fmi3.fmu", shallow=False)
    assert (tmp_path / "kept/FourBar.cpp").read_text().startswith("// FourBar, made by mechfmu")
    assert (tmp_path / "kept/files/fmi2/modelDescription.xml").exists()
    assert "-c kept/FourBar.cpp -o kept/0_FourBar.o\n" in done.stderr


def test_export_with_a_user_defined_function(with_function, mechfmu, tmp_path):
    (tmp_path / "out").mkdir()
    done = mechfmu("export", "--source", "law.cpp", "damped.xml", "--fmi", "3", "-o", "out", "-q")
    assert (done.stdout, done.stderr) == ("", "")
    assert os.listdir(tmp_path / "out") == ["damped.fmu"]
    result = fmpy.simulate_fmu(str(tmp_path / "out/damped.fmu"), stop_time=0.5, output_interval=0.01, relative_tolerance=1e-9)

    # J φ¨ = −m g l cos φ − b tanh φ˙ by the classical method of Runge and Kutta
    def slope(x):
        J = (1 + 0.01) / 12 + 0.25
        return np.array([x[1], (-9.81 * 0.5 * np.cos(x[0]) - 2 * np.tanh(x[1])) / J])

    x, h = np.zeros(2), 1e-3
    for _ in range(500):
        k1 = slope(x)
        k2 = slope(x + h / 2 * k1)
        k3 = slope(x + h / 2 * k2)
        k4 = slope(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    assert result["phi"][-1] == pytest.approx(x[0], abs=1e-6)


def test_compile_error_in_the_users_source_is_shown(with_function, mechfmu, tmp_path):
    (tmp_path / "law.cpp").write_text(LAW + "int broken = ;\n")
    done = mechfmu("export", "damped.xml", "--source", "law.cpp", code=ERRORS)
    assert done.stderr.startswith("mechfmu: law.cpp does not compile:\n")
    assert "law.cpp:4:" in done.stderr and "error" in done.stderr
    assert not (tmp_path / "damped.fmu").exists()


def test_function_that_no_source_defines(with_function, mechfmu, tmp_path):
    """The linker writes in the language of the user; the result does not depend on it."""
    (tmp_path / "law.cpp").write_text("int something_else = 1;\n")
    done = mechfmu("export", "damped.xml", "--source", "law.cpp", code=ERRORS, LC_ALL="de_DE.UTF-8")
    assert done.stderr.startswith("mechfmu: function 'drag' is declared in the mechanism file, but no source defines it")
    assert "mechfmu::Function<1> drag(" in done.stderr


def test_function_with_another_number_of_arguments(with_function, complaint, tmp_path):
    (tmp_path / "law.cpp").write_text(
        '#include "mechanics/function.h"\n'
        "mechfmu::Function<2> drag([](const auto& rate, const auto& x) { return rate + x; });\n"
    )
    message = complaint("export", "damped.xml", "--source", "law.cpp", code=ERRORS)
    assert message == (
        "Damped: function 'drag' is declared with 1 arguments and defined as mechfmu::Function<2>"
    )


def test_function_without_a_source(with_function, complaint):
    message = complaint("export", "damped.xml")
    assert message == "function 'drag' is written in C++: name the file that defines it with --source"


def test_no_compiler(four_bar, complaint):
    message = complaint("export", four_bar / "four_bar.xml", "--compile", "always", code=FAILED, CXX="/nonexistent/c++")
    assert message.startswith("cannot start /nonexistent/c++: No such file or directory")
    assert message.endswith("a C++ compiler is needed: install g++, or set CXX to another one")


def test_compiler_of_several_words(four_bar, mechfmu, tmp_path):
    """CXX as build systems set it: the first word is the program."""
    script = tmp_path / "wrapper"
    script.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/words\nexit 1\n')
    script.chmod(0o755)
    done = mechfmu("export", four_bar / "four_bar.xml", code=FAILED, CXX=f"{script} g++")
    assert "FourBar.cpp does not compile" in done.stderr
    assert (tmp_path / "words").read_text().startswith("g++ -std=c++20 ")


def test_output_that_cannot_be_written_is_noticed_before_anything_is_compiled(four_bar, complaint, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder/four_bar.fmu").mkdir(parents=True)
    places = {"file/x.fmu": "Not a directory", "folder": "Is a directory"}
    if os.geteuid() != 0:  # root may write anywhere
        (tmp_path / "locked").mkdir(mode=0o555)
        places["locked/x.fmu"] = "Permission denied"
    for place, why in places.items():
        message = complaint("export", four_bar / "four_bar.xml", "-o", place, code=FAILED, CXX="/nonexistent")
        file = "folder/four_bar.fmu" if place == "folder" else place
        assert message.startswith(f"cannot write {file}: ") and why in message


def test_interrupted_export_leaves_nothing(four_bar, environment, tmp_path):
    process = subprocess.Popen([TOOL, "export", four_bar / "four_bar.xml"], cwd=tmp_path, env=environment,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
    deadline = time.time() + 20
    while not any((path / "FourBar_model_name.cpp").exists() for path in Path(environment["TMPDIR"]).iterdir()):
        assert time.time() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=20)
    assert process.returncode == STOPPED and out == "" and errors == "mechfmu: stopped\n"
    assert os.listdir(tmp_path) == [] and os.listdir(environment["TMPDIR"]) == []


# --- check ---


def test_check_reports_the_contents_of_the_file(four_bar, mechfmu):
    done = mechfmu("check", four_bar / "four_bar.xml")
    assert done.stderr == ""
    assert "degrees of freedom  1 = 18 coordinates of 3 bodies - 20 constraints + 3 redundant\n" in done.stdout
    assert re.search(r"^  mass +4\.7 kg$", done.stdout, re.M)
    assert re.search(r"^  crank +1\.2 kg +0 0\.1 0 m +0\.0001 0\.004 0\.004 kg\.m2$", done.stdout, re.M)
    assert re.search(r"^  k +=? 800 N/m +stiffness of the tie$", done.stdout, re.M)


def test_check_of_several_files_names_every_error_with_its_line(four_bar, mechfmu, tmp_path):
    text = (four_bar / "four_bar.xml").read_text()
    (tmp_path / "bad.xml").write_text(text.replace('between="crank coupler"', 'between="crank copler"').replace("-0.02*", "- 0.02*"))
    (tmp_path / "broken.xml").write_text("<mechanism name='M'>\n<body\n</mechanism>")
    (tmp_path / "good.xml").write_text(text)
    line = text[: text.index("crank coupler")].count("\n") + 1
    done = mechfmu("check", "bad.xml", "good.xml", "broken.xml", code=ERRORS)
    errors = done.stderr.splitlines()
    assert errors[0] == f"bad.xml:{line}: error: joint 'B': body 'copler' does not exist; did you mean 'coupler'?"
    assert errors[-1].startswith("broken.xml:")
    assert done.stdout.count("degrees of freedom") == 1
    quiet = mechfmu("check", "-q", "good.xml")
    assert quiet.stdout == "" and quiet.stderr == ""


def test_check_for_programs_is_a_line_of_json_for_each_file(four_bar, mechfmu, tmp_path):
    text = '<mechanism name="M" about="&quot;a\\b&quot;&#9;c"><body name="b" mass="2" sphere="1" free="true"/></mechanism>'
    (tmp_path / "m.xml").write_text(text)
    first, second = map(json.loads, mechfmu("check", "--json", four_bar / "four_bar.xml", "m.xml").stdout.splitlines())
    assert first["degrees_of_freedom"] == 1 and first["redundant"] == ["D: z", "D: tilt about v", "D: tilt about u"]
    assert [body["name"] for body in first["bodies"]] == ["crank", "coupler", "rocker"] and first["mass"] == 4.7
    assert second["about"].startswith('"a\\b"') and second["degrees_of_freedom"] == 6
    assert second["bodies"][0]["inertia"] == pytest.approx([0.8] * 3)  # 2/5 m r²
    assert mechfmu("check", "--json", "--quiet", "m.xml").stdout == ""


def test_check_strict_counts_warnings(mechfmu, tmp_path):
    (tmp_path / "loose.xml").write_text('<mechanism name="M"><body name="a" mass="1" sphere="1"/></mechanism>')
    warned = mechfmu("check", "loose.xml")
    assert warned.stderr.startswith("loose.xml:1: warning: body 'a': ") and warned.stdout != ""
    assert mechfmu("check", "--strict", "loose.xml", code=ERRORS).stderr == warned.stderr


@pytest.mark.parametrize("command", ["check", "export", "simulate", "info", "generate"])
def test_files_that_are_not_there(complaint, command, tmp_path):
    assert complaint(command, "nowhere.xml") == "no such file: nowhere.xml"
    assert "is a folder, not a file" in complaint(command, tmp_path)


# --- simulate ---


def test_results_are_those_of_fmpy(four_bar, mechfmu, tmp_path):
    (tmp_path / "u.csv").write_text("time,torque\n0,3\n")
    for fmi, name in [(2, "four_bar.fmu"), (3, "four_bar.fmi3.fmu")]:
        of_xml = ["simulate", four_bar / "four_bar.xml", "--fmi", fmi, "-o", f"xml{fmi}.csv"]
        of_fmu = ["simulate", four_bar / name, "-o", f"fmu{fmi}.csv"]
        for words in (of_xml, of_fmu):
            mechfmu(*words, "--input", "u.csv", "--set", "k=900", "--quiet")
        ours, listed = read_csv(tmp_path / f"fmu{fmi}.csv"), read_csv(tmp_path / f"xml{fmi}.csv")
        for column in ["time", "phi", "pin"]:  # compiled or read: the same to rounding
            assert ours[column] == pytest.approx(listed[column], rel=1e-7, abs=1e-9)
        theirs = fmpy.simulate_fmu(str(four_bar / name), stop_time=5, output_interval=0.01,
                                   start_values={"k": 900, "torque": 3}, output=["phi", "pin"])  # fmt: skip
        assert len(ours["time"]) == 501 and abs(ours["phi"]).max() > 0.3
        for column in ["time", "phi", "pin"]:
            assert ours[column] == pytest.approx(theirs[column], rel=1e-9, abs=1e-12)


def test_both_versions_of_fmi_get_the_same_inputs(four_bar, mechfmu, tmp_path):
    """Along a straight line: FMI 2.0 by its slope, FMI 3.0 by the mean of each step, second order in 0.01 s."""
    (tmp_path / "u.csv").write_text("time,torque\n0,0\n5,4\n")
    for name in ["four_bar.fmu", "four_bar.fmi3.fmu"]:
        mechfmu("simulate", four_bar / name, "--input", "u.csv", "-q", "-o", name + ".csv")
    two, three = (read_csv(tmp_path / name) for name in ["four_bar.fmu.csv", "four_bar.fmi3.fmu.csv"])
    assert abs(two["phi"] - three["phi"]).max() < 1e-4 * abs(two["phi"]).max()


def test_simulate_needs_no_compiler(four_bar, with_function, mechfmu, complaint):
    mechfmu("simulate", four_bar / "four_bar.xml", "--stop", "1", CXX="/nonexistent")
    # but functions in C++ do
    words = ["simulate", "damped.xml", "--source", "law.cpp"]
    assert "cannot start" in complaint(*words, code=FAILED, CXX="/nonexistent")


def test_changed_headers_of_functions_are_noticed(with_function, mechfmu, tmp_path):
    words = ["simulate", "damped.xml", "--source", "law.cpp", "-o", "-"]
    first = mechfmu(*words)
    assert mechfmu(*words).stdout == first.stdout
    (tmp_path / "strength.h").write_text("constexpr double strength = 50;\n")
    second = mechfmu(*words)
    assert second.stdout != first.stdout


def test_summary(four_bar, mechfmu, tmp_path):
    done = mechfmu("simulate", four_bar / "four_bar.fmu", "-o", "out.csv", "--columns", "pin,phi", "--columns", "energy.total")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["start", "minimum", "maximum", "end"]
    assert [line.split()[0] for line in lines[1:5]] == ["time", "pin", "phi", "energy.total"]
    assert lines[1].split() == ["time", "0", "0", "5", "5", "s"]
    data = read_csv(tmp_path / "out.csv")
    assert list(data) == ["time", "pin", "phi", "energy.total"]
    values = [data["phi"][0], data["phi"].min(), data["phi"].max(), data["phi"][-1]]
    assert [float(word) for word in lines[3].split()[1:5]] == pytest.approx(values, rel=1e-6, abs=1e-12)
    assert lines[3].split()[-1] == "rad"
    assert lines[6].startswith("500 communication steps; solver.steps ")
    assert lines[7] == "results: out.csv"
    assert not any(line.endswith(" ") for line in lines)
    assert done.stderr == ""


def test_times(four_bar, mechfmu, tmp_path):
    words = ["simulate", four_bar / "four_bar.fmu", "-q", "-o", "out.csv"]
    mechfmu(*words, "--stop", "0.3", "--step", "0.1")
    assert read_csv(tmp_path / "out.csv")["time"].tolist() == [0, 0.1, 0.2, 0.3]
    mechfmu(*words, "--start", "1", "--stop", "2", "--step", "0.01", "--interval", "0.5", "--tolerance", "1e-8")
    assert read_csv(tmp_path / "out.csv")["time"].tolist() == [1, 1.5, 2]


def test_set_of_numbers_booleans_and_enumerations(four_bar, mechfmu, tmp_path):
    words = ["simulate", "--set", "solver.rescale=false", "--set", "solver.method=hht_i3", "--set", "k=2e3"]
    mechfmu(*words, four_bar / "four_bar.fmu", "--stop", "0.1", "--columns", "k,solver.rescale,solver.method", "-o", "a.csv")
    data = read_csv(tmp_path / "a.csv")
    assert (data["k"][0], data["solver.rescale"][0], data["solver.method"][0]) == (2000, 0, 2)


def test_results_on_the_output_stream(four_bar, mechfmu, tmp_path):
    words = ["simulate", four_bar / "four_bar.fmu", "--stop", "0.1", "--columns", "phi"]
    mechfmu(*words, "-o", "out.csv")
    assert mechfmu(*words, "-o", "-").stdout == (tmp_path / "out.csv").read_text()


@pytest.mark.parametrize(
    "words, message",
    [
        (["--set", "kk=1"], "unknown variable 'kk'; did you mean 'k'?"),
        (["--set", "k"], "--set k: write --set name=value"),
        (["--set", "k=-1"], "'-1' is out of range for 'k', which goes from 0"),
        (["--set", "k=stiff"], "'stiff' is not a number for 'k'; write the number alone, in N/m"),
        (["--set", "phi=1"], "phi"),
        (["--set", "solver.method=rk4"], "solver.method"),
        (["--columns", "pinn"], "unknown variable 'pinn'; did you mean 'pin'?"),
        (["--stop", "-3"], "the stop time -3 must be later than the start time 0"),
        (["--stop", "soon"], "--stop: 'soon' is not a number that is possible here"),
        (["--step", "0"], "--step: '0' must be a number above 0"),
        (["--step", "nan"], "--step: 'nan' must be a number above 0"),
        (["--tolerance", "inf"], "--tolerance: 'inf' must be a number above 0"),
        (["--stop", "nan"], "the stop time nan"),
        (["--start", "-inf"], "start"),
        (["--input", "u.csv"], "torq"),
        (["--input", "nowhere.csv"], "no such file: nowhere.csv"),
    ],
)
def test_simulate_refuses_with_the_cause(four_bar, complaint, tmp_path, words, message):
    (tmp_path / "u.csv").write_text("time,torq\n0,0\n")
    assert message in complaint("simulate", four_bar / "four_bar.fmu", *words, "-o", "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_simulate_reports_the_energy_lost_in_integration(mechfmu, complaint, four_bar):
    words = ["simulate", ROOT / "models" / "cart_pole" / "cart_pole.xml", "--energy"]
    off = []
    for tolerance in ["1e-5", "1e-7"]:
        line = mechfmu(*words, "--tolerance", tolerance).stdout.splitlines()[-1]
        found = re.fullmatch(r"energy: integration error of at most (\S+) J, (\S+) % of the (\S+) J .*", line)
        off.append(float(found[1]))
        assert float(found[2]) == pytest.approx(100 * off[-1] / float(found[3]), rel=0.1)
    assert off[0] > 5 * off[1] > 0
    assert "energy.imbalance" in mechfmu(*words, "--columns", "angle").stdout
    assert "does not track its energy" in complaint("simulate", four_bar / "four_bar.fmu", "--energy")


def test_steps_that_are_refused_and_repeated_are_told_once(four_bar, mechfmu):
    few = ["--set", "solver.max_substeps=20", "--set", "solver.tolerance=1e-9", "--step", "0.5", "--stop", "1"]
    done = mechfmu("simulate", four_bar / "four_bar.fmu", "-q", *few)
    assert re.fullmatch(
        r"mechfmu: warning: \d+ steps were rejected and repeated in halves; the first one: "
        r"t = .*: more than 20 substeps in one call; .*\n",
        done.stderr,
    )


def test_broken_inputs_and_fmus(four_bar, complaint, tmp_path):
    (tmp_path / "u.csv").write_text("time,torque\n0,none\n")
    message = complaint("simulate", four_bar / "four_bar.fmu", "--input", "u.csv", code=ERRORS)
    assert message.startswith("u.csv:2: ")
    (tmp_path / "x.fmu").write_text("no archive")
    for command in ["simulate", "info"]:
        assert "x.fmu" in complaint(command, "x.fmu", code=ERRORS)
    message = complaint("simulate", four_bar / "four_bar.fmu", "-o", "nowhere/out.csv", code=FAILED)
    assert message == "cannot write 'nowhere/out.csv'"


def test_failing_run_keeps_its_rows(mechfmu, tmp_path):
    (tmp_path / "failing.xml").write_text(FAILING)
    done = mechfmu("simulate", "failing.xml", "--stop", "2", "-o", "out.csv", code=ERRORS)
    assert re.search(r"^mechfmu: the run ended at t = (0\.99|1) s: ", done.stderr, re.M)
    rows = read_csv(tmp_path / "out.csv")
    assert rows["time"][-1] in (0.99, 1.0) and len(rows["y"]) in (100, 101)
    # y¨ = √(1 − t): y = 4/15 ((1 − t)^(5/2) − 1) + 2/3 t
    t = rows["time"][50]
    assert rows["y"][50] == pytest.approx(4 / 15 * ((1 - t) ** 2.5 - 1) + 2 / 3 * t, abs=1e-5)


def test_experiment_that_fails_is_the_files_fault(mechfmu, tmp_path):
    (tmp_path / "failing.xml").write_text(FAILING.replace('stop="0.5"', 'stop="2"'))
    done = mechfmu("export", "failing.xml", code=ERRORS)
    assert done.stderr.startswith("mechfmu: Failing: the default experiment fails at t = ")


def on_a_terminal(words, environment, cwd, until=None, interrupt=False, columns=80):
    """The output of a program on its error stream if that is a terminal; ends at `until`, by Ctrl-C if wanted."""
    leader, follower = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([TOOL, *map(str, words)], cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=follower)
    os.close(follower)
    seen, deadline, sent = b"", time.time() + 60, False
    while time.time() < deadline:
        if select.select([leader], [], [], 0.1)[0]:
            try:
                part = os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
            seen += part
        if interrupt and not sent and until in seen:
            process.send_signal(signal.SIGINT)
            sent = True
    out = process.communicate(timeout=10)[0]
    os.close(leader)
    return process.returncode, out.decode(), seen.decode()


def test_progress_on_a_terminal_and_ctrl_c(four_bar, environment, tmp_path):
    words = ["simulate", four_bar / "four_bar.fmu", "--stop", "1e4", "--step", "1e-3", "-o", "out.csv"]
    code, out, seen = on_a_terminal(words, environment, tmp_path, until=b"0 %", interrupt=True)
    assert code == STOPPED
    assert re.search(r"\r\x1b\[K\[-{30}\] 0 %  t = [\d.]+ s", seen)
    assert re.search(r"\r\x1b\[Kmechfmu: stopped at t = [\d.]+ s\r\n$", seen)
    rows = read_csv(tmp_path / "out.csv")
    assert len(rows["time"]) > 100 and rows["time"][-1] == pytest.approx((len(rows["time"]) - 1) * 1e-3)
    assert out.splitlines()[0].split() == ["start", "minimum", "maximum", "end"]
    assert os.listdir(environment["TMPDIR"]) == []


def test_status_line_fits_the_terminal(four_bar, environment, tmp_path):
    words = ["export", four_bar / "four_bar.xml"]
    code, _, seen = on_a_terminal(words, {**environment, "CXX": "/bin/false"}, tmp_path, columns=24)
    assert code == FAILED
    assert seen.startswith("\r\x1b[Kmechfmu: FourBar: compi\r\x1b[Kmechfmu: the generated")  # 23 letters


def test_dumb_terminal_gets_no_status_line(four_bar, environment, tmp_path):
    words = ["simulate", four_bar / "four_bar.fmu", "--stop", "100", "--step", "1e-3"]
    assert on_a_terminal(words, {**environment, "TERM": "dumb"}, tmp_path)[2] == ""


def test_plot(four_bar, mechfmu, tmp_path):
    done = mechfmu("simulate", four_bar / "four_bar.fmu", "--plot", "out.png")
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert done.stdout.endswith("plot: out.png\n")


def test_plot_without_matplotlib_names_the_remedy(four_bar, mechfmu, tmp_path):
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nexec /usr/bin/env python3 -S -I "$@"\n')  # without packages
    python.chmod(0o755)
    words = ["simulate", four_bar / "four_bar.fmu", "--plot", "out.png", "-o", "out.csv", "--stop", "0.1"]
    done = mechfmu(*words, code=FAILED, MECHFMU_PYTHON=str(python))
    assert done.stderr == (
        "mechfmu: the plot was not drawn: matplotlib is needed and was not found: python3 -m pip install matplotlib "
        f"(Python: {python}; set MECHFMU_PYTHON to use another one)\n"
    )
    assert len(read_csv(tmp_path / "out.csv")["time"]) == 11
    done = mechfmu(*words, code=FAILED, MECHFMU_PYTHON="/nonexistent")
    assert "the plot was not drawn: cannot start /nonexistent" in done.stderr


def test_full_disk(four_bar, environment):
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = ["simulate", four_bar / "four_bar.fmu", "--stop", "0.1", "-o", "-"]
        for words in (["reference"], ["--help"], ["export", "--help"], ["--version"], run):
            done = subprocess.run([TOOL, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment)
            assert done.returncode == FAILED and "is the disk full?" in done.stderr, words


@pytest.mark.parametrize(
    "words, limit",
    [
        (["info", "four_bar.fmu"], 100_000),
        (["simulate", "four_bar.fmu"], 100_000),
        (["linearize", "four_bar.fmu", "-q"], 100_000),
        (["export", "damped.xml", "--source", "law.cpp"], 10_000),
        (["simulate", "damped.xml", "--source", "law.cpp"], 10_000),
        (["linearize", "four_bar.xml", "-o", "m.npz"], 300),
        (["linearize", "four_bar.xml", "-o", "m.json"], 300),
        (["generate", "four_bar.xml", "-o", "m.cpp"], 300),
        (["export", "four_bar.xml"], 300),
        (["new", "crane", "-o", "mine.xml"], 300),
    ],
)
def test_files_that_cannot_be_written_are_nobodys_fault(four_bar, with_function, environment, tmp_path, words, limit):
    """Simulates a full disk by a limit for the size of files."""
    for name in ["four_bar.xml", "four_bar.fmu"]:
        shutil.copy(four_bar / name, tmp_path)
    done = subprocess.run([TOOL, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
                          restore_signals=False,  # Python has SIGXFSZ ignored
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))  # fmt: skip
    assert done.returncode == FAILED and done.stderr.count("\n") == 1, done
    assert re.search("is the disk full|no space for", done.stderr), done
    assert os.listdir(environment["TMPDIR"]) == [] and not (tmp_path / "m.npz").exists()


@pytest.mark.parametrize("command", ["info", "simulate", "linearize"])
def test_place_for_temporary_files_that_is_not_there(four_bar, complaint, command):
    message = complaint(command, four_bar / "four_bar.fmu", code=FAILED, TMPDIR="/nowhere")
    assert message == "cannot make a folder in /nowhere: No such file or directory; set TMPDIR to another folder"


# --- linearize ---

# An arm that hangs (or sticks out, with out=0.5) and a motor: J φ'' = k i − m g l sin φ, L i' = v − R i − k φ'. A part and a
# table are in subfolders.
SERVO = """<mechanism name="Servo" gravity="0 -9.81 0">
  <include file="parts/arm.xml"/>
  <table name="magnet" file="parts/data/magnet.csv" x_unit="A" unit="N.m" interpolation="linear" beyond="extend"/>
  <input name="voltage" unit="V"/>
  <parameter name="R" value="2" unit="Ohm" min="0.1"/>
  <state name="current" unit="A" rate="(voltage - R*current - 0.4*A.rate)/0.05"/>
  <torque name="motor" joint="A" value="table(magnet, current)"/>
  <output name="phi" value="A.angle" unit="rad"/>
  <output name="power" value="voltage*current" unit="W"/>
  <experiment stop="0.1" step="0.01"/>
</mechanism>
"""
ARM = """<part>
  <parameter name="out" value="0" unit="m" fixed="true"/>
  <body name="arm" at="out (-sqrt(0.25m2 - out^2)) 0" mass="2" inertia="0.1 0.1 0.1"/>
  <joint name="A" type="revolute" between="ground arm"/>
</part>
"""
SERVO_A = [[0, 1, 0], [-9.81 / 0.6, 0, 0.4 / 0.6], [0, -0.4 / 0.05, -2 / 0.05]]


@pytest.fixture(scope="session")
def servo(environment, tmp_path_factory):
    """A folder with servo.fmu, bare.fmu without the mechanism file, and a file that has moved since."""
    folder = tmp_path_factory.mktemp("servo")
    (folder / "moved/parts/data").mkdir(parents=True)
    (folder / "moved/servo.xml").write_text(SERVO)
    (folder / "moved/parts/arm.xml").write_text(ARM)
    (folder / "moved/parts/data/magnet.csv").write_text("-1,-0.4\n1,0.4\n")
    for words in (["-o", "servo.fmu"], ["-o", "bare.fmu", "--fmi", "2", "--without-mechanism"]):
        subprocess.run([TOOL, "export", "moved/servo.xml", *words], cwd=folder, env=environment, check=True, capture_output=True)
    return folder


def test_linear_model_of_a_file_and_of_its_fmus(servo, mechfmu):
    said = mechfmu("linearize", servo / "moved/servo.xml", "-o", "-")
    assert said.stderr == ""
    model = json.loads(said.stdout)
    assert model["states"] == ["A.angle", "A.angle_rate", "current"] and model["inputs"] == ["voltage"]
    assert model["units"]["states"] == ["rad", "rad/s", "A"] and model["units"]["inputs"] == ["V"]
    assert model["outputs"][:2] == ["phi", "power"] and model["units"]["outputs"][:2] == ["rad", "W"]
    np.testing.assert_allclose(model["A"], SERVO_A, rtol=1e-9)
    np.testing.assert_allclose(model["B"], [[0], [0], [20]], rtol=1e-9)
    for name in ["servo.fmu", "servo.fmi3.fmu"]:
        assert mechfmu("linearize", servo / name, "-o", "-").stdout == said.stdout


def test_linear_model_for_numpy_and_as_csv(servo, mechfmu, tmp_path):
    done = mechfmu("linearize", servo / "servo.fmu", "--set", "voltage=3", "-o", "m.npz")
    assert done.stderr == "" and done.stdout.endswith("written: m.npz\n")
    model = np.load(tmp_path / "m.npz")
    assert list(model["states"]) == ["A.angle", "A.angle_rate", "current"] and list(model["state_units"]) == ["rad", "rad/s", "A"]
    np.testing.assert_allclose(np.sort_complex(model["poles"]), np.sort_complex(np.linalg.eigvals(model["A"])), rtol=1e-9)
    np.testing.assert_allclose(model["A"], SERVO_A, rtol=1e-9)
    assert model["u0"] == [3] and model["dx0"][2] == 60 and model["t"] == 0 and model["t"].shape == ()
    np.testing.assert_allclose(model["C"][1], [0, 0, 3], atol=1e-9)
    mechfmu("linearize", servo / "servo.fmu", "--set", "voltage=3", "-o", "m.csv", "-q")
    rows = list(csv.reader((tmp_path / "m.csv").open()))
    assert rows[0] == ["A", *model["states"]] and [row[0] for row in rows[1:4]] == list(model["states"])
    np.testing.assert_array_equal([[float(cell) for cell in row[1:]] for row in rows[1:4]], model["A"])
    assert rows[-2][0] == "y0" and float(rows[-1][1]) == model["y0"][0]


def test_linear_model_along_a_run_is_that_of_the_angle_there(servo, mechfmu):
    model = json.loads(mechfmu("linearize", servo / "servo.fmu", "--set", "voltage=12", "--at", "0.4", "-o", "-").stdout)
    assert model["t"] == 0.4 and abs(model["x0"][0]) > 0.1
    assert model["A"][1][0] == pytest.approx(-9.81 / 0.6 * np.cos(model["x0"][0]), rel=1e-6)
    assert model["dx0"][0] == model["x0"][1]


def test_trim_reports_changes(servo, mechfmu):
    done = mechfmu("linearize", servo / "servo.fmu", "--set", "voltage=12", "--trim")
    angle = np.arcsin(0.4 * 6 / 9.81)
    assert re.search(rf"^  A.angle +{angle:.6f}\d* rad +{angle:.6f}\d*$", done.stdout, re.M)
    assert re.search(r"^  current +6 A +6$", done.stdout, re.M) and re.search(r"^  voltage +12 V +0$", done.stdout, re.M)
    poles = np.linalg.eigvals([[0, 1, 0], [-9.81 / 0.6 * np.cos(angle), 0, 0.4 / 0.6], *SERVO_A[2:]])
    [pair] = [pole for pole in poles if pole.imag > 0]
    assert f"{pair.real:.5g} ± {pair.imag:.5g}i" in done.stdout
    # the voltage that holds the arm at this angle: k i = m g out
    done = mechfmu("linearize", servo / "servo.fmu", "--set", "out=0.3", "--trim=voltage")
    assert re.search(r"^  A.angle +\S+ rad +0$", done.stdout, re.M)
    assert re.search(rf"^  voltage +{2 * 9.81 * 0.3 * 2 / 0.4:.4g} V +{2 * 9.81 * 0.3 * 2 / 0.4:.4g}$", done.stdout, re.M)


def test_trim_finds_where_a_mechanism_comes_to_rest(mechfmu):
    """Newton's method alone goes astray here: the accelerations have no zero in its direction."""
    words = ["linearize", ROOT / "models/four_bar/four_bar.xml", "--trim", "--set", "torque=0"]
    model = json.loads(mechfmu(*words, "-o", "-").stdout)
    assert abs(model["dx0"][1]) < 1e-6 and model["A"][1][0] < 0
    # where a run ends
    done = mechfmu("simulate", words[1], "--set", "torque=0", "--stop", "60", "--step", "0.1", "-o", "-", "-q")
    rows = list(csv.reader(done.stdout.splitlines()))
    assert np.cos(float(rows[-1][1]) - model["y0"][0]) == pytest.approx(1, abs=1e-9)


def test_wheel_on_a_circle_is_a_steady_turn(mechfmu):
    """Its lean oscillates according to Euler's equations (models/rolling_wheel); the place of the circle is free: ±iΩ."""
    done = mechfmu("linearize", ROOT / "models/rolling_wheel/rolling_wheel.xml")
    assert "axes that rotate with 0 0 1.5 rad/s" in done.stdout and "0 ± 1.5i" in done.stdout
    m, r, I1, I2, lean, turn, spin = 2, 1, 0.5, 1, 0.3, 1.5, -1.71810630662463
    q, n, t = turn * np.cos(lean), spin + turn * np.sin(lean), np.tan(lean)
    J1, J2 = I1 + m * r**2, I2 + m * r**2
    squared = (2 * I1 * q * t - J2 * n) / J1 * (I2 * n - I1 * q * t) / I1 - q**2 * m * r**2 / J1
    squared -= (I1 * q**2 / np.cos(lean) ** 2 - m * 9.81 * r * np.cos(lean)) / J1
    assert f"{np.sqrt(squared):.5g} " in done.stdout, squared


def test_linear_model_of_an_immobile_mechanism(mechfmu, tmp_path):
    (tmp_path / "m.xml").write_text(
        """<mechanism name="Driven"><body name="a" mass="1" sphere="0.1" at="0.2 0 0"/>
        <joint name="A" type="revolute" between="ground a"/><driver name="d" joint="A" value="2*time"/>
        <input name="load" unit="N.m"/><torque name="t" joint="A" value="load"/>
        <output name="needed" value="d.force" unit="N.m"/></mechanism>"""
    )
    model = json.loads(mechfmu("linearize", "m.xml", "-o", "-").stdout)
    assert model["states"] == [] and model["A"] == [] and model["poles"] == []
    assert abs(model["D"][0][0]) == pytest.approx(1)


@pytest.mark.parametrize(
    "words, code, message",
    [
        (["bare.fmu"], ERRORS, "bare.fmu does not hold the mechanism file it was exported from; name that file"),
        (["servo.fmu", "--set", "R"], USAGE, "--set R: write --set name=value"),
        (["servo.fmu", "--set", "R=0"], USAGE, "'0' is out of range for 'R', which goes from 0.1"),
        (["servo.fmu", "--set", "R=much"], USAGE, "'much' is not a number for 'R'; write the number alone, in Ohm"),
        (["servo.fmu", "--set", "volage=1"], USAGE, "unknown parameter or input 'volage'; did you mean 'voltage'?"),
        (["servo.fmu", "--set", "phi=1"], USAGE, "unknown parameter or input 'phi'; choose from "),
        (["servo.fmu", "--trim=R"], USAGE, "unknown input 'R'; choose from voltage"),
        (["servo.fmu", "--trim", "--set", "voltage=60"], ERRORS, "no equilibrium was found near the start"),
        (["servo.fmu", "--at", "-1"], USAGE, "--at"),
        (["servo.fmu", "--at", "soon"], USAGE, "--at"),
        (["servo.fmu", "--at", "nan"], USAGE, "--at: 'nan' must be a number from 0"),
        (["servo.fmu", "--at", "inf"], USAGE, "--at: 'inf' must be a number from 0"),
        (["servo.fmu", "--at", "-nan"], USAGE, "--at: '-nan' must be a number from 0"),
        (["servo.fmu", "-o", "m.mat"], USAGE, "-o m.mat: the name must end in .json, .csv or .npz"),
        (["servo.fmu", "-o", "nowhere/m.json"], FAILED, "cannot write nowhere/m.json"),
        (["servo.fmu", "-o", "nowhere/m.npz"], FAILED, "nowhere/m.npz"),
        (["nothing.fmu"], USAGE, "no such file: nothing.fmu"),
    ],
)
def test_linearize_refuses_with_the_cause(servo, complaint, words, code, message):
    assert message in complaint("linearize", *words, code=code, cwd=servo)


def test_linearize_knows_no_cpp_and_no_foreign_fmu(with_function, four_bar, complaint, mechfmu, tmp_path):
    assert complaint("linearize", with_function, code=ERRORS).startswith("function 'drag' is written in C++, which linearize does not support")
    (tmp_path / "x.fmu").write_text("no archive")
    assert "x.fmu" in complaint("linearize", "x.fmu", code=ERRORS)
    (tmp_path / "broken.xml").write_text("<mechanism name='B'><body name='a'/></mechanism>")
    assert "broken.xml:1: error" in mechfmu("linearize", "broken.xml", code=ERRORS).stderr


def test_included_file_with_the_name_of_the_kept_one(complaint, tmp_path):
    (tmp_path / "m.xml").write_text('<mechanism name="M"><include file="mechanism.xml"/></mechanism>')
    (tmp_path / "mechanism.xml").write_text('<part><body name="a" mass="1" sphere="0.1" free="true"/></part>')
    assert "rename the included file" in complaint("generate", "m.xml", "-o", "m.cpp", "--copy", "kept", code=ERRORS)


# --- the other commands ---


def test_info(four_bar, mechfmu, complaint):
    for name, version in [("four_bar.fmu", "2.0"), ("four_bar.fmi3.fmu", "3.0")]:
        done = mechfmu("info", four_bar / name)
        assert done.stdout.startswith("FourBar\nfour-bar linkage with a motor and a spring\n")
        assert re.search(rf"^  FMI +{version}, co-simulation$", done.stdout, re.M)
        assert re.search(r"^  k +800 +N/m +≥ 0 +stiffness of the tie$", done.stdout, re.M)
    assert complaint("info", four_bar / "four_bar.xml").endswith(f"mechfmu check {four_bar}/four_bar.xml")


def test_new_lists_and_writes_templates(mechfmu, complaint, tmp_path):
    listed = mechfmu("new").stdout.splitlines()
    assert any(re.fullmatch(r"four_bar +four-bar .*", line) for line in listed)
    for line in listed:
        name = line.split()[0]
        done = mechfmu("new", name, "-o", f"{name}/mine.xml")
        assert done.stdout.splitlines()[0] == f"{name}/mine.xml"
        assert mechfmu("check", f"{name}/mine.xml").stdout != ""
    mechfmu("new", "four_bar")
    before = (tmp_path / "four_bar.xml").read_bytes()
    assert complaint("new", "four_bar") == "four_bar.xml exists already; name another file with -o"
    assert (tmp_path / "four_bar.xml").read_bytes() == before
    assert complaint("new", "fourbar") == "unknown template 'fourbar'; did you mean 'four_bar'? (mechfmu new lists all)"


def test_generate_and_its_dependencies(mechfmu, complaint, tmp_path):
    folder = tmp_path / "a $folder#"
    (folder / "parts").mkdir(parents=True)
    (folder / "m.xml").write_text(
        '<mechanism name="M"><include file="parts/a.xml"/><table name="t" file="t.csv"/>'
        '<output name="y" value="table(t, time/1s)"/></mechanism>'
    )
    (folder / "parts/a.xml").write_text('<part><body name="a" mass="1" sphere="0.1" free="true"/></part>')
    (folder / "t.csv").write_text("0 0\n1 1\n")
    mechfmu("generate", folder / "m.xml", "-o", "m.cpp", "--dependencies", "m.d")
    assert (tmp_path / "m.cpp").read_text() == mechfmu("generate", folder / "m.xml").stdout
    # make itself reads the rule
    (tmp_path / "Makefile").write_text("all: m.cpp\n\t@echo up to date\ninclude m.d\nm.cpp:\n\t@echo again\n")
    make = ["make", "-C", str(tmp_path), "-s"]
    assert subprocess.run(make, capture_output=True, text=True, check=True).stdout == "up to date\n"
    for path in ["m.xml", "parts/a.xml", "t.csv"]:
        later = time.time() + 100
        os.utime(folder / path, (later, later))
        assert subprocess.run(make, capture_output=True, text=True, check=True).stdout.startswith("again\n"), path
        os.utime(folder / path, (1, 1))
    assert "requires --output" in complaint("generate", folder / "m.xml", "--dependencies", "m.d")


def test_schema_accepts_models_and_refuses_broken_ones(mechfmu, four_bar, tmp_path):
    mechfmu("schema", "-o", "mechanism.rng")
    assert (tmp_path / "mechanism.rng").read_text() == mechfmu("schema").stdout
    schema = etree.RelaxNG(etree.parse(tmp_path / "mechanism.rng"))
    for path in [four_bar / "four_bar.xml", *ROOT.glob("models/*/*.xml")]:
        schema.assertValid(etree.parse(path))
    good = (four_bar / "four_bar.xml").read_text()
    for old, new in [
        ("<body ", "<bodi "), ('mass="1.2"', 'mas="1.2"'), ('type="revolute"', 'type="revolut"'), (' name="crank"', ""),
        ('between="ground crank"', 'between="ground"'), ("<mechanism ", '<mechanism colour="red" '),
    ]:  # fmt: skip
        assert old in good
        assert not schema.validate(etree.fromstring(good.replace(old, new))), new


def test_reference(mechfmu, tmp_path):
    mechfmu("reference", "-o", "page.md")
    page = (tmp_path / "page.md").read_text()
    assert page == mechfmu("reference").stdout and page.startswith("# Reference of mechanism files\n")


def complete(script, *words, cwd):
    """Bash's completions of the last word."""
    quoted = " ".join(f"'{word}'" for word in words)
    code = f'source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _mechfmu; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True, cwd=cwd)
    assert done.stderr == ""
    return set(done.stdout.split("\n")) - {""}


def test_completion_in_bash(mechfmu, tmp_path):
    script = tmp_path / "script"
    script.write_text(mechfmu("completion", "bash").stdout)
    subprocess.run(["bash", "-n", script], check=True)
    assert "bashcompinit" in mechfmu("completion", "zsh").stdout
    work = tmp_path / "work"
    (work / "folder").mkdir(parents=True)
    for name in ["a b.xml", "a.fmu", "a.csv"]:
        (work / name).write_text("")
    assert complete(script, "mechfmu", "ex", cwd=work) == {"export"}
    assert complete(script, "mechfmu", "", cwd=work) >= {"export", "check", "simulate", "--version"}
    assert complete(script, "mechfmu", "export", "", cwd=work) == {"a b.xml", "folder"}
    assert complete(script, "mechfmu", "simulate", "", cwd=work) == {"a b.xml", "a.fmu", "folder"}
    assert complete(script, "mechfmu", "linearize", "", cwd=work) == {"a b.xml", "a.fmu", "folder"}
    assert complete(script, "mechfmu", "info", "", cwd=work) == {"a.fmu", "folder"}
    assert complete(script, "mechfmu", "simulate", "x.xml", "--in", cwd=work) == {"--input", "--interval"}
    assert complete(script, "mechfmu", "simulate", "x.xml", "--input", "", cwd=work) == {"a b.xml", "a.fmu", "a.csv", "folder"}
    assert complete(script, "mechfmu", "export", "x.xml", "--fmi", "", cwd=work) == {"2", "3", "both"}
    assert complete(script, "mechfmu", "simulate", "x.xml", "--fmi", "", cwd=work) == {"2", "3"}
    assert "four_bar" in complete(script, "mechfmu", "new", "", cwd=work)
    assert complete(script, "mechfmu", "completion", "z", cwd=work) == {"zsh"}
    # every option of every command is offered
    for command in complete(script, "mechfmu", "", cwd=work) - {"--help", "--version"}:
        offered = complete(script, "mechfmu", command, "--", cwd=work)
        assert set(re.findall(r"--[a-z-]+", mechfmu(command, "--help").stdout)) <= offered


def test_help_and_version(mechfmu):
    version = re.search(r"project\(mechfmu VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert mechfmu("--version").stdout == f"mechfmu {version}\n"
    top = mechfmu("--help")
    assert top.stderr == "" and "Exit codes: 0 success" in top.stdout
    for command in re.findall(r"^  ([a-z]+) {5,}", top.stdout.partition("Subcommands:")[2], re.M):
        done = mechfmu(command, "--help")
        assert done.stdout.splitlines()[1].startswith(f"Usage: mechfmu {command}") and done.stderr == ""
    nothing = mechfmu(code=USAGE)
    assert nothing.stdout == "" and nothing.stderr == top.stdout


@pytest.mark.parametrize(
    "words, message",
    [
        (["exprot", "x"], "unknown command 'exprot'; did you mean 'export'? (see mechfmu --help)"),
        (["--verison"], "unknown option --verison; did you mean '--version'? (see mechfmu --help)"),
        (["schema", "--outptu=x"], "schema has no option --outptu; did you mean '--output'? (see mechfmu schema --help)"),
        (["schema", "x"], "schema takes no further argument, such as 'x' (see mechfmu schema --help)"),
        (["export"], "export: file is required (see mechfmu export --help)"),
        (["arm.xml"], "unknown command 'arm.xml'; the command comes first: mechfmu check arm.xml (see mechfmu --help)"),
        (["schema", "-o"], "schema: --output needs a value (see mechfmu schema --help)"),
        (["new", "four_bar", "-o"], "new: --output needs a value (see mechfmu new --help)"),
        (["simulate", "--stop", "abc"], "simulate: --stop: 'abc' is not a number that is possible here (see mechfmu simulate --help)"),
        (["completion", "fish"], "completion: shell: fish not in {bash,zsh} (see mechfmu completion --help)"),
    ],
)  # fmt: skip
def test_wrong_command_lines_are_answered_in_one_line(complaint, words, message):
    assert complaint(*words) == message


def test_kit_that_is_missing_or_broken(four_bar, complaint, tmp_path):
    message = complaint("export", four_bar / "four_bar.xml", code=FAILED, MECHFMU_KIT=str(tmp_path / "none"))
    assert message == f"cannot read {tmp_path}/none"
    (tmp_path / "empty").write_text("compiler = c++\n")
    message = complaint("export", four_bar / "four_bar.xml", code=FAILED, MECHFMU_KIT=str(tmp_path / "empty"))
    assert "is not a kit" in message
    kit = (TOOL.parent / "mechfmu.kit").read_text()
    (tmp_path / "half").write_text(kit.replace("libmechfmu_solver.a", "libmechfmu_gone.a"))
    message = complaint("export", four_bar / "four_bar.xml", code=FAILED, MECHFMU_KIT=str(tmp_path / "half"))
    assert "libmechfmu_gone.a" in message and "does not exist; rebuild mechfmu" in message
    lonely = tmp_path / "mechfmu"
    shutil.copy(TOOL, lonely)
    done = subprocess.run([lonely, "export", four_bar / "four_bar.xml"], capture_output=True, text=True, check=False)
    assert done.returncode == FAILED and done.stderr.startswith(f"mechfmu: there is no mechfmu.kit beside {lonely}")


def test_build_with_sanitizers_reports_that_its_fmus_have_them(four_bar, mechfmu, tmp_path):
    kit = (TOOL.parent / "mechfmu.kit").read_text()
    (tmp_path / "kit").write_text(kit.replace("compile = ", "compile = -fsanitize=address;"))
    done = mechfmu("export", four_bar / "four_bar.xml", code=FAILED, MECHFMU_KIT=str(tmp_path / "kit"), CXX="/bin/false")
    assert done.stderr.startswith("mechfmu: warning: this build of mechfmu uses sanitizers, and so does the FMU")

"""Sweeps: every way to run them gives FMPy's numbers; no finished run is lost; errors are reported."""

import csv
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from fmpy import simulate_fmu
from mechfmu import sweep
from mechfmu.sweep import pool as worker_pool
from mechfmu.sweep import runs as fmu_runs
from mechfmu.sweep.variation import Distribution, Grid, Variation
from plant import Fmu, Plant

ROOT = Path(__file__).resolve().parents[2]
FMUS = Path(os.environ.get("MECHFMU_FMUS", ROOT / "build" / "fmus"))
TOOL = ROOT / "build" / "mechfmu"
SWEEP = ROOT / "examples" / "sweep"

pytestmark = pytest.mark.skipif(not FMUS.is_dir(), reason=f"the FMUs are not built: no folder {FMUS}")
BOTH = pytest.mark.parametrize("suffix", [".fmu", ".fmi3.fmu"], ids=["fmi2", "fmi3"])


def study(folder: Path, model: str, text: str, suffix: str = ".fmu") -> Path:
    path = folder / "study.toml"
    path.write_text(f'fmu = "{FMUS / (model + suffix)}"\n{text}', encoding="utf-8")
    return path


def table(found) -> list[dict]:
    with open(found.folder / "table.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def bytes_of(found) -> bytes:
    return (found.folder / "table.csv").read_bytes()


# --- numbers ---

CRANK = """
stop = 0.1
step = 5e-3
tolerance = 1e-5
series = ["x3", "theta1"]
[set]
m4 = 0.6
solver.rho_inf = 0.7
[vary]
"solver.method" = ["soi2", "hht_i3"]
stiffness = { logspace = [100, 1000, 2] }
torque = [0.5, 2]
[record]
x3 = ["min", "max", "rms", 0.05]
"theta1.rate" = "end"
"solver.steps" = ["end"]
"""


@BOTH
def test_results_are_those_of_fmpy_bit_for_bit(tmp_path, suffix):
    found = sweep.run_study(study(tmp_path, "slider_crank", CRANK, suffix), workers=0)
    rows = table(found)
    assert [row["run"] for row in rows] == [str(i) for i in range(8)]
    for row in rows:
        varied = {"solver.method": int(row["solver.method"])}
        varied |= {name: float(row[name]) for name in ["stiffness", "torque"]}
        direct = simulate_fmu(
            str(FMUS / f"slider_crank{suffix}"), stop_time=0.1, output_interval=5e-3, relative_tolerance=1e-5,
            start_values={"m4": 0.6, "solver.rho_inf": 0.7, "solver.tolerance": 1e-5, **varied},
            output=["x3", "theta1", "theta1.rate", "solver.steps"],
        )  # fmt: skip
        x = direct["x3"]
        assert float(row["x3.min"]) == x.min() and float(row["x3.max"]) == x.max() and float(row["x3@0.05"]) == x[10]
        assert float(row["x3.rms"]) == np.sqrt(np.trapezoid(x * x, direct["time"]) / 0.1)
        assert float(row["theta1.rate.end"]) == direct["theta1.rate"][-1]
        assert float(row["solver.steps.end"]) == direct["solver.steps"][-1]
        series = np.loadtxt(found.folder / f"series/{int(row['run']):07d}.csv", delimiter=",", skiprows=1)
        np.testing.assert_array_equal(series, np.column_stack([direct["time"], x, direct["theta1"]]))
    assert len({row["x3.rms"] for row in rows}) == 8
    header = (found.folder / "series/0000000.csv").read_text().splitlines()[0]
    assert header == "time [s],x3 [m],theta1 [rad]"


@BOTH
def test_elements_of_start_vectors_vary(tmp_path, suffix):
    text = 'stop = 0.2\nstep = 0.1\n[vary]\n"z[1]" = [0.0]\n"z[2]" = [-1.0, 1.0]\n'
    text += '[record]\n"bob.y" = "end"\n"z[2]" = [0.0]\n'
    rows = table(sweep.run_study(study(tmp_path, "pendulum", text, suffix), workers=0))
    for row, speed in zip(rows, [-1.0, 1.0]):
        start = {"z[1]": 0.0, "z[2]": speed} if suffix == ".fmu" else {"z": [0.0, speed]}
        direct = simulate_fmu(
            str(FMUS / f"pendulum{suffix}"), stop_time=0.2, output_interval=0.1, start_values=start, output=["bob.y"]
        )
        assert float(row["bob.y.end"]) == direct["bob.y"][-1]
        assert float(row["z[2]@0"]) == speed


@BOTH
def test_warm_start_equals_a_run_that_changes_on_the_way(tmp_path, suffix):
    text = "stop = 0.1\nstep = 5e-3\nwarm_start = 0.05\n[vary]\nstiffness = [100, 3000]\ntorque = [0.5, 2]\n"
    text += "[record]\nx4 = ['end', 'rms']\n"
    rows = table(sweep.run_study(study(tmp_path, "slider_crank", text, suffix), workers=0))
    fmu = Fmu(FMUS / f"slider_crank{suffix}", tmp_path / "extracted")
    for row in rows:
        plant, x, t = Plant(fmu).start(stop=0.1), [], []
        for i in range(21):
            if i >= 10:
                x.append(plant.get("x4"))
                t.append(i * 5e-3)
            if i == 10:
                plant.set("stiffness", float(row["stiffness"]))
                plant.set("torque", float(row["torque"]))
            if i < 20:
                plant.step((i + 1) * 5e-3 - i * 5e-3, at=i * 5e-3)
        plant.free()
        assert float(row["x4.end"]) == x[-1]
        assert float(row["x4.rms"]) == np.sqrt(np.trapezoid(np.square(x), t) / (t[-1] - t[0]))
    assert len({row["x4.end"] for row in rows}) == 4


POLES = """
stop = 0.4
step = 0.02
[vary]
force = [-1.0, 1.0]
cart_mass = { normal = [1, 0.1] }
pole_length = { lognormal = [1, 0.2] }
angle_start = { uniform = [-10, 10] }
[monte_carlo]
count = 30
seed = 7
[record]
angle = ["end", "max"]
"""


@pytest.fixture(scope="module")
def cluster():
    """One worker, as another program would have started it."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1, dashboard_address="127.0.0.1:0", silence_logs=50, scheduler_kwargs={"allowed_failures": 0}
    ) as c:
        yield c


def test_one_and_two_workers_write_the_same_table_as_none(tmp_path, cluster):
    path = study(tmp_path, "cart_pole", POLES)
    here = sweep.run_study(path, workers=0, results=tmp_path / "here")
    assert len(table(here)) == 60
    one = sweep.run_study(path, cluster=cluster.scheduler_address, results=tmp_path / "one")
    cluster.scale(2)
    cluster.wait_for_workers(2)
    words = [path, "--cluster", cluster.scheduler_address, "--results", tmp_path / "two", "--chunk", "7", "--quiet"]
    assert sweep.main([str(word) for word in words]) == 0
    assert bytes_of(one) == bytes_of(here) == (tmp_path / "two/table.csv").read_bytes()


def test_draws_depend_on_seed_number_and_name_only():
    normal, uniform = Distribution("normal", 2, 0.5), Distribution("uniform", -1, 3)
    few, many = Variation({"a": normal}, 10, 5), Variation({"b": uniform, "a": normal, "g": Grid((1, 2))}, 4000, 5)
    assert [few.values(i)["a"] for i in range(10)] == [many.values(i)["a"] for i in range(10)]
    assert (
        many.values(3)["a"] == many.values(4003)["a"] and many.values(4003)["g"] == 2
    )  # all points get the same draws
    assert few.values(0) != Variation({"a": normal}, 10, 6).values(0)
    a, b = np.array([[many.values(i)[name] for i in range(4000)] for name in "ab"])
    assert abs(a.mean() - 2) < 0.03 and abs(a.std() - 0.5) < 0.02
    assert abs(b.mean() - 1) < 0.08 and b.min() >= -1 and b.max() < 3
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.05
    logs = [np.log(Distribution("lognormal", 3, 0.2).draw("x", 0, i)) for i in range(2000)]
    assert abs(np.mean(logs) - np.log(3)) < 0.02 and abs(np.std(logs) - 0.2) < 0.01


# --- failures ---


@BOTH
def test_runs_that_fail_are_recorded_with_the_message_of_the_fmu(tmp_path, suffix, capsys):
    text = "stop = 0.05\nstep = 5e-3\n[vary]\nl2 = [0.1, 0.6, -1.0, 0.7]\n[record]\nx3 = 'end'\n"
    path = study(tmp_path, "slider_crank", text, suffix)
    assert sweep.main([str(path), "--workers", "0"]) == 1
    said = capsys.readouterr().out
    assert "4 runs, 2 failed" in said and "run 0 failed: initialization: the mechanism cannot be assembled" in said
    rows = table(sweep.run_study(path, workers=0))  # no run remains; the table is the same
    assert [row["status"] for row in rows] == ["failed", "ok", "failed", "ok"]
    assert "cannot be assembled" in rows[0]["message"] and rows[0]["x3.end"] == ""
    assert "'l2' = -1 is out of range" in rows[2]["message"] and "assembled" not in rows[2]["message"]
    for row in rows[1::2]:
        direct = simulate_fmu(
            str(FMUS / f"slider_crank{suffix}"), stop_time=0.05, output_interval=5e-3, output=["x3"],
            start_values={"l2": float(row["l2"])},
        )  # fmt: skip
        assert float(row["x3.end"]) == direct["x3"][-1] and row["message"] == ""


@BOTH
def test_run_that_fails_on_its_way_has_the_message_of_the_step(tmp_path, suffix):
    text = "stop = 0.2\nstep = 0.1\n[vary]\nsolver.max_substeps = [2, 1000, 3]\n[record]\nx3 = 'end'\n"
    rows = table(sweep.run_study(study(tmp_path, "slider_crank", text, suffix), workers=0))
    assert [row["status"] for row in rows] == ["failed", "ok", "failed"]
    for row in rows[::2]:
        assert f"more than {row['solver.max_substeps']} substeps in one call" in row["message"]


def chunk_with_a_crash(key, experiment, warm, runs):
    if any(run == 2 for run, _ in runs):
        os._exit(1)
    return fmu_runs.run_chunk(key, experiment, warm, runs)


def test_run_that_ends_its_process_is_recorded_and_the_others_are_run(tmp_path, monkeypatch, cluster):
    class Stub:
        run_chunk = staticmethod(chunk_with_a_crash)
        provide, withdraw = fmu_runs.provide, fmu_runs.withdraw

    monkeypatch.setattr(worker_pool, "fmu_runs", Stub)
    text = "stop = 0.05\nstep = 5e-3\n[vary]\ntorque = [1, 2, 3, 4]\n[record]\nx3 = 'end'\n"
    rows = table(sweep.run_study(study(tmp_path, "slider_crank", text), cluster=cluster.scheduler_address, chunk=3))
    assert [row["status"] for row in rows] == ["ok", "ok", "failed", "ok"]
    assert rows[2]["message"] == "the process that ran this ended"


# --- continuing ---

LONG = "stop = 0.5\nstep = 5e-3\n[vary]\ntorque = { linspace = [0, 2, 150] }\n[record]\nx3 = 'end'\n"


def test_killed_sweep_continues_and_ends_with_the_same_table(tmp_path):
    path = study(tmp_path, "slider_crank", LONG)
    words = [sys.executable, "-m", "mechfmu.sweep", path, "--workers", "2", "--chunk", "4"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    chunks = tmp_path / "study.results" / "chunks"
    deadline = time.monotonic() + 30
    while not (chunks.is_dir() and len(list(chunks.glob("*.json"))) >= 3):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    family = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGKILL)
    process.wait()
    finished = {file: file.stat().st_mtime_ns for file in chunks.glob("*.json")}
    assert 3 <= len(finished) < 38 and not (tmp_path / "study.results/table.csv").exists()
    (chunks / "0000000.json.new").write_text("half a fi")  # the remains of a crash while writing
    again = sweep.run_study(path, workers=0, chunk=50)
    assert {file: file.stat().st_mtime_ns for file in finished} == finished
    assert bytes_of(again) == bytes_of(sweep.run_study(path, workers=0, results=tmp_path / "whole"))
    assert not psutil.wait_procs(family, timeout=10)[1], "workers live on"


def test_another_study_is_refused_and_fresh_begins_anew(tmp_path, capsys):
    text = "stop = 0.05\nstep = 5e-3\n[vary]\ntorque = [1, 2]\n[record]\nx3 = 'end'\n"
    words = [str(study(tmp_path, "slider_crank", text)), "--workers", "0", "--quiet"]
    assert sweep.main(words) == 0
    study(tmp_path, "slider_crank", "# a comment changes nothing\n" + text)
    assert sweep.main(words) == 0
    study(tmp_path, "slider_crank", text.replace("[1, 2]", "[1, 3]").replace("0.05", "0.1"))
    capsys.readouterr()
    assert sweep.main(words) == 2
    said = capsys.readouterr().err
    assert "holds results of another study: stop, vary changed" in said and "--fresh" in said and said.count("\n") == 1
    assert sweep.main([*words, "--fresh"]) == 0
    with open(tmp_path / "study.results/table.csv") as table:
        assert [row["torque"] for row in csv.DictReader(table)] == ["1.0", "3.0"]
    study(tmp_path, "slider_crank", text.replace("[1, 2]", "[1, 3]").replace("0.05", "0.1"), ".fmi3.fmu")
    assert sweep.main(words) == 2 and "study: fmu changed" in capsys.readouterr().err


def test_folders_of_others_are_left_alone(tmp_path, capsys):
    path = study(tmp_path, "slider_crank", "stop = 0.05\nstep = 5e-3\n[vary]\ntorque = [1, 2]\n[record]\nx3 = 'end'\n")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("years of work")
    assert sweep.main([str(path), "--results", str(tmp_path / "mine"), "--fresh"]) == 2
    assert "holds other files" in capsys.readouterr().err
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    busy, _ = sweep.open_results(path)
    assert sweep.main([str(path), "--fresh"]) == 2
    assert "another sweep is writing" in capsys.readouterr().err
    busy.close()


# --- bad studies ---

GOOD = "stop = 0.1\nstep = 0.01\n[vary]\ntorque = [1, 2]\n[record]\nx3 = ['end']\n"


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ("torque", "torqe", 'vary.torqe: the FMU has no variable "torqe"; did you mean "torque"?'),
        ("x3 =", "xx3 =", 'record.xx3: the FMU has no variable "xx3"; did you mean "x3"?'),
        ("x3 =", "x3.foo.bar =", 'record.x3.foo.bar: the FMU has no variable "x3.foo.bar"'),
        ("'end'", "'ende'", "record.x3: 'ende' cannot be recorded; did you mean \"end\"?"),
        ("'end'", "'what'", "record.x3: 'what' cannot be recorded; choose from end, min, max, rms, times"),
        ("'end'", "0.025", "record.x3: 0.025 is not a multiple of the step, 0.01"),
        ("'end'", "0.2", "record.x3: the time 0.2 is not between 0 and 0.1"),
        ("step = 0.01", "step = -0.01", "step: is -0.01, but must be a number above 0"),
        ("step = 0.01", "step = 0.03", "stop: 0.1 is not a multiple of the step, 0.03"),
        ("stop = 0.1", "stop = 'soon'", "stop: is 'soon', but must be a number above 0"),
        ("stop = 0.1", "stop = 0.1\nwarm_start = 0.1", "warm_start: is 0.1, but must be before stop, 0.1"),
        ("stop = 0.1", "stopp = 0.1\nstop = 0.1", 'stopp: no such key; did you mean "stop"?'),
        ("torque = [1, 2]", "torque = []", "vary.torque: the list is empty"),
        ("torque = [1, 2]", "torque = 3", "vary.torque: a list of values, or {"),
        ("torque = [1, 2]", "torque = ['a']", "vary.torque: 'a' does not fit: expected a number"),
        ("torque = [1, 2]", "torque = { normal = [1] }", "vary.torque: normal takes [mean, standard deviation]"),
        ("torque = [1, 2]", "torque = { normal = [1, -1] }", "vary.torque: normal: the deviation is -1"),
        ("torque = [1, 2]", "torque = { logspace = [0, 1, 3] }", "vary.torque: logspace: both ends"),
        ("torque = [1, 2]", "torque = { uniform = [0, 1] }", "monte_carlo.count: is missing: the number of samples of torque"),
        ("torque = [1, 2]", "x3 = [1]", "vary.x3: cannot be set: it is not a parameter, an input or a start value (output)"),
        ("torque = [1, 2]", "solver.method = ['soi3']", 'vary.solver.method: unknown value "soi3"; did you mean "soi2"?'),
        ("torque = [1, 2]", "solver.rescale = [1]", "vary.solver.rescale: 1 does not fit: expected true or false"),
        ("torque = [1, 2]", "", "vary: nothing to vary"),
        ("[vary]", "[set]\ntorque = 1\n[vary]", "vary.torque: is also in [set]"),
        ("[vary]", "[monte_carlo]\ncount = 3\n[vary]", "monte_carlo: nothing is drawn"),
        ("[vary]", "[monte_carlo]\ncount = 0\n[vary]", "monte_carlo.count: is 0"),
        ("[record]\nx3 = ['end']", "", "record: nothing is recorded"),
        ("[vary]", "[set]\ny = 1\n[vary]", 'set.y: the FMU has no variable "y"; it is an array'),
        ("[vary]", "[vary", "not a TOML file"),
    ],
)  # fmt: skip
def test_bad_study_is_one_line_with_file_and_key(tmp_path, capsys, old, new, complaint):
    assert old in GOOD
    path = study(tmp_path, "slider_crank", GOOD.replace(old, new))
    assert sweep.main([str(path), "--workers", "0"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and said[0].startswith(f"{path}: {complaint}"), said
    assert not (tmp_path / "study.results").exists()


def test_fixed_parameter_cannot_vary_after_a_warm_start(tmp_path, capsys):
    text = GOOD.replace("stop = 0.1", "stop = 0.1\nwarm_start = 0.05").replace("torque", "solver.rho_inf")
    assert sweep.main([str(study(tmp_path, "slider_crank", text)), "--workers", "0"]) == 2
    assert "vary.solver.rho_inf: cannot be varied with warm_start" in capsys.readouterr().err


def test_all_errors_are_reported_together(tmp_path, capsys):
    path = tmp_path / "study.toml"
    path.write_text("fmu = 'none.fmu'\nstep = 0\nstop = -1\n[vary]\na = { uniform = [2, 1] }\n[record]\nb = 'mean'\n")
    assert sweep.main([str(path)]) == 2
    keys = [re.match(rf"{re.escape(str(path))}: ([\w.]+): ", line)[1] for line in capsys.readouterr().err.splitlines()]
    assert keys == ["fmu", "step", "stop", "vary.a", "record.b"]


def test_wrong_files_and_addresses_are_reported(tmp_path, capsys, monkeypatch):
    path = study(tmp_path, "slider_crank", GOOD)
    monkeypatch.setattr(worker_pool, "CONNECT_SECONDS", 0.2)
    assert sweep.main([str(path), "--cluster", "tcp://127.0.0.1:9"]) == 3
    assert "sweep: no Dask cluster with workers at tcp://127.0.0.1:9" in capsys.readouterr().err
    (tmp_path / "broken.fmu").write_text("no zip")
    path.write_text("fmu = 'broken.fmu'\n" + GOOD)
    assert sweep.main([str(path)]) == 2
    assert "fmu: cannot be read as an FMU" in capsys.readouterr().err
    assert sweep.main([str(tmp_path / "no.toml")]) == 2
    assert "cannot be read: No such file" in capsys.readouterr().err


# --- mechanism files ---


@pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")
def test_mechanism_file_is_exported_first(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(f'fmu = "{ROOT / "models/slider_crank/slider_crank.xml"}"\nfmi = 3\n' + GOOD)
    [value] = {row[-3] for row in sweep.run_study(path, workers=0).rows() if row[1] == 1.0}
    same = sweep.run_study(study(tmp_path, "slider_crank_file", GOOD, ".fmi3.fmu"), workers=0, results=tmp_path / "same")
    assert value == pytest.approx(next(same.rows())[-3], rel=1e-9)


@pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built")
def test_errors_of_a_mechanism_file_are_those_of_the_tool(tmp_path, capsys):
    (tmp_path / "m.xml").write_text('<mechanism name="M">\n  <body name="b" mass="one"/>\n</mechanism>\n')
    path = tmp_path / "study.toml"
    path.write_text('fmu = "m.xml"\n' + GOOD)
    assert sweep.main([str(path)]) == 2
    said = capsys.readouterr().err
    assert f"{path}: fmu: " in said and "m.xml:2: error: " in said


# --- the examples ---


def test_studies_of_the_page_are_right(tmp_path):
    page = (SWEEP / "README.md").read_text(encoding="utf-8")
    grid, draws = re.findall(r"^```toml\n(.*?)^```$", page, re.M | re.S)
    begin, _, end = grid.partition("[vary]")
    record = end[end.index("[record]") :]
    for text, runs in [(grid, 9 * 5 * 3), (begin + draws + record, 1000)]:
        path = tmp_path / f"study_{runs}.toml"
        path.write_text(text.replace("four_bar.fmu", str(FMUS / "four_bar.fmu")), encoding="utf-8")
        found, _ = sweep.open_results(path)
        assert len(found.missing) == runs
        found.close()


def test_slider_crank_of_the_page_prints_the_output_shown(tmp_path, capsys):
    """Compares with the build's FMU of the same mechanism file. Compilers may differ in the last bits."""
    page = (SWEEP / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"mechfmu\.sweep examples/sweep/slider_crank\.toml\n(.*?)```", page, re.S)[1].splitlines()
    text = (SWEEP / "slider_crank.toml").read_text(encoding="utf-8").partition("stop")
    assert sweep.main([str(study(tmp_path, "slider_crank_file", text[1] + text[2])), "--workers", "0"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("104 runs, 0 failed, ") and len(said) == len(shown)
    for line, expected in list(zip(said, shown))[2:-1]:
        name, *numbers, unit = line.split()
        wanted = expected.split()
        assert [name, unit] == [wanted[0], wanted[-1]]
        assert [float(x) for x in numbers] == pytest.approx([float(x) for x in wanted[1:-1]], rel=5e-2)


def test_map_of_the_cart_pole_is_drawn_and_agrees_with_theory(tmp_path):
    text = (SWEEP / "cart_pole.toml").read_text(encoding="utf-8")
    text = text.replace("../../build/fmus/", f"{FMUS}/").replace("count = 2000", "count = 50")
    path = tmp_path / "cart_pole.toml"
    path.write_text(text, encoding="utf-8")
    sweep.run_study(path, workers=0)
    picture = tmp_path / "map.png"
    words = [sys.executable, SWEEP / "cart_pole_map.py", tmp_path / "cart_pole.results", picture]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert said == "50 of 50 poles fall to the side that theory says\n"
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_parquet_is_written_where_pyarrow_is(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    found = sweep.run_study(study(tmp_path, "slider_crank", GOOD), workers=0)
    columns = parquet.read_table(found.folder / "table.parquet").to_pydict()
    assert list(columns) == found.header and columns["torque"] == [1.0, 2.0]

"""Closed loops of examples/: every master runs them, and the coupling has the order it should have."""

import subprocess
import sys
import zipfile

import numpy as np
import pytest
from conftest import EXAMPLES, load, names
from mechfmu.couple import report
from mechfmu.couple.controller import make_law
from mechfmu.couple.master import Master
from mechfmu.couple.modules import load_module

EXPLICIT = [name for name in names() if not load(name).LOOP.has_algebraic_loop]
COUPLED = [name for name in names() if load(name).LOOP.whole]
# Communication steps at which a loop shows its orders, half of them first.
STEPS = {"slider_crank": 3200, "virtual_mass": 200}


@pytest.fixture(params=EXPLICIT, scope="module")
def loop(request):
    return load(request.param).LOOP


@pytest.fixture(scope="module")
def results(loop):
    """By master and version, over the first fifth of the loop's run."""
    short = loop.variant(stop=loop.step * round(0.2 * loop.stop / loop.step))
    return {
        (master, version): report.run_in(master, short, version)
        for master, versions in report.MASTERS.items()
        for version in versions
    }


def test_masters_that_hold_inputs_agree(results):
    """FMPy calls both versions in the same way and gets the same bits. Masters round times differently, and Ecos sets the
    first inputs after initialization, as a jump: its first steps differ, and its results agree within the plant's error
    (6e-4 in the lateral forces of the vehicle, whose wheels do not shorten its steps)."""
    first = results["fmpy_loop", 2]
    np.testing.assert_array_equal(results["fmpy_loop", 3].values, first.values)
    for master, version in [("libcosim", 2), ("own", 2), ("own", 3), ("ecos", 2), ("ecos", 3)]:
        assert report.difference_of(results[master, version], first) < 5e-4, (master, version)


def test_inputs_that_differ_by_roundoff_matter_less_than_the_error_of_the_plant(loop):
    # A third of the run: the platform does not travel before, and its travel is the unit of the error.
    short = loop.variant(stop=loop.step * round(loop.stop / (3 * loop.step)))
    ((difference, error),) = report.roundoff(short, (1e-8,), runs=1).values()
    assert difference < 0.5 * error


def test_simulation_of_the_package_by_fmpy_follows(results, loop):
    """The run begins with all inputs zero; after that it is the same loop."""
    first, other = results["fmpy_loop", 2], results["fmpy_ssp", 2]
    assert len(other.t) == len(first.t) - 1 and np.allclose(other.t, first.t[1:])
    assert np.isfinite(other.values).all()


def test_package_contains_the_files_it_names(loop):
    for version in (2, 3):
        with zipfile.ZipFile(loop.package(version)) as package:
            names = package.namelist()
            structure = package.read("SystemStructure.ssd").decode()
        assert "SystemStructure.ssd" in names
        sources = [line.split('source="')[1].split('"')[0] for line in structure.splitlines() if 'source="' in line]
        assert len(sources) == len(loop.mechanisms) + len(loop.controllers) and set(sources) <= set(names)


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("version", [2, 3])
def test_coupling_has_its_order_in_the_communication_step(name, version):
    loop = load(name).LOOP
    loop = loop.variant(stop=loop.stop / 2)
    times = [loop.stop * i / 10 for i in range(11)]
    reference = loop.reference(times)
    expected = {"implicit": 2} if loop.has_algebraic_loop else {"hold": 1, "slope": 2}
    for coupling, order in expected.items():
        coarse, fine = [
            report.error_or_unstable(loop, version, n, report.COUPLINGS[coupling], times, reference)
            for n in (STEPS[name] // 4, STEPS[name] // 2)
        ]
        assert np.log2(coarse / fine) == pytest.approx(order, abs=0.2), (coupling, coarse, fine)
    if loop.has_algebraic_loop:
        assert report.error_or_unstable(loop, version, STEPS[name], {}, times, reference) == np.inf


def test_sampled_controller_is_second_order_in_the_substep():
    """Against the equations of motion, solved in closed form with a classical method."""
    module = load("cart_pole")
    rows = module.orders_in_substep(module.LOOP, 0.5)
    for name, errors in rows.items():
        assert np.log2(errors[-2] / errors[-1]) == pytest.approx(2 if name.endswith("on") else 1, abs=0.1), name
    assert rows["FMI 2.0 jump_shift off"][-1] > 100 * rows["FMI 2.0 jump_shift on"][-1]


def test_gains_are_those_of_the_design():
    """The linear-quadratic regulator of mechfmu linearize's model, to the digits in the file; stable with its delay."""
    file = EXAMPLES / "cart_pole" / "design.py"
    made, poles = load_module(file).gains()
    parameters = make_law(file.with_name("controller.py")).parameters
    assert {name: parameters[name][0] for name in made} == pytest.approx(made, abs=0.006)
    assert max(poles.real) < -1


@pytest.mark.parametrize("version", [2, 3])
def test_nothing_is_made_anew_at_communication_points_unless_inputs_jump(version):
    """Slopes are continuous: no restart in a thousand steps; held inputs jump, which costs no derivatives."""
    loop = load("slider_crank").LOOP
    work = {}
    for name in ["hold", "slope"]:
        with Master(loop.system(version), unit_tolerance=1e-6, **report.COUPLINGS[name]) as master:
            for _ in range(1000):
                master.step(loop.stop)
            work[name] = master.units["plant"].statistics()
    assert work["slope"]["restarts"] == 0
    assert work["hold"]["restarts"] < 500  # small jumps need none
    assert work["hold"]["factorizations"] < work["slope"]["factorizations"] + 500
    assert work["hold"]["jacobians"] < work["slope"]["jacobians"] + 100


@pytest.mark.parametrize("version", [2, 3])
def test_master_chooses_steps_by_a_tolerance(version):
    """The difference between assumed and actual inputs at the end of a step determines its length."""
    loop = load("slider_crank").LOOP
    loop = loop.variant(stop=1.0)
    reference = loop.reference([0.0, 1.0])[-1]
    steps, errors = [], []
    for tolerance in (1e-2, 1e-3):
        system = loop.system(version, step=1e-2)
        with Master(system, list(loop.compared), inputs="slope", tolerance=tolerance, unit_tolerance=1e-10) as master:
            result = master.run()
            assert result.t[-1] == 1.0 and master.work.rejected > 0
            lengths = np.diff(result.t)
            assert lengths.max() > 2 * lengths[:-1].min()  # short steps where the torque changes fast
            steps.append(master.work.steps)
        errors.append(np.max(np.abs(result.values[-1] - reference) / np.abs(reference)))
    assert steps[1] == pytest.approx(np.sqrt(10) * steps[0], rel=0.5)
    assert errors[1] < 0.3 * errors[0] and errors[1] < 1e-2


def test_command_lists_loops_and_reports():
    run = [sys.executable, "-m", "mechfmu.couple"]
    listed = subprocess.run([*run, EXAMPLES], capture_output=True, text=True, check=True).stdout
    assert all(name in listed for name in names())
    wrong = subprocess.run([*run, EXAMPLES / "cart_pol"], capture_output=True, text=True, check=False)
    assert wrong.returncode != 0 and "cart_pol'; choose from cart_pole, crane" in wrong.stderr
    wrong = subprocess.run([*run, EXAMPLES / "cart_pole", "--only", "nothing"], capture_output=True, text=True, check=False)
    assert wrong.returncode != 0 and "it has masters" in wrong.stderr

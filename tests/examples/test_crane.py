"""The crane with its oil as a separate FMU: a master exchanges force and speed, through a stiff spring of oil."""

import csv

import numpy as np
import pytest
from conftest import ROOT, load
from mechfmu.couple import report
from mechfmu.couple.masters import libcosim_ecco
from mechfmu.couple.system import Port

LOOP = load("crane").LOOP


def error(version: int, stop: float, steps: int, coupling: str) -> float:
    loop = LOOP.variant(stop=stop)
    times = [stop * i / 10 for i in range(11)]
    return report.error_or_unstable(loop, version, steps, report.COUPLINGS[coupling], times, loop.reference(times))


def test_masters_agree():
    short = LOOP.variant(stop=0.5)
    first = report.run_in("fmpy_loop", short, 2)
    for master, version in [("fmpy_loop", 3), ("libcosim", 2), ("ecos", 2), ("ecos", 3)]:
        assert report.difference_of(report.run_in(master, short, version), first) < 1e-6, (master, version)


def test_parts_together_are_the_model_of_the_crane():
    """Without the controller, with valves opened at once, against the results of the model that is not split."""
    split = LOOP.variant(
        controllers={},
        connections={end: begin for end, begin in LOOP.connections.items() if "controller" not in end + begin},
        values={"cylinder.valve": 0.3, "plant.jib_valve": 0.1},
        compared={
            "plant.stroke": "lift.stroke",
            "plant.rate": "lift.speed",
            "plant.boom.angle": "boom.angle",
            "plant.jib.angle": "jib.angle",
            "plant.load.x": "load.x",
            "cylinder.force": "lift.force",
            "cylinder.pressure_B": "lift.pressure_B",
        },
        stop=0.5,
    )
    with (ROOT / "models" / "crane" / "reference.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if float(row["time"]) <= split.stop]
    reference = np.array([[float(row[name]) for name in split.compared.values()] for row in rows])
    result = report.coupled(split, 2, 0.0025, report.COUPLINGS["implicit"])
    assert report.error_of(result, [float(row["time"]) for row in rows], reference) < 1e-3


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(("coupling", "order"), [("hold", 1), ("slope", 2)])
def test_coupling_has_its_order_in_the_communication_step(version, coupling, order):
    coarse, fine = [error(version, 0.5, steps, coupling) for steps in (100, 200)]
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.15), (coarse, fine)


def test_iteration_bears_steps_at_which_explicit_coupling_is_unstable():
    assert error(2, 1.0, 80, "hold") > 1 and error(2, 1.0, 80, "slope") > 1
    assert error(2, 1.0, 40, "implicit") < 1e-3


def test_oil_delivers_the_energy_that_the_crane_receives():
    """With inputs on slopes; held inputs create energy, in proportion to the step."""
    loop = LOOP.variant(stop=2.0)
    true = loop.reference([0.0, loop.stop])[-1, -1]

    def work(coupling, H):
        result = report.coupled(loop, 2, H, report.COUPLINGS[coupling], 1e-8)
        return result["cylinder.work"][-1], result["plant.work"][-1]

    assert work("slope", 0.005) == pytest.approx((true, true), rel=1e-5)
    coarse, fine = [np.diff(work("hold", H))[0] for H in (0.005, 0.0025)]
    assert coarse > 1e-4 * true and coarse / fine == pytest.approx(2, rel=0.1)


def test_steps_chosen_by_energy_follow_the_whole():
    loop = LOOP.variant(stop=2.0)
    result = libcosim_ecco.run(loop.system(2), list(loop.compared), tolerance=0.1, longest=0.005)
    lengths = np.diff(result.t)
    assert lengths.max() > 1.5 * lengths.min() and lengths.max() < 0.00501
    assert report.error_of(result, result.t, loop.reference([0.0, *result.t])[1:]) < 5e-3


def test_power_bond_is_found_by_units():
    ports = ("cylinder.force", "cylinder.rate", "plant.rate", "plant.force")
    assert libcosim_ecco.power_bonds(LOOP.system(2)) == [tuple(map(Port.of, ports))]
    with pytest.raises(ValueError, match="no two units exchange a force and a speed"):
        libcosim_ecco.power_bonds(load("cart_pole").LOOP.system(2))

from itertools import pairwise
from pathlib import Path

from mechfmu.couple import report
from mechfmu.couple.loop import Loop, Panel
from mechfmu.couple.masters import libcosim, libcosim_ecco

HOME = Path(__file__).resolve().parent

LOOP = Loop(
    home=HOME,
    name="crane",
    about="A crane lifts a load on a rope; the oil of its lifting cylinder is its own FMU",
    mechanisms={"plant": "mechanics.xml", "cylinder": "cylinder.xml"},
    controllers={"controller": "controller.py"},
    connections={
        "plant.force": "cylinder.force",
        "cylinder.stroke": "plant.stroke",
        "cylinder.rate": "plant.rate",
        "cylinder.valve": "controller.valve",
        "controller.stroke": "plant.stroke",
        "controller.swing": "plant.swing",
        "controller.force": "cylinder.force",
    },
    made="../../build/examples/crane",
    stop=10.0,
    step=0.002,
    panels=[
        Panel("stroke in m", {"plant.stroke": "cylinder", "controller.wanted": "wanted"}),
        Panel("boom in deg", {"plant.boom.angle": "angle"}),
        Panel("load in m", {"plant.load.x": "x", "plant.load.y": "y"}),
        Panel("swing in deg", {"plant.swing": "swing"}, 57.29577951308232),
        Panel("valve", {"controller.valve": "valve"}),
        Panel("pressure in bar", {"cylinder.pressure_A": "A, pushes", "cylinder.pressure_B": "B, pulls"}),
    ],
    whole="whole.xml",
    compared={
        "plant.stroke": "stroke",
        "plant.rate": "rate",
        "plant.swing": "swing",
        "cylinder.force": "force",
        "controller.valve": "valve",
        "plant.work": "work",
        "cylinder.work": "work",
    },
)


def limits(loop: Loop) -> dict[str, float]:
    """The longest step of each coupling: of those tried, the last one before the error is above 10
    %."""
    loop = loop.variant(stop=2.0)
    times = [loop.stop * i / 20 for i in range(21)]
    reference = loop.reference(times)
    print("\nStability: steps H tried from 5 ms on until the error is above 10 %")
    longest = {}
    for name, choices in report.COUPLINGS.items():
        for steps in (400, 340, 280, 240, 200, 160, 140, 120, 100, 80, 60, 40, 20):
            H = loop.stop / steps
            error = report.error_or_unstable(loop, 2, steps, choices, times, reference)
            if not error <= 0.1:
                break
            longest[name] = H
        ended = f"where the error is {error:.1e}" if error <= 0.1 else f"not {1000 * H:.3g} ms"
        print(f"  {name:<32} up to {1000 * longest[name]:5.3g} ms, {ended}")
    return longest


def energy(loop: Loop) -> dict[str, tuple[float, float]]:
    """The energy that the oil reports as delivered, and that the crane reports as received."""
    H = 0.005
    (_, true) = loop.reference([0.0, loop.stop])[:, -1]
    print(f"\nWork of the oil on the crane in J, H = {1000 * H:g} ms; in one FMU {true:.3f}")
    print(" " * 34 + f"{'delivered':>12}{'received':>12}{'made':>12}")
    found = {}
    for name, choices in report.COUPLINGS.items():
        result = report.coupled(loop, 2, H, choices)
        delivered, received = result["cylinder.work"][-1], result["plant.work"][-1]
        found[name] = delivered, received
        print(f"  {name:<32}{delivered:12.3f}{received:12.3f}{received - delivered:12.4f}")
    return found


def ecco(loop: Loop, tolerances=(0.1, 0.03, 0.01), longest: float = 0.005) -> list[tuple[int, float, float]]:
    """Steps chosen by the energy lost in them, up to the limit of held inputs; and the same number
    of equal steps."""
    print("\nlibcosim with ECCO, and with as many steps of one length: largest error, work made by the coupling")
    print(f"{'J a step':>10}{'steps':>8}{'H in ms':>22}{'ECCO':>10}{'fixed':>10}{'ECCO':>12}{'fixed':>12}")
    found = []
    for tolerance in tolerances:
        chosen = libcosim_ecco.run(loop.system(2), list(loop.compared), tolerance, longest)
        steps = len(chosen.t)
        even = libcosim.run(loop.system(2, step=loop.stop / steps), list(loop.compared))
        errors = [report.error_of(result, result.t, loop.reference([0.0, *result.t])[1:]) for result in (chosen, even)]
        made = [result["plant.work"][-1] - result["cylinder.work"][-1] for result in (chosen, even)]
        lengths = [1000 * (after - t) for t, after in pairwise(chosen.t)]
        spread = f"{min(lengths):.2g} … {max(lengths):.2g}"
        print(
            f"{tolerance:10g}{steps:8}{spread:>22}"
            + "".join(f"{e:10.1e}" for e in errors)
            + "".join(f"{w:10.3f} J" for w in made)
        )
        found.append((steps, *errors))
    return found


parts = {
    "orders": lambda loop: report.orders_in_step(loop.variant(stop=1.0), [200, 400, 800, 1600]),
    "limits": limits,
    "energy": energy,
    "ecco": ecco,
}

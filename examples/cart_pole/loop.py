from pathlib import Path

import numpy as np
from mechfmu.couple import report
from mechfmu.couple.controller import make_law
from mechfmu.couple.loop import Loop, Panel
from mechfmu.couple.modules import load_module

HOME = Path(__file__).resolve().parent

LOOP = Loop(
    home=HOME,
    name="cart_pole",
    about="A pole is balanced on a cart by state feedback, sampled at 100 Hz",
    mechanisms={"plant": "../../models/cart_pole/cart_pole.xml"},
    controllers={"controller": "controller.py"},
    connections={
        "controller.position": "plant.position",
        "controller.speed": "plant.speed",
        "controller.angle": "plant.angle",
        "controller.rate": "plant.angle.rate",
        "plant.force": "controller.force",
    },
    values={"plant.angle_start": 10.0, "plant.rail_friction": 0.1},
    made="../../build/examples/cart_pole",
    stop=5.0,
    step=0.01,
    panels=[
        Panel("cart in m", {"plant.position": "position"}),
        Panel("pole in deg", {"plant.angle": "angle"}, 57.29577951308232),
        Panel("force in N", {"controller.force": "force"}),
    ],
    compared={name: name for name in ["plant.position", "plant.speed", "plant.angle", "plant.angle.rate"]},
)
SUBSTEPS = [1, 2, 4, 8, 16]


def exact(loop: Loop, stop: float) -> np.ndarray:
    """The solution of the equations of motion with the sampled controller."""
    controller = make_law(HOME / "controller.py")
    closed_loop = load_module(HOME / "equations.py").closed_loop

    def law(s):
        controller.position, controller.speed, controller.angle, controller.rate = s
        controller.start()
        return controller.force

    values = loop.values
    return closed_loop(law, values["plant.angle_start"], values["plant.rail_friction"], loop.step, round(stop / loop.step))


def orders_in_substep(loop: Loop, stop: float = 1.0) -> dict[str, list[float]]:
    """The controller's force is piecewise constant: the only error is that of the solver, in its
    substeps."""
    reference = exact(loop, stop)
    times = [stop * i / (len(reference) - 1) for i in range(len(reference))]
    rows = {}
    for version in (2, 3):
        for treat in (True, False):
            rows[f"FMI {version}.0 jump_shift {'on' if treat else 'off'}"] = [
                report.error_of(
                    report.coupled(
                        loop,
                        version,
                        loop.step,
                        {},
                        1e-12,
                        stop=stop,
                        **{"plant.solver.fixed_step": loop.step / m, "plant.solver.jump_shift": treat},
                    ),
                    times,
                    reference,
                )
                for m in SUBSTEPS
            ]
    columns = [f"{1000 * loop.step / m:g} ms" for m in SUBSTEPS]
    report.print_orders("Error against the equations of motion, over the substep, sampled at 10 ms", columns, rows)
    return rows


parts = {"orders": orders_in_substep}

from pathlib import Path

import numpy as np
from mechfmu.couple import report
from mechfmu.couple.loop import Loop, Panel

HOME = Path(__file__).resolve().parent

LEGS = range(1, 7)
DEGREES = 57.29577951308232
# actual: wanted
POSE = {f"plant.position.{a}": f"controller.{a}" for a in "xyz"} | {
    f"plant.rotation.{a}": f"controller.tilt_{a}" for a in "xy"
}

LOOP = Loop(
    home=HOME,
    name="gough_stewart",
    about="Six servos lift a Gough-Stewart platform and carry it around a circle, leaning",
    mechanisms={"plant": "../../models/gough_stewart/gough_stewart.xml"},
    controllers={"controller": "controller.py"},
    connections={f"controller.length{i}": f"plant.leg{i}.length" for i in LEGS}
    | {f"controller.speed{i}": f"plant.leg{i}.speed" for i in LEGS}
    | {f"plant.f{i}": f"controller.f{i}" for i in LEGS},
    made="../../build/examples/gough_stewart",
    stop=2.4,
    step=0.001,
    panels=[
        Panel(
            "x, y in m",
            {
                "plant.position.x": "x",
                "controller.x": "x wanted",
                "plant.position.y": "y",
                "controller.y": "y wanted",
            },
        ),
        Panel("z in m", {"plant.position.z": "z", "controller.z": "z wanted"}),
        Panel(
            "tilt in deg",
            {
                "plant.rotation.x": "about x",
                "controller.tilt_x": "wanted",
                "plant.rotation.y": "about y'",
                "controller.tilt_y": "wanted",
            },
            DEGREES,
        ),
        Panel("errors in mm", {f"controller.error{i}": f"leg {i}" for i in LEGS}, 1000),
        Panel("forces in N", {f"controller.f{i}": f"leg {i}" for i in LEGS}),
    ],
    whole="whole.xml",
    compared={reached: reached.removeprefix("plant.") for reached in POSE}
    | {f"controller.f{i}": f"servo{i}.force" for i in LEGS},
)


def tracking(loop: Loop) -> dict[str, float]:
    """Distance of the platform from the wanted pose."""
    result = report.run_in("fmpy_loop", loop, 2)
    errors = {reached: result[reached] - result[wanted] for reached, wanted in POSE.items()}
    print(f"\nTracking, H = {1000 * loop.step:g} ms: distance from the wanted pose, beside the motion itself")
    for name, error in errors.items():
        scale, unit = (1000, "mm") if "position" in name else (DEGREES, "deg")
        largest, end, motion = (scale * abs(x) for x in (np.max(np.abs(error)), error[-1], np.ptp(result[name])))
        shown = zip(("at most", "at the end", "motion"), (largest, end, motion), strict=True)
        print(f"  {name:<18}" + "".join(f"{what}{value:7.2f} {unit:<5}" for what, value in shown))
    return {name: float(np.max(np.abs(error))) for name, error in errors.items()}


def orders(loop: Loop):
    # Few substeps are allowed, so that an unstable run ends soon.
    report.orders_in_step(loop.variant(stop=0.8, values={"plant.solver.max_substeps": 1000}), [200, 400, 800])


parts = {"tracking": tracking, "orders": orders}

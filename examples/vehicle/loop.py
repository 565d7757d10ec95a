from math import atan2, degrees
from pathlib import Path

from mechfmu.couple import report
from mechfmu.couple.loop import Loop, Panel

HOME = Path(__file__).resolve().parent

LENGTH, WIDTH, SPEED = 8.0, 2.5, 1.0  # half the length and width of the eight; the initial speed

LOOP = Loop(
    home=HOME,
    name="vehicle",
    about="A three-wheeler that rolls without slip is driven along a figure of eight",
    mechanisms={"plant": "vehicle.xml"},
    controllers={"controller": "controller.py"},
    connections={
        "controller.x": "plant.x",
        "controller.y": "plant.y",
        "controller.heading": "plant.heading",
        "controller.speed": "plant.speed",
        "plant.steering": "controller.steering",
        "plant.torque": "controller.torque",
    },
    # The vehicle starts in the middle of the eight, on the path and along it.
    values={
        "plant.heading_start": atan2(2 * WIDTH, LENGTH),
        "plant.speed_start": SPEED,
        "controller.speed_start": SPEED,
        "controller.length": LENGTH,
        "controller.width": WIDTH,
    },
    made="../../build/examples/vehicle",
    stop=21.0,
    step=0.01,
    panels=[
        Panel(
            "y in m",
            {"controller.path_y": "path", "plant.y": "driven"},
            over={"controller.path_y": "controller.path_x", "plant.y": "plant.x"},
            over_label="x in m",
        ),
        Panel("off the path in mm", {"controller.lateral_error": ""}, 1000),
        Panel("steering in deg", {"controller.steering": "command", "plant.steer": "angle"}, degrees(1)),
        Panel("speed in m/s", {"controller.wanted": "wanted", "plant.speed": "driven"}),
        Panel("lateral force in N", {"plant.front.lateral": "front", "plant.rear.lateral": "rear"}),
        Panel("load in N", {"plant.front.load": "front", "plant.left.load": "left", "plant.right.load": "right"}),
    ],
    whole="whole.xml",
    compared={
        "plant.x": "x",
        "plant.y": "y",
        "plant.heading": "heading",
        "plant.speed": "speed",
        "plant.steer": "steer",
        "controller.torque": "torque",
    },
)

parts = {"orders": lambda loop: report.orders_in_step(loop.variant(stop=3.0), [60, 120, 240, 480])}

from pathlib import Path

from mechfmu.couple import report
from mechfmu.couple.loop import Loop, Panel

HOME = Path(__file__).resolve().parent

LOOP = Loop(
    home=HOME,
    name="slider_crank",
    about="A servo turns a slider-crank at constant speed, through its dead centres and against a mass on a spring",
    mechanisms={"plant": "../../models/slider_crank/slider_crank.xml"},
    controllers={"controller": "controller.py"},
    connections={"controller.speed": "plant.theta1.rate", "plant.torque": "controller.torque"},
    made="../../build/examples/slider_crank",
    stop=2.0,
    step=0.001,
    panels=[
        Panel("speed in rad/s", {"plant.theta1.rate": "crank", "controller.wanted": "wanted"}),
        Panel("torque in N.m", {"controller.torque": "torque"}),
        Panel("slider in m", {"plant.x3": "slider", "plant.x4": "mass on the spring"}),
    ],
    whole="whole.xml",
    compared={
        "plant.theta1": "theta1",
        "plant.theta1.rate": "theta1.rate",
        "plant.x4": "x4",
        "controller.torque": "torque",
    },
)

parts = {"orders": lambda loop: report.orders_in_step(loop, [800, 1600, 3200, 6400])}

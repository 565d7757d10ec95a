from pathlib import Path

from mechfmu.couple import report
from mechfmu.couple.loop import Loop, Panel

HOME = Path(__file__).resolve().parent

LOOP = Loop(
    home=HOME,
    name="virtual_mass",
    about="An algebraic loop: acceleration depends on force, and force on acceleration",
    mechanisms={"plant": "plant.xml"},
    controllers={"controller": "controller.py"},
    connections={"controller.acceleration": "plant.acceleration", "plant.force": "controller.force"},
    made="../../build/examples/virtual_mass",
    stop=2.0,
    step=0.01,
    panels=[
        Panel("position in m", {"plant.position": "trolley"}),
        Panel("swing in deg", {"plant.swing": "pendulum"}, 57.29577951308232),
        Panel("acceleration in m/s²", {"plant.acceleration": "trolley"}),
    ],
    whole="whole.xml",
    compared={"plant.position": "position", "plant.swing": "swing", "plant.acceleration": "acceleration"},
    has_algebraic_loop=True,
)
parts = {"orders": lambda loop: report.orders_in_step(loop, [100, 200, 400])}

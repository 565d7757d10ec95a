import shutil
from math import degrees
from pathlib import Path
from xml.etree import ElementTree as ET

from mechfmu.couple import report
from mechfmu.couple.loop import Loop, Panel

HOME = Path(__file__).resolve().parent
MADE = "../../build/examples/steer_by_wire"


def plant() -> str:
    """models/atv with motor.xml instead of the driver that turns its steering column, with paths
    from this folder."""
    model = HOME.parents[1] / "models" / "atv"
    tree = ET.parse(model / "atv.xml")
    root = tree.getroot()
    root.remove(next(e for e in root.iter("driver") if e.get("name") == "hands"))
    root.extend(ET.parse(HOME / "motor.xml").getroot())
    text = ET.tostring(root, encoding="unicode")
    for folder in (HOME / MADE, HOME / MADE / "plant"):  # of the whole and of the plant
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy2(model / "frame.flex", folder)
    file = folder / "atv.xml"
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
    return f"{MADE}/plant/atv.xml"


LOOP = Loop(
    home=HOME,
    name="steer_by_wire",
    about="A vehicle with a flexible frame on four posts that shake; a motor turns its steering column",
    mechanisms={"plant": plant()},
    controllers={"controller": "controller.py"},
    connections={
        "controller.angle": "plant.angle",
        "controller.rate": "plant.rate",
        "plant.torque": "controller.torque",
    },
    made=MADE,
    stop=2.0,
    step=0.001,
    panels=[
        Panel("column in deg", {"controller.wanted": "wanted", "plant.angle": "angle"}, degrees(1)),
        Panel("torque in N m", {"controller.torque": ""}),
        Panel("tyre load in kN", {f"plant.tyre.{c}": c for c in ("fl", "fr", "rl", "rr")}, 1e-3),
        Panel("frame twist in mm", {"plant.twist": ""}, 1e3),
        Panel("rail stress in MPa", {"plant.stress": ""}, 1e-6),
    ],
    whole="whole.xml",
    compared={"plant.angle": "angle", "controller.torque": "torque", "plant.twist": "twist"},
)


def orders(loop: Loop) -> dict[str, list[float]]:
    """Errors against the whole in the first tenth of a second, for explicit couplings."""
    loop = loop.variant(stop=0.1)
    steps, times = [100, 200, 400, 800], [0.01 * i for i in range(11)]
    reference = loop.reference(times)
    couplings = {name: choices for name, choices in report.COUPLINGS.items() if name != "implicit"}
    rows = {name: [report.error_or_unstable(loop, 2, n, choices, times, reference) for n in steps] for name, choices in couplings.items()}
    columns = [f"{1000 * loop.stop / n:g} ms" for n in steps]
    report.print_orders("Error against the whole in one FMU, over the communication step H", columns, rows)
    return rows


parts = {"orders": orders}

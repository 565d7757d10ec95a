"""A closed loop for a million communication steps: memory, drift of constraints, energy balance.

    build/venv/bin/python bench/endurance.py [steps [tolerance]]

The slider-crank with its speed controller (examples/slider_crank), H = 1 ms, with states of the
mechanism for the energy that enters and leaves it: kinetic + potential − work of the motor is
constant.
"""

import os
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

from mechfmu.couple.controller import make_law
from mechfmu.couple.loop import export
from mechfmu.fmu import Instance

ROOT = Path(__file__).resolve().parents[1]

H = 1e-3


def tracked(folder: Path) -> Path:
    """The plant with track_energy."""
    folder.mkdir(parents=True, exist_ok=True)
    tree = ET.parse(ROOT / "models" / "slider_crank" / "slider_crank.xml")
    tree.getroot().set("track_energy", "true")
    tree.write(folder / "slider_crank_energy.xml", encoding="utf-8")
    return export(folder / "slider_crank_energy.xml", folder)[2]


def resident() -> float:
    """Memory of this process, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def main(steps: int, tolerance: float):
    law = make_law(ROOT / "examples" / "slider_crank" / "controller.py")
    law.start()
    plant = Instance(tracked(ROOT / "build" / "examples" / "endurance"))
    plant.start({"torque": law.torque}, tolerance=tolerance)
    balance = ["energy.total", "energy.work", "energy.dissipated"]
    total, work, dissipated = plant.get(balance)
    start = total - work + dissipated
    drift = {"constraint.position": 0.0, "constraint.velocity": 0.0}
    print(f"{'steps':>9}{'turns':>9}{'MB':>9}{'position':>11}{'velocity':>11}{'turned over':>13}{'imbalance':>11}{'us/step':>9}")
    begin, turned_over, last = time.perf_counter(), 0.0, work
    for k in range(1, steps + 1):
        plant.set({"torque": law.torque})
        plant.step((k - 1) * H, H)
        law.speed = plant.get(["theta1.rate"])[0]
        law.step((k - 1) * H, H)
        if k % 100 == 0:
            for name in drift:
                drift[name] = max(drift[name], plant.get([name])[0])
            now = plant.get(["energy.work"])[0]
            turned_over, last = turned_over + abs(now - last), now
        if k % max(1, steps // 10) == 0:
            total, work, dissipated = plant.get(balance)
            imbalance = total - work + dissipated - start
            turns = plant.get(["theta1"])[0] / 6.283185307179586
            spent = 1e6 * (time.perf_counter() - begin) / k
            print(
                f"{k:9d}{turns:9.0f}{resident():9.1f}{drift['constraint.position']:11.1e}{drift['constraint.velocity']:11.1e}"
                f"{turned_over:11.0f} J{imbalance:9.3f} J{spent:9.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, float(sys.argv[2]) if len(sys.argv) > 2 else 1e-6)

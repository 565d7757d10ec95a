"""The small master, mechfmu.couple.master. Both FMI versions.

    python -m mechfmu.couple.masters.own build/examples/cart_pole/cart_pole.ssp --step 0.01 -o result.csv
    python -m mechfmu.couple.masters.own build/examples/cart_pole/cart_pole.ssp --inputs slope --tolerance 1e-3
"""

from ..master import Master
from ..system import Result, System
from .command import main


def run(system: System, signals: list[str], **choices) -> Result:
    with Master(system, signals, **choices) as master:
        return master.run()


if __name__ == "__main__":
    main(
        run,
        inputs={"choices": ["hold", "slope", "implicit"], "default": "hold", "help": "Input values during a step"},
        tolerance={"type": float, "help": "Choose the steps by this tolerance"},
    )

"""The small master of examples/coupling/master.py. Both FMI versions.

    python examples/masters/own.py build/examples/cart_pole/cart_pole.ssp --step 0.01 -o result.csv
    python examples/masters/own.py build/examples/cart_pole/cart_pole.ssp --inputs slope --tolerance 1e-3
"""

from command import main
from coupling.master import Master
from coupling.system import Result, System


def run(system: System, signals: list[str], **choices) -> Result:
    with Master(system, signals, **choices) as master:
        return master.run()


if __name__ == "__main__":
    main(
        run,
        inputs={"choices": ["hold", "slope", "implicit"], "default": "hold", "help": "what they do during a step"},
        tolerance={"type": float, "help": "chooses the steps by it"},
    )

"""The small master of examples/coupling/master.py. Both FMI versions.

    python examples/masters/own.py build/examples/cart_pole/cart_pole.ssp --step 0.01 -o result.csv

Choices of coupling by environment variables: COUPLING=hold, slope or implicit; TOLERANCE=1e-4 for steps chosen by it.
"""

import os

from command import main
from coupling.master import Master
from coupling.system import Result, System


def run(system: System, signals: list[str], **choices) -> Result:
    with Master(system, signals, **choices) as master:
        return master.run()


if __name__ == "__main__":
    tolerance = os.environ.get("TOLERANCE")
    main(
        lambda system, signals: run(
            system,
            signals,
            inputs=os.environ.get("COUPLING", "hold"),
            tolerance=float(tolerance) if tolerance else None,
        )
    )

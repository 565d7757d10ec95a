"""Masters that run an SSP package, one module each: run(system, signals), and a command.

    python -m mechfmu.couple.masters.libcosim build/examples/cart_pole/cart_pole.ssp --step 0.01 -o result.csv
"""

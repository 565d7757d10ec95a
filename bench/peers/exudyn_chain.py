#!/usr/bin/env python3
"""The chain of chain.h solved by Exudyn.

    exudyn_chain.py --bodies n --step h [--newton e] [--index2] [--end t]

Generalized-alpha with constant steps, sparse LU and modified Newton. Planar rigid bodies (x, y,
angle) and revolute joints of Exudyn: the joints constrain positions (index 3); with --index2
velocities, for which Exudyn has only the trapezoidal rule. Spectral radius, tolerances of Newton
unless --newton is given, and all other options are Exudyn's defaults. Only the integration is
timed; it does not write, draw or measure. Prints one JSON line.
"""

import argparse
import json
import sys
import time

try:
    import exudyn as exu
    from exudyn import itemInterface as item
except ImportError:
    sys.exit("exudyn_chain: the Python package exudyn is needed; bench/peers/peers.sh installs it")

MASS, LENGTH, GRAVITY = 1.0, 1.0, 9.81
INERTIA = MASS * LENGTH**2 / 12


def make_chain(bodies: int):
    """The system and the number of its last rod."""
    container = exu.SystemContainer()
    system = container.AddSystem()
    ground = system.AddObject(item.ObjectGround())
    end = system.AddMarker(item.MarkerBodyPosition(bodyNumber=ground))
    rod = ground
    for i in range(bodies):
        node = system.AddNode(item.NodeRigidBody2D(referenceCoordinates=[(i + 0.5) * LENGTH, 0, 0]))
        rod = system.AddObject(item.ObjectRigidBody2D(mass=MASS, inertia=INERTIA, nodeNumber=node))
        start = system.AddMarker(item.MarkerBodyPosition(bodyNumber=rod, localPosition=[-LENGTH / 2, 0, 0]))
        system.AddObject(item.ObjectJointRevolute2D(markerNumbers=[end, start]))
        end = system.AddMarker(item.MarkerBodyPosition(bodyNumber=rod, localPosition=[LENGTH / 2, 0, 0]))
        weight = system.AddMarker(item.MarkerBodyMass(bodyNumber=rod))
        system.AddLoad(item.LoadMassProportional(markerNumber=weight, loadVector=[0, -GRAVITY, 0]))
    system.Assemble()
    return container, system, rod


def make_settings(options: argparse.Namespace):
    settings = exu.SimulationSettings()
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    settings.linearSolver.reuseAnalyzedPattern = True
    integration = settings.timeIntegration
    integration.numberOfSteps = round(options.end / options.step)
    integration.endTime = options.end
    if options.index2:
        integration.generalizedAlpha.useNewmark = True
        integration.generalizedAlpha.useIndex2Constraints = True
    integration.newton.useModifiedNewton = True
    if options.newton:
        integration.newton.relativeTolerance = options.newton
    settings.solution.file.write = False
    settings.solution.sensors.active = False
    return settings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bodies", type=int, required=True)
    parser.add_argument("--step", type=float, required=True, help="constant step [s]")
    parser.add_argument("--newton", type=float, help="relative tolerance of Newton's method")
    parser.add_argument("--index2", action="store_true", help="constrain velocities instead of positions")
    parser.add_argument("--end", type=float, default=1.0, help="end time [s]")
    options = parser.parse_args()

    _, system, last = make_chain(options.bodies)
    settings = make_settings(options)
    solver = exu.MainSolverImplicitSecondOrder()
    if not solver.InitializeSolver(system, settings):
        sys.exit("exudyn_chain: Exudyn could not begin: " + solver.GetErrorString())
    begin = time.perf_counter()
    good = solver.SolveSteps(system, settings)
    seconds = time.perf_counter() - begin
    if not good:
        sys.exit("exudyn_chain: Exudyn did not reach the end: " + solver.GetErrorString())

    steps = solver.it.currentStepIndex - 1  # the index of the next step, from 1
    x, y, _ = system.GetObjectOutputBody(last, exu.OutputVariableType.Position, [0, 0, 0])
    print(json.dumps({
        "solver": "exudyn_index2" if options.index2 else "exudyn",
        "n": options.bodies,
        "tolerance": settings.timeIntegration.newton.relativeTolerance,
        "h": options.end / steps,
        "end": options.end,
        "steps": steps,
        "newton": solver.it.newtonStepsCount,
        "jacobians": solver.it.newtonJacobiCount,
        "seconds": seconds,
        "seconds_per_step_and_body": seconds / steps / options.bodies,
        "x": x,
        "y": y,
    }))  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())

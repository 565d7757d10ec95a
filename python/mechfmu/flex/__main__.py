"""Command line: a .flex file from mass and stiffness matrices, or from a modal file of another program."""

import argparse
import sys
from pathlib import Path

import numpy as np

from . import readers
from .body import FlexibleBody
from .model import Model, ModelError

EXAMPLES = """
examples:
  python -m mechfmu.flex frame.npz --interface root=0 tip=60 -o frame.flex
  python -m mechfmu.flex --stiffness K.mtx --mass M.mtx --nodes nodes.csv --interface hub=12 -o arm.flex
  python -m mechfmu.flex job.sti --nodes nodes.csv --spider eye=0,0,0.1:17,18,19,20 -o link.flex
  python -m mechfmu.flex rod.fem --interface big=1 small=40 -o rod.flex
  python -m mechfmu.flex rod.SID_FEM -o rod.flex
"""


def parser() -> argparse.ArgumentParser:
    """Options of the command."""
    p = argparse.ArgumentParser(
        prog="python -m mechfmu.flex",
        description="Build a flexible body (.flex) from mass and stiffness matrices by Craig-Bampton reduction, or from a modal file.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("model", nargs="?", help="Model: .npz with K, M, X; .sti of CalculiX (MATRIXSTORAGE); .op2 or .op4 of Nastran; modal: .fem of MBDyn, .SID_FEM")
    p.add_argument("--stiffness", help="Stiffness matrix in Matrix Market format")
    p.add_argument("--mass", help="Mass matrix in Matrix Market format")
    p.add_argument("--nodes", help="Positions of the nodes: x y z or number x y z per line; for Nastran, the deck")
    p.add_argument("--millimetres", action="store_true", help="Read the model in mm, t, N, s")
    p.add_argument("--interface", nargs="+", default=[], metavar="NAME=NODE", help="Interface nodes, by number from 0 (or as in --nodes, the deck or the modal file; default for a modal file: all of its nodes)")
    p.add_argument("--spider", nargs="+", default=[], metavar="NAME=X,Y,Z:NODES", help="Add an interface node connected rigidly to nodes of a solid")
    p.add_argument("--modes", type=int, default=12, help="Number of fixed-interface modes (default: 12); a modal file keeps all its modes")
    p.add_argument("--second-order", type=float, default=1000, metavar="HZ", help="Keep second-order inertia and Coriolis terms of modes below this frequency (default: 1000)")
    p.add_argument("--damping", type=float, help="Damping ratio of all modes (default: 1 %% below 100 Hz, 10 %% below 1 kHz, 100 %% above)")
    p.add_argument("--about", default="", help="Description to write into the file")
    p.add_argument("-o", "--output", required=True, help="File to write, .flex")
    return p


def load(options: argparse.Namespace) -> tuple[Model, "list[int] | None"]:
    """The model, and the numbers of its nodes if they have numbers."""
    make = Model.from_millimetres if options.millimetres else Model
    if options.model is None:
        if not (options.stiffness and options.mass and options.nodes):
            raise ModelError("name a model, or --stiffness, --mass and --nodes")
        X, numbers = readers.places(options.nodes)
        return make(readers.matrix_market(options.stiffness), readers.matrix_market(options.mass), X), numbers
    suffix = Path(options.model).suffix.lower()
    if suffix == ".npz":
        model, numbers = readers.npz(options.model), None
    elif suffix in (".sti", ".mas", ".dof"):
        if not options.nodes:
            raise ModelError("CalculiX matrices hold no node positions: add --nodes")
        X, numbers = readers.places(options.nodes)
        model = readers.calculix(options.model, X, numbers)
    elif suffix in (".op2", ".op4"):
        if not options.nodes:
            raise ModelError("Nastran matrices hold no node positions: add --nodes with the deck")
        model, numbers = readers.nastran(options.model, options.nodes)
    else:
        raise ModelError(f"{options.model}: a model must be .npz, .sti, .op2, .op4, .fem or .SID_FEM")
    if options.millimetres:
        model = Model.from_millimetres(model.K, model.M, model.X, model.dofs)
    return model, numbers


MODAL = {".fem": readers.mbdyn, ".sid_fem": readers.sid_fem}


def run_modal(options: argparse.Namespace) -> None:
    """The same from a file that contains modes."""
    if options.spider or options.nodes:
        raise ModelError(f"{options.model}: a modal file has its own nodes; --nodes and --spider are for matrices")
    span = MODAL[Path(options.model).suffix.lower()](options.model)
    if options.millimetres:
        span = span.from_millimetres()
    interface = dict(item.split("=", 1) for item in options.interface if "=" in item)
    if len(interface) != len(options.interface):
        raise ModelError("write --interface NAME=NODE, each name once")
    body = span.body(interface, options.second_order, options.damping, about=options.about)
    body.write(options.output)
    for note in span.notes:
        print(f"mechfmu.flex: note: {note}", file=sys.stderr)
    print(summary(options.output, body))


def summary(path: str, body: FlexibleBody) -> str:
    """The result in one line."""
    modes = f"{len(body.frequency)} modes from {body.frequency[0]:.6g} to {body.frequency[-1]:.6g} Hz" if len(body.frequency) else "no modes"
    return f"{path}: {body.mass:.6g} kg, {len(body.nodes)} nodes, {modes}"


def run(options: argparse.Namespace) -> None:
    """Read, reduce, write, and print a summary."""
    if options.model and Path(options.model).suffix.lower() in MODAL:
        run_modal(options)
        return
    model, numbers = load(options)
    index = {number: n for n, number in enumerate(numbers)} if numbers else None

    def node(text: str) -> int:
        number = int(text)
        if index is not None and number not in index:
            raise ModelError(f"no node has the number {number}")
        return index[number] if index is not None else number

    interface = {}
    for item in options.interface:
        name, _, number = item.partition("=")
        interface[name] = node(number)
    spiders = {}
    for item in options.spider:
        name, _, rest = item.partition("=")
        place, _, nodes = rest.partition(":")
        spiders[name] = ([float(x) for x in place.split(",")], [node(n) for n in nodes.split(",")])
    if spiders:
        first = len(model.X)
        model = model.tied(spiders)
        interface.update({name: first + k for k, name in enumerate(spiders)})
    body = model.reduce(interface, options.modes, options.second_order, options.damping, about=options.about)
    body.write(options.output)
    for note in model.notes:
        print(f"mechfmu.flex: note: {note}", file=sys.stderr)
    free = model.frequencies(4)
    print(summary(options.output, body))
    print("first frequencies of the free body, model and file: " + ", ".join(f"{a:.6g} {b:.6g}" for a, b in zip(free, body.frequency, strict=False)) + " Hz")


def main(arguments: "list[str] | None" = None) -> int:
    """Run the command and return its exit code."""
    try:
        run(parser().parse_args(arguments))
    except (ModelError, OSError, ValueError, np.linalg.LinAlgError) as error:
        print(f"mechfmu.flex: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Matrices and nodes from files of other programs."""

from pathlib import Path

import numpy as np

from .model import Model, ModelError


def matrix_market(path: "str | Path") -> np.ndarray:
    """A matrix in Matrix Market format (.mtx): coordinate or array, real, general or symmetric."""
    lines = iter(Path(path).read_text().splitlines())
    head = next(lines, "").lower().split()
    if len(head) < 5 or head[0] != "%%matrixmarket" or head[3] not in ("real", "integer", "double"):
        raise ModelError(f"{path}: the first line must be like %%MatrixMarket matrix coordinate real symmetric")
    rest = [line for line in lines if line.strip() and not line.startswith("%")]
    sizes = [int(x) for x in rest[0].split()]
    A = np.zeros(sizes[:2])
    half = head[4] in ("symmetric", "hermitian")
    if head[2] == "coordinate":
        entries = np.array([line.split()[:3] for line in rest[1:]], float)
        if len(entries) != sizes[2]:
            raise ModelError(f"{path}: the file has {len(entries)} entries but announces {sizes[2]}")
        r, c = entries[:, 0].astype(int) - 1, entries[:, 1].astype(int) - 1
        np.add.at(A, (r, c), entries[:, 2])
        if half:
            off = r != c
            np.add.at(A, (c[off], r[off]), entries[off, 2])
        return A
    numbers = np.array(" ".join(rest[1:]).split(), float)
    if half:
        r, c = np.triu_indices(sizes[0])
        A[c, r] = A[r, c] = numbers
        return A
    return numbers.reshape(sizes[1], sizes[0]).T


def calculix(path: "str | Path", X: np.ndarray, numbers: "list[int] | None" = None) -> Model:
    """Of *FREQUENCY, SOLVER=MATRIXSTORAGE: job.sti, job.mas (row column value, one half) and job.dof (node.component).

    X are the positions of the nodes with these numbers; without numbers, of nodes 1, 2, 3 …
    """
    job = Path(path).with_suffix("")
    rows = [line.split() for line in job.with_suffix(".dof").read_text().splitlines() if line.strip()]
    place = {number: n for n, number in enumerate(numbers or range(1, len(X) + 1))}
    dofs = []
    for (word,) in (row[:1] for row in rows):
        node, component = word.split(".")
        if int(node) not in place:
            raise ModelError(f"{job}.dof has node {node}, whose position is not given")
        dofs.append(6 * place[int(node)] + int(component) - 1)

    def matrix(suffix: str) -> np.ndarray:
        A = np.zeros((len(dofs), len(dofs)))
        for line in job.with_suffix(suffix).read_text().splitlines():
            if line.strip():
                r, c, x = line.split()[:3]
                A[int(r) - 1, int(c) - 1] = A[int(c) - 1, int(r) - 1] = float(x)
        return A

    return Model(matrix(".sti"), matrix(".mas"), X, dofs)


def npz(path: "str | Path") -> Model:
    """Arrays K, M, X, and dofs where there are others than six or three numbers per node."""
    with np.load(path) as data:
        missing = [name for name in ("K", "M", "X") if name not in data]
        if missing:
            raise ModelError(f"{path}: no array {missing[0]}; K, M and X are required, dofs is optional")
        return Model(data["K"], data["M"], data["X"], data.get("dofs"))


def nastran(matrices: "str | Path", deck: "str | Path", stiffness: str = "KGG", mass: str = "MGG") -> Model:
    """Matrices of an OP2 or OP4 file and the grid points of the deck, by pyNastran."""
    try:
        from pyNastran.bdf.bdf import read_bdf
        from pyNastran.op2.op2 import read_op2
        from pyNastran.op4.op4 import read_op4
    except ImportError:
        raise ModelError("Nastran files are read by pyNastran: pip install pyNastran") from None
    grids = read_bdf(str(deck), debug=None, xref=True).nodes
    X = np.array([grids[n].get_position() for n in sorted(grids)])
    if str(matrices).lower().endswith(".op4"):
        found = read_op4(str(matrices))
        K, M = found[stiffness][1], found[mass][1]
    else:
        found = read_op2(str(matrices), debug=None).matrices
        K, M = found[stiffness].data, found[mass].data
    return Model(K, M, X)


def places(path: "str | Path") -> tuple[np.ndarray, list[int] | None]:
    """Nodes from text: x y z in a line, or number x y z; commas or spaces between, # for comments."""
    rows = [line.split("#")[0].replace(",", " ").split() for line in Path(path).read_text().splitlines()]
    rows = [row for row in rows if row]
    counts = {len(row) for row in rows}
    if counts == {3}:
        return np.array(rows, float), None
    if counts == {4}:
        return np.array([row[1:] for row in rows], float), [int(row[0]) for row in rows]
    raise ModelError(f"{path}: each line must be x y z or number x y z of a node")

"""Matrices, modes and nodes from files of other programs."""

import math
import re
from pathlib import Path

import numpy as np

from .model import Model, ModelError, skew
from .span import Span, inertia_of, moments


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
    """Output of *FREQUENCY, SOLVER=MATRIXSTORAGE: job.sti, job.mas (row column value, one half) and job.dof (node.component).

    X contains the positions of the nodes with these numbers; without numbers, of nodes 1, 2, 3 …
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
    """Read arrays K, M, X, and dofs if nodes have other than six or three numbers."""
    with np.load(path) as data:
        missing = [name for name in ("K", "M", "X") if name not in data]
        if missing:
            raise ModelError(f"{path}: no array {missing[0]}; K, M and X are required, dofs is optional")
        return Model(data["K"], data["M"], data["X"], data.get("dofs"))


def nastran(matrices: "str | Path", deck: "str | Path", stiffness: str = "KGG", mass: str = "MGG") -> tuple[Model, list[int]]:
    """Matrices of an OP2 or OP4 file and the grid points of the deck, by pyNastran; and the numbers of the grid points.

    Rows belong to ux uy uz rx ry rz of the grid points by ascending number, in the axes of their analysis frames (CD).
    """
    try:
        from pyNastran.bdf.bdf import read_bdf
        from pyNastran.op2.op2 import read_op2
        from pyNastran.op4.op4 import read_op4
    except ImportError:
        raise ModelError("Nastran files are read by pyNastran: pip install pyNastran") from None
    model = read_bdf(str(deck), debug=None, xref=True, punch="BEGIN BULK" not in Path(deck).read_text(errors="replace").upper())
    for kind, points in (("SPOINT", model.spoints), ("EPOINT", model.epoints)):
        if points:
            raise ModelError(f"{deck}: {kind} {min(points)} is a scalar unknown that belongs to no place; write the matrices without scalar points, or give K, M, X and dofs as .npz")
    numbers = sorted(model.nodes)
    X = np.array([model.nodes[n].get_position() for n in numbers])
    found = read_op4(str(matrices)) if str(matrices).lower().endswith(".op4") else read_op2(str(matrices), debug=None).matrices

    def matrix(name: str) -> np.ndarray:
        if name not in found:
            raise ModelError(f"{matrices}: there is no matrix {name}; it has {', '.join(sorted(found)) or 'none'}")
        A = found[name]
        A = A.data if hasattr(A, "data") and not isinstance(A, tuple) else A[1]  # older versions of pyNastran: (form, array)
        return np.array(A.todense() if hasattr(A, "todense") else A, float)

    K, M = matrix(stiffness), matrix(mass)
    if len(K) != 6 * len(numbers):
        raise ModelError(f"{matrices}: {stiffness} has {len(K)} rows, and {len(numbers)} grid points of {deck} have {6 * len(numbers)}; the matrices must be those of the g-set")
    turn = np.eye(len(K))
    for k, n in enumerate(numbers):
        frame = model.nodes[n].cd_ref
        if frame is None or frame.cid == 0:
            continue
        if not frame.type.endswith("R"):
            raise ModelError(f"{deck}: GRID {n} has its displacements in frame {frame.cid}, {frame.type}, whose axes depend on the place; use a rectangular frame")
        for at in (6 * k, 6 * k + 3):
            turn[at : at + 3, at : at + 3] = frame.beta()
    return Model(turn.T @ K @ turn, turn.T @ M @ turn, X), numbers


def places(path: "str | Path") -> tuple[np.ndarray, list[int] | None]:
    """Nodes from text: x y z per line, or number x y z; commas or spaces between, # for comments."""
    rows = [line.split("#")[0].replace(",", " ").split() for line in Path(path).read_text().splitlines()]
    rows = [row for row in rows if row]
    counts = {len(row) for row in rows}
    if counts == {3}:
        return np.array(rows, float), None
    if counts == {4}:
        return np.array([row[1:] for row in rows], float), [int(row[0]) for row in rows]
    raise ModelError(f"{path}: each line must be x y z or number x y z of a node")


def _number(path: "str | Path", line: int, word: str) -> float:
    """A number of C or Fortran; raises with file and line."""
    try:
        x = float(word.upper().replace("D", "E"))
    except ValueError:
        raise ModelError(f"{path}:{line}: '{word}' is not a number") from None
    if not math.isfinite(x):
        raise ModelError(f"{path}:{line}: '{word}' is not finite")
    return x


# Record groups of MBDyn and their contents; groups that are not listed are not needed
GROUPS = {
    1: "header", 2: "node list", 3: "initial modal displacements", 4: "initial modal velocities", 5: "x of nodes", 6: "y of nodes", 7: "z of nodes",
    8: "mode shapes", 9: "modal mass", 10: "modal stiffness", 11: "lumped masses", 12: "rigid body inertia", 13: "modal damping",
    14: "invariant 3", 15: "invariant 4", 16: "invariant 8",
}  # fmt: skip


def mbdyn(path: "str | Path") -> Span:
    """Modal data of MBDyn (.fem): nodes, shapes, modal mass and stiffness, and the masses lumped at the nodes.

    Groups begin with "** RECORD GROUP n, …"; other lines with ** are comments. Lumped masses m m m Jx Jy Jz of each node give the
    coupling of shapes with rigid motions; group 12, mass, centre and inertia about it, takes precedence if present. Files without
    lumped masses contain the coupling as invariants: 3 int phi, 4 int x cross phi, 8 -int x~ phi~, of which J1 is the sum with its transpose.
    """
    groups: dict[int, list[tuple[int, str]]] = {}  # words with their lines
    at: dict[int, int] = {}
    ends: dict[int, int] = {}
    group = 0
    lines = Path(path).read_text(errors="replace").splitlines()
    for number, text in enumerate(lines, 1):
        if text.lstrip().startswith("**"):
            head = re.match(r"\s*\*\*\s*RECORD GROUP\s+(-?\d+)", text)
            if head:
                group = int(head[1])
                if not 1 <= group <= 19:
                    raise ModelError(f"{path}:{number}: there is no record group {group}; files of MBDyn have 1 to 19")
                if group in at:
                    raise ModelError(f"{path}:{number}: record group {group} is listed twice, first in line {at[group]}")
                at[group], groups[group], ends[group] = number, [], number
            continue
        words = text.split()
        if words and not group:
            raise ModelError(f"{path}:{number}: numbers before ** RECORD GROUP 1: this is not an MBDyn modal data file")
        if words:
            groups[group] += [(number, word) for word in words]
            ends[group] = number
    lumped = 11 in groups or not {12, 14, 15, 16} <= groups.keys()
    for needed in (1, 2, 5, 6, 7, 8, 9, 10, 11) if lumped else (1, 2, 5, 6, 7, 8, 9, 10):
        if needed not in groups:
            why = "; without them (or groups 12, 14, 15 and 16) nobody knows how modes and rigid motions couple" if needed == 11 else ""
            raise ModelError(f"{path}:{len(lines)}: record group {needed}, {GROUPS[needed]}, is missing{why}")

    def words_of(group: int, count: int, what: str) -> list[tuple[int, str]]:
        found = groups[group]
        if len(found) < count:
            raise ModelError(f"{path}:{ends[group]}: record group {group}, {GROUPS[group]}, ends here with {len(found)} of {count} numbers ({what}); the file may be cut off")
        if len(found) > count:
            raise ModelError(f"{path}:{found[count][0]}: record group {group}, {GROUPS[group]}, continues here after its {count} numbers ({what})")
        return found

    header = words_of(1, 6, "revision, nodes, normal, attachment, constraint and rejected modes")
    counts = []
    for line, word in header[1:]:
        if not word.isdigit():
            raise ModelError(f"{path}:{line}: '{word}' is not a count")
        counts.append(int(word))
    nodes, rejected = counts[0], counts[4]
    n = sum(counts[1:4]) - rejected
    if nodes < 1 or n < 1:
        raise ModelError(f"{path}:{header[1][0]}: a body has nodes and modes; this one {nodes} and {n}")

    def values(group: int, count: int, what: str) -> np.ndarray:
        return np.array([_number(path, line, word) for line, word in words_of(group, count, what)])

    labels = [word for _, word in words_of(2, nodes, f"{nodes} nodes")]
    twice = [line for k, (line, word) in enumerate(groups[2]) if word in labels[:k]]
    if twice:
        raise ModelError(f"{path}:{twice[0]}: a node is listed twice")
    notes = []
    for group in (3, 4):
        if group in groups and values(group, n, f"{n} modes").any():
            notes.append(f"{path}:{at[group]}: {GROUPS[group]} are not taken over: the body begins undeformed")
    X = np.array([values(5 + a, nodes, f"{nodes} nodes") for a in range(3)]).T
    shapes = values(8, 6 * nodes * (n + rejected), f"6 of {nodes} nodes for {n + rejected} modes")
    shapes = shapes.reshape(n + rejected, nodes, 6)[rejected:].transpose(1, 2, 0)  # rejected modes come first
    M, K = (values(group, n * n, f"{n} modes times {n}").reshape(n, n) for group in (9, 10))
    D = values(13, n * n, f"{n} modes times {n}").reshape(n, n) if 13 in groups else None
    for group, A in ((9, M), (10, K)):
        for k in range(n):
            if A[k, k] < 0 or (group == 9 and A[k, k] == 0):
                raise ModelError(f"{path}:{groups[group][k * n + k][0]}: {GROUPS[group]} of mode {k + 1} is {A[k, k]:.6g}")
    given = values(12, 13, "mass, centre, inertia about it") if 12 in groups else None
    rest = {"source": str(path), "M": M, "K": K, "D": D, "labels": labels, "X": X, "shapes": shapes, "notes": notes}
    if given is not None:
        rigid = {"mass": given[0], "moment": given[0] * given[1:4], "inertia": given[4:].reshape(3, 3) - given[0] * skew(given[1:4]) @ skew(given[1:4])}
    if not lumped:
        first = values(16, 9 * n, f"3 times 3 of {n} modes").reshape(3, n, 3).transpose(1, 0, 2)
        Ct, Cr = (values(group, 3 * n, f"3 times {n} modes").reshape(3, n).T for group in (14, 15))
        return Span(Ct=Ct, Cr=Cr, J1=first + first.transpose(0, 2, 1), P=None, **rigid, **rest)
    lumps = values(11, 6 * nodes, f"6 of {nodes} nodes").reshape(nodes, 6)
    for k, x in enumerate(lumps.ravel()):
        if x < 0:
            raise ModelError(f"{path}:{groups[11][k][0]}: the {'mass' if k % 6 < 3 else 'inertia'} of node {labels[k // 6]} is {x:.6g}")
    m = lumps[:, :3].mean(axis=1)
    u, v = shapes[:, :3], shapes[:, 3:]
    own = np.einsum("n,nik,nil->kl", m, u, u) + np.einsum("ni,nik,nil->kl", lumps[:, 3:], v, v)
    ratio = np.trace(M) / max(np.trace(own), 1e-300)
    if not 1 / 30 < ratio < 30:
        raise ModelError(f"{path}:{at[9]}: modal masses are {ratio:.3g} times what shapes and lumped masses make: units may differ by a thousand")
    if given is None:
        rigid = {"mass": m.sum(), "moment": m @ X, "inertia": np.diag(lumps[:, 3:].sum(axis=0)) + inertia_of(np.einsum("n,na,nb->ab", m, X, X)) / 2}
    elif not 0.5 < given[0] / m.sum() < 2:
        raise ModelError(f"{path}:{at[12]}: the mass of the body is {given[0]:.6g} and that of its nodes {m.sum():.6g}")
    return Span(
        Ct=np.einsum("n,nik->ki", m, u),
        Cr=np.einsum("n,nik->ki", m, np.cross(X[:, :, None], u, axis=1)) + np.einsum("ni,nik->ki", lumps[:, 3:], v),
        J1=inertia_of(np.einsum("n,nak,nb->kab", m, u, X)),
        P=np.einsum("n,nak,nbl->klab", m, u, u, optimize=True),
        **rigid, **rest,
    )  # fmt: skip


class _Taylor:
    """A block of a SID_FEM file: M(q) = m0 + sum q_k m1_k, by rows and columns; m1(row, k, column)."""

    def __init__(self, path: "str | Path", line: int, name: str):
        self.path, self.line, self.name = path, line, name
        self.keys: dict[str, int] = {}
        self.entries: list[tuple[int, str, tuple[int, ...], float]] = []

    def fail(self, text: str, line: int | None = None) -> None:
        raise ModelError(f"{self.path}:{line or self.line}: {self.name} {text}")

    def finish(self, nq: int) -> None:
        """m0 and m1 from the text."""
        missing = [key for key in ("order", "nrow", "ncol", "structure") if key not in self.keys]
        if missing:
            self.fail(f"has no {missing[0]}")
        rows, columns, structure = self.keys["nrow"], self.keys["ncol"], self.keys["structure"]
        if self.keys["order"] not in (0, 1):
            self.fail(f"has order {self.keys['order']}; 0 and 1 are read")
        if structure not in range(5):
            self.fail(f"has structure {structure}; 0 zero, 1 diagonal, 2 symmetric, 3 full and 4 unit are known")
        if not (0 < rows <= max(6, nq) and 0 < columns <= max(6, 3 * nq)):
            self.fail(f"is {rows} x {columns}, too large for {nq} modes")
        if structure in (1, 2, 4) and rows != columns:
            self.fail(f"is {rows} x {columns} and has structure {structure}, which is for square ones")
        self.m0 = np.eye(rows, columns) if structure == 4 else np.zeros((rows, columns))
        self.m1 = np.zeros((rows, nq, columns) if self.keys["order"] else (0, 0, 0))
        for line, kind, index, x in self.entries:
            if kind == "m1" and self.keys["order"] == 0:
                self.fail("has order 0 and a number of first order", line)
            size = (rows, columns) if kind == "m0" else (rows, nq, columns)
            if len(index) != len(size) or any(not 1 <= i <= most for i, most in zip(index, size, strict=False)):
                self.fail(f"has {kind}({', '.join(map(str, index))}); its numbers go to ({', '.join(map(str, size))}): row, {'mode, ' if kind == 'm1' else ''}column", line)
            where = tuple(i - 1 for i in index)
            target = self.m0 if kind == "m0" else self.m1
            target[where] = x
            if structure == 2:
                target[where[::-1]] = x

    def shaped(self, *sizes: tuple[int, int]) -> "_Taylor":
        """The block itself, if it has one of these sizes."""
        if self.m0.shape not in sizes:
            self.fail(f"is {self.m0.shape[0]} x {self.m0.shape[1]} and has to be " + " or ".join(f"{r} x {c}" for r, c in sizes))
        return self


def sid_fem(path: "str | Path") -> Span:
    """Standard input data of flexible bodies (SID_FEM): Taylor series of all integrals, shapes of chosen nodes.

    Source: Wallrapp, Standard input data of flexible members in multibody systems, 1993; Schwertassek and Wallrapp, Dynamik flexibler
    Mehrkörpersysteme, table 6.9. The equations of motion are M a + h = 0 with the rows of modes
      C_t (..) + C_r W' + M_e q'' + sum q'_k G_ek W + O_e (W_x^2 W_y^2 W_z^2 W_xW_y W_yW_z W_xW_z) + K_e q + D_e q'
    so that C_t = int phi, C_r = int x cross phi + sum q_k g_k, G_ek = 2 g_k, O_e = -dJ/dq / 2 (twice that off the diagonal).
    """
    lines = Path(path).read_text(errors="replace").splitlines()
    blocks: dict[str, _Taylor] = {}
    nodes: list[tuple[str, int, dict[str, _Taylor]]] = []
    said: tuple[int, ...] | None = None
    mass, mass_line, nq, ended = math.nan, 0, -1, False
    open_block: _Taylor | None = None
    in_node = False
    named: list[tuple[int, int, float]] = []  # line, mode and the frequency in its name
    for number, text in enumerate(lines, 1):
        if ":" in text and number == 1:
            counts = text.split(":")[0].split()
            said = tuple(int(c) for c in counts) if len(counts) == 2 and all(c.isdigit() for c in counts) else None
            continue
        left, _, right = (part.strip() for part in text.partition("="))
        words = left.split()
        if not words:
            continue
        entry = re.fullmatch(r"(m0|m1|mn)\s*\(([\s\d,]+)\)", left)
        if open_block is not None:
            if entry and entry[1] != "mn":
                index = tuple(int(i) for i in entry[2].split(","))
                open_block.entries.append((number, entry[1], index, _number(path, number, right)))
            elif words[0] == "end":
                if words[1:] != [open_block.name]:
                    raise ModelError(f"{path}:{number}: '{left}' where 'end {open_block.name}' is expected; the block began in line {open_block.line}")
                open_block.finish(nq)
                open_block = None
            elif len(words) == 1 and re.fullmatch(r"-?\d+", right):
                open_block.keys[words[0]] = int(right)
            else:
                raise ModelError(f"{path}:{number}: '{text.strip()}' is not known in {open_block.name}")
        elif words[0] == "mass":
            mass, mass_line = _number(path, number, right), number
        elif words[0] == "nelastq":
            if not right.isdigit() or int(right) < 1:
                raise ModelError(f"{path}:{number}: the number of modes is '{right}'")
            nq = int(right)
            if nq > len(lines):
                raise ModelError(f"{path}:{number}: the file declares {nq} modes but has {len(lines)} lines")
        elif words[0] == "ielastq":
            hertz = re.search(r"([-+.\dEeDd]+)\s*Hz", right)
            mode = re.search(r"\d+", left)
            if hertz and mode:
                named.append((number, int(mode[0]), _number(path, number, hertz[1])))
        elif words == ["new", "node"]:
            in_node = True
            nodes.append((right, number, {}))
        elif words == ["end", "node"]:
            in_node = False
        elif words[0] == "rframe":
            if right.replace("_", " ").lower() not in ("body ref", "ref"):
                raise ModelError(f"{path}:{number}: the node is given in '{right}'; only the axes of the body (body ref) are read")
        elif words[0] in ("part", "new", "refmod", "frame", "end"):
            ended = words == ["end", "modal"] or ended
        elif len(words) == 1 and not right:
            if nq < 0:
                raise ModelError(f"{path}:{number}: {left} comes before refmod with mass and nelastq")
            open_block = _Taylor(path, number, left)
            target = nodes[-1][2] if in_node else blocks
            if left in target:
                open_block.fail(f"is listed twice, first in line {target[left].line}")
            target[left] = open_block
        else:
            raise ModelError(f"{path}:{number}: '{text.strip()}' is not known")
    if open_block is not None or not ended:
        raise ModelError(f"{path}:{len(lines)}: the file ends before 'end modal'{f', in {open_block.name}' if open_block else ''}; it may be cut off")
    if not mass > 0:
        raise ModelError(f"{path}:{mass_line or len(lines)}: the mass of the body is {mass:.6g} kg")
    if said and said != (len(nodes), nq):
        raise ModelError(f"{path}:1: the file declares {said[0]} nodes and {said[1]} modes but has {len(nodes)} and {nq}")
    if not nodes:
        raise ModelError(f"{path}:{len(lines)}: it has no nodes")
    return _span_of_sid(path, lines, mass, nq, nodes, blocks, named)


def _coriolis(ge: _Taylor) -> np.ndarray:
    """[k, l]: int phi_k cross phi_l of G_e, whose columns stand by modes or, from some programs, by axes: it is antisymmetric."""
    n = len(ge.m0)
    by_modes = ge.m0.reshape(n, n, 3).transpose(1, 0, 2) / 2
    by_axes = ge.m0.reshape(n, 3, n).transpose(2, 0, 1) / 2
    rest = [np.abs(g + g.transpose(1, 0, 2)).max() for g in (by_modes, by_axes)]
    if min(rest) > 0.5 * np.abs(ge.m0).max():
        ge.fail("is not antisymmetric in the modes, whether its columns stand by modes or by axes")
    return by_modes if rest[0] <= rest[1] else by_axes


def _span_of_sid(path, lines, mass: float, n: int, nodes, blocks: "dict[str, _Taylor]", named) -> Span:
    """Integrals from the blocks; compares those that are given twice."""
    for name in ("mdCM", "J", "Ct", "Cr", "Me", "Ke"):
        if name not in blocks:
            raise ModelError(f"{path}:{len(lines)}: the block {name} is missing")
    notes: list[str] = []
    places, shapes, labels = [], [], []
    for label, line, own in nodes:
        for name in ("origin", "phi", "psi"):
            if name not in own:
                raise ModelError(f"{path}:{line}: node {label} has no {name}")
        if label in labels:
            raise ModelError(f"{path}:{line}: node {label} is listed twice")
        labels.append(label)
        places.append(own["origin"].shaped((3, 1)).m0[:, 0])
        shapes.append(np.vstack([own["phi"].shaped((3, n)).m0, own["psi"].shaped((3, n)).m0]))
    M, K = blocks["Me"].shaped((n, n)).m0, blocks["Ke"].shaped((n, n)).m0
    for name, A in (("Me", M), ("Ke", K)):
        worst = int(np.diag(A).argmin())
        if A[worst, worst] < 0 or (name == "Me" and A[worst, worst] == 0):
            blocks[name].fail(f"has {A[worst, worst]:.6g} for mode {worst + 1}")
    for line, mode, hertz in named:
        found = math.sqrt(K[mode - 1, mode - 1] / M[mode - 1, mode - 1]) / 2 / math.pi if mode <= n else hertz
        if hertz > 0 and not hertz / 10 < found < 10 * hertz:
            raise ModelError(f"{path}:{line}: mode {mode} is named by {hertz:.6g} Hz, and its stiffness and mass make {found:.6g} Hz: units may differ by a thousand")
    Ct, Cr = blocks["Ct"].shaped((n, 3)).m0, blocks["Cr"].shaped((n, 3))
    momentum = np.sqrt(mass * np.diag(M))  # the maximum of a mode
    moment = blocks["mdCM"].shaped((3, 1))
    if moment.keys["order"] == 1:
        apart = np.abs(moment.m1[:, :, 0].T - Ct).max(axis=1) / momentum
        if apart.max() > 0.01:
            moment.fail(f"of first order and Ct (line {blocks['Ct'].line}) differ for mode {int(apart.argmax()) + 1}; both are the integral of its shape")

    def matrix(six: np.ndarray) -> np.ndarray:
        """Make 3 x 3 of xx yy zz xy xz yz, the first index."""
        xx, yy, zz, xy, xz, yz = six
        return np.moveaxis(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), (0, 1), (-2, -1))

    J = blocks["J"].shaped((6, 1), (3, 3))
    inertia = J.m0 if len(J.m0) == 3 else matrix(J.m0[:, 0])
    oe = blocks["Oe"].shaped((n, 6)) if "Oe" in blocks else None
    # O_e has W_yW_z before W_xW_z; dJ/dq = -2 O_e, and half of that off the diagonal, where W_aW_b stands for two terms
    to_J = -np.array([2, 2, 2, 1, 1, 1])
    order = [0, 1, 2, 3, 5, 4]
    if J.keys["order"] == 1:
        J1 = J.m1.transpose(1, 0, 2) if len(J.m0) == 3 else matrix(J.m1[:, :, 0])
        size = math.sqrt(np.trace(inertia)) * np.sqrt(np.diag(M))
        if oe is not None:
            apart = np.abs(matrix((oe.m0 * to_J).T[order]) - J1).max(axis=(1, 2)) / size
            if apart.max() > 0.02:
                oe.fail(f"and J of first order (line {J.line}) differ for mode {int(apart.argmax()) + 1} by {apart.max():.3g} of what it may have")
    elif oe is not None:
        J1 = matrix((oe.m0 * to_J).T[order])
    else:
        J.fail("has order 0 and there is no Oe: how the inertia changes with the modes is not known")
    P = None
    if oe is not None and oe.keys["order"] == 1 and (Cr.keys["order"] == 1 or "Ge" in blocks):
        g = Cr.m1.transpose(1, 0, 2) if Cr.keys["order"] == 1 else _coriolis(blocks["Ge"].shaped((n, 3 * n)))  # [k, l]: int phi_k cross phi_l
        J2 = matrix(np.moveaxis(oe.m1 * to_J, -1, 0)[order])
        J2 = (J2 + J2.transpose(1, 0, 2, 3)) / 2
        own = np.einsum("kkaa->ka", J2) / np.diag(M)[:, None]  # of each mode, as a part of its mass: not negative, and 4 at most in sum
        if own.min() < -0.05:
            notes.append(f"{path}:{oe.line}: Oe holds geometric stiffness, which belongs to the axes of the file; it is left out, and inertia terms of second order with it")
        elif own.sum(axis=1).max() > 4.4:
            mode = int(own.sum(axis=1).argmax())
            notes.append(f"{path}:{oe.line}: Oe of first order makes mode {mode + 1} weigh {own[mode].sum() / 4:.3g} times its modal mass; inertia terms of second order are left out")
        else:
            P = moments(J2, (g.transpose(1, 0, 2) - g) / 2)
    if "ksigma" in blocks and blocks["ksigma"].m0.any():
        notes.append(f"{path}:{blocks['ksigma'].line}: ksigma, forces of initial stress, is left out")
    D = blocks["De"].shaped((n, n)).m0 if "De" in blocks else None
    return Span(
        source=str(path), mass=mass, moment=moment.m0[:, 0], inertia=inertia, Ct=Ct, Cr=Cr.m0, M=M, K=K, D=D, J1=J1, P=P,
        labels=labels, X=np.array(places), shapes=np.array(shapes), notes=notes,
    )  # fmt: skip

"""Modal files of MBDyn and SID_FEM: the same body as from its matrices, and the faults of a file with their lines.

This test writes the files by their definitions, with sums over point masses; it shares no code with the readers.
"""

import itertools
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mechfmu import flex
from mechfmu.flex import readers

# A frame in space of unequal tubes, so that all frequencies differ; masses are points at the nodes
PLACES = np.array([[0, 0, 0], [0.2, 0, 0], [0.4, 0, 0], [0.6, 0.05, 0], [0.6, 0.2, 0.05], [0.6, 0.3, 0.2], [0.3, 0.35, 0.3]])
ROOT, TIP = 0, 6


def frame() -> tuple[np.ndarray, np.ndarray]:
    """Stiffness of beams and the masses of nodes."""
    chain = [(k, k + 1) for k in range(len(PLACES) - 1)]
    sections = [flex.Section(E=2.1e11, G=8e10, rho=7850, A=2e-4, Iy=(3 + k) * 1e-9, Iz=(7 - 0.5 * k) * 1e-9, J=9e-9) for k in range(len(chain))]
    K, _ = flex.beams(PLACES, chain, sections)
    return K, np.array([0.3, 0.5, 0.4, 0.45, 0.35, 0.5, 0.6])


def mass_matrix(m: np.ndarray) -> np.ndarray:
    return np.diag(np.concatenate([[x, x, x, 0, 0, 0] for x in m]))


@pytest.fixture(scope="module")
def direct() -> flex.FlexibleBody:
    K, m = frame()
    return flex.Model(K, mass_matrix(m), PLACES).reduce({"root": ROOT, "tip": TIP}, modes=4, second_order=1e9, damping=0.01)


def shapes_of_a_file(K: np.ndarray, m: np.ndarray, held: bool) -> np.ndarray:
    """Craig-Bampton shapes with both ends as interface nodes; `held`: in the axes of the root, which then does not move."""
    b = np.r_[0:6, 36:42]
    i = np.setdiff1d(np.arange(42), b)
    # flexibility times mass: its largest eigenvalues are the lowest modes of the frame that is held at both ends
    flexibility = np.linalg.inv(K[np.ix_(i, i)])
    root_mass = np.sqrt(np.diag(mass_matrix(m))[i])
    _mu, V = np.linalg.eigh(root_mass[:, None] * flexibility * root_mass)
    modes = np.zeros((42, 4))
    modes[i] = flexibility @ (root_mass[:, None] * V[:, ::-1][:, :4])
    static = np.zeros((42, 12))
    static[b, range(12)] = 1
    static[i] = -flexibility @ K[np.ix_(i, b)]
    shapes = np.hstack([static[:, 6:] if held else static, modes])
    return shapes / np.abs(shapes).max(axis=0)


def write_fem(path: Path, X: np.ndarray, shapes: np.ndarray, M: np.ndarray, K: np.ndarray, lumps: np.ndarray, rejected: int = 0) -> None:
    """As in the manual of MBDyn: record groups in order, numbers in lines of six."""
    n, modes = len(X), M.shape[0]

    def rows(A) -> str:
        flat = np.ravel(A)
        return "".join(" ".join(f"{x:.15e}" for x in flat[k : k + 6]) + "\n" for k in range(0, len(flat), 6))

    text = "** MBDyn MODAL DATA FILE\n** NODE SET \"ALL\"\n**\n**\n** RECORD GROUP 1, HEADER\n**   REVISION,  NODE,  NORMAL, ATTACHMENT, CONSTRAINT, REJECTED MODES.\n"
    text += f"      REV0      {n}      {modes + rejected - 1}     1      0      {rejected}\n"
    text += "**\n** RECORD GROUP 2, FINITE ELEMENT NODE LIST\n" + " ".join(f"{1001 + k}" for k in range(n)) + "\n"
    text += "**\n** RECORD GROUP 3, INITIAL MODAL DISPLACEMENTS\n" + rows(np.zeros(modes)) + "**\n** RECORD GROUP 4, INITIAL MODAL VELOCITIES\n" + rows(np.zeros(modes))
    for a, name in enumerate("XYZ"):
        text += f"**\n** RECORD GROUP {5 + a}, NODAL {name} COORDINATES\n" + "".join(f"{x:.15e}\n" for x in X[:, a])
    text += "**\n** RECORD GROUP 8, MODE SHAPES\n"
    for k in range(modes + rejected):
        text += f"**    NORMAL MODE SHAPE #  {k + 1}\n" + rows(shapes[:, k - rejected] if k >= rejected else np.full(6 * n, 7.0))
    text += "**\n** RECORD GROUP 9, MODAL MASS MATRIX\n" + "".join(" ".join(f"{x:.15e}" for x in row) + "\n" for row in M)
    text += "**\n** RECORD GROUP 10, MODAL STIFFNESS MATRIX\n" + "".join(" ".join(f"{x:.15e}" for x in row) + "\n" for row in K)
    text += "**\n** RECORD GROUP 11, DIAGONAL OF LUMPED MASS MATRIX\n" + rows(lumps) + "**\n"
    path.write_text(text)


def tilde(a: np.ndarray) -> np.ndarray:
    """a x …"""
    return np.cross(np.eye(3), a)


def write_sid(path: Path, X: np.ndarray, shapes: np.ndarray, K: np.ndarray, m: np.ndarray, nodes: "list[int]", by_axes: bool = False, leave: "tuple[str, ...]" = ()) -> None:
    """Every block by its definition in Wallrapp's paper, as sums over point masses; numbers as Fortran writes them."""
    n = shapes.shape[1]
    u = shapes.reshape(len(X), 6, n)[:, :3].transpose(0, 2, 1)  # node, mode, component
    def total(f):
        return sum(m[p] * f(X[p], u[p]) for p in range(len(X)))
    lines = [f"{len(nodes):5d}{n:4d}    :No. nodes, No. modes: test", " part", "      new modal                                 =", "           refmod"]

    def number(x: float) -> str:
        return f"{x:.14E}".replace("E", "D")

    def taylor(name: str, m0, m1=None, structure: int = 3) -> None:
        m0 = np.asarray(m0, float)
        if name in leave:
            return
        lines.append(name)
        for key, value in (("order", 0 if m1 is None else 1), ("nrow", m0.shape[0]), ("ncol", m0.shape[1]), ("nq", n), ("nqn", 0), ("structure", structure)):
            lines.append(f"    {key:22}= {value:4d}")
        for i, j in itertools.product(*map(range, m0.shape)):
            if m0[i, j] and structure != 4 and (structure != 2 or j <= i):
                lines.append(f"    m0( {i + 1}, {j + 1})             ={number(m0[i, j])}")
        if m1 is not None:  # given as rows x columns x modes; written as m1(row, mode, column)
            for i, k, j in itertools.product(range(m0.shape[0]), range(n), range(m0.shape[1])):
                if m1[i, j, k] and (structure != 2 or j <= i):
                    lines.append(f"    m1( {i + 1}, {k + 1}, {j + 1})          ={number(m1[i, j, k])}")
        lines.append(f"end {name}")

    Me = total(lambda x, f: f @ f.T)
    lines += [f"    mass = {number(m.sum())}", f"    nelastq = {n}"]
    lines += [f"    ielastq ( {k + 1}) = Mode {k + 1} : {math.sqrt(K[k, k] / Me[k, k]) / 2 / math.pi:12.3f} Hz" for k in range(n)]
    lines += ["           end refmod", "           frame"]
    for p in nodes:
        lines += [f"                new node = {101 + p}", "                     rframe = body ref"]
        phi, psi = shapes.reshape(len(X), 6, n)[p, :3], shapes.reshape(len(X), 6, n)[p, 3:]
        taylor("origin", X[p][:, None], phi[:, None, :])
        taylor("phi", phi)
        taylor("psi", psi)
        taylor("AP", np.eye(3), structure=4)
        lines.append("                end node")
    lines.append("           end frame")
    taylor("mdCM", total(lambda x, f: x[:, None]), total(lambda x, f: f.T[:, None, :]))
    J0 = total(lambda x, f: -tilde(x) @ tilde(x))
    J1 = np.stack([total(lambda x, f, k=k: -tilde(x) @ tilde(f[k]) - tilde(f[k]) @ tilde(x)) for k in range(n)], axis=-1)
    six = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
    if by_axes:
        taylor("J", J0, J1, structure=2)
    else:
        taylor("J", [[J0[a]] for a in six], np.array([[J1[a]] for a in six]))
    taylor("Ct", total(lambda x, f: f))
    cross = total(lambda x, f: np.cross(f[None, :, :], f[:, None, :]))  # [l, k]: phi_k x phi_l
    taylor("Cr", total(lambda x, f: np.cross(x, f)), None if by_axes else cross.transpose(0, 2, 1))
    taylor("Me", Me, structure=2)
    taylor("Gr", np.hstack([total(lambda x, f, k=k: -2 * tilde(x) @ tilde(f[k])) for k in range(n)]))
    taylor("Ge", 2 * (cross.transpose(0, 2, 1) if by_axes else cross).reshape(n, 3 * n))

    # sum m phi . (w x (w x (x + u))) for the products w_a w_b, each twice off the diagonal
    def centrifugal(field) -> np.ndarray:
        columns = []
        for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)):
            ea, eb = tilde(np.eye(3)[a]), tilde(np.eye(3)[b])
            both = ea @ eb if a == b else ea @ eb + eb @ ea
            columns.append(total(lambda x, f, both=both: f @ both @ field(x, f)))
        return np.array(columns)

    O0 = centrifugal(lambda x, f: x).T
    O1 = centrifugal(lambda x, f: f.T).transpose(1, 0, 2)
    taylor("Oe", O0, O1)
    taylor("ksigma", np.zeros((n, 1)), structure=0)
    taylor("Ke", K, structure=2)
    taylor("De", 2e-5 * K, structure=2)
    lines += ["      end modal", " end part"]
    path.write_text("\n".join(lines) + "\n")


def same(found: flex.FlexibleBody, expected: flex.FlexibleBody, second: bool = True) -> None:
    """All numbers, with the sign of a mode free."""
    assert len(found.frequency) == len(expected.frequency)
    assert found.frequency == pytest.approx(expected.frequency, rel=2e-6)
    assert found.mass == pytest.approx(expected.mass, rel=1e-12)
    assert found.centre == pytest.approx(expected.centre, abs=1e-12)
    assert found.inertia == pytest.approx(expected.inertia, rel=1e-10, abs=1e-12)
    assert np.array(list(found.nodes.values())) == pytest.approx(np.array(list(expected.nodes.values())))
    sign = np.sign(np.einsum("nik,nik->k", found.shapes, expected.shapes))
    def close(a, b):
        return np.abs(a - b).max() < 1e-5 * np.abs(b).max()
    assert close(found.shapes * sign, expected.shapes)
    assert close(found.inertia_1 * sign[:, None, None], expected.inertia_1)
    if second:
        both = np.outer(sign, sign)[:, :, None]
        assert close(found.inertia_2 * both[..., None], expected.inertia_2)
        assert close(found.coriolis * both, expected.coriolis)


@pytest.mark.parametrize("rejected", [0, 2])
def test_a_file_of_mbdyn_gives_the_body_of_its_matrices(direct, tmp_path, rejected):
    K, m = frame()
    lumps = np.array([[x, x, x, 0, 0, 0] for x in m])
    for held in (False, True):  # with the rigid motions in the span, and without
        shapes = shapes_of_a_file(K, m, held)
        write_fem(tmp_path / "frame.fem", PLACES, shapes, shapes.T @ mass_matrix(m) @ shapes, shapes.T @ K @ shapes, lumps, rejected)
        body = readers.mbdyn(tmp_path / "frame.fem").body({"root": "1001", "tip": "1007"}, second_order=1e9)
        same(body, direct)


def test_a_file_of_mbdyn_with_invariants_gives_the_body_of_its_matrices(direct, tmp_path):
    """As newer programs write it: only interface nodes, and sums over all nodes as invariants of the shapes."""
    K, m = frame()
    shapes = shapes_of_a_file(K, m, held=True)
    n = shapes.shape[1]
    ends = np.r_[0:6, 36:42]
    write_fem(tmp_path / "frame.fem", PLACES[[ROOT, TIP]], shapes[ends], shapes.T @ mass_matrix(m) @ shapes, shapes.T @ K @ shapes, np.zeros((2, 6)))
    u = shapes.reshape(len(PLACES), 6, n)[:, :3]
    centre = m @ PLACES / m.sum()
    J = sum(-m[p] * tilde(PLACES[p] - centre) @ tilde(PLACES[p] - centre) for p in range(len(m)))
    eight = [sum(-m[p] * tilde(PLACES[p]) @ tilde(u[p, :, k]) for p in range(len(m))) for k in range(n)]
    blocks = {
        "12, RIGID BODY INERTIA MATRIX": [[m.sum()], centre, *J],
        "14, INVARIANT 3": sum(m[p] * u[p] for p in range(len(m))),
        "15, INVARIANT 4": sum(m[p] * tilde(PLACES[p]) @ u[p] for p in range(len(m))),
        "16, INVARIANT 8": np.hstack(eight),
    }
    text = (tmp_path / "frame.fem").read_text().split("** RECORD GROUP 11")[0]
    for name, rows in blocks.items():
        text += f"** RECORD GROUP {name}\n" + "".join(" ".join(f"{x:.15e}" for x in row) + "\n" for row in rows) + "**\n"
    (tmp_path / "frame.fem").write_text(text)
    body = readers.mbdyn(tmp_path / "frame.fem").body({"root": "1001", "tip": "1002"}, second_order=1e9)
    same(body, direct, second=False)
    assert body.inertia_2.size == 0


@pytest.mark.parametrize("form", ["by modes", "by axes"])
def test_a_sid_file_gives_the_body_of_its_matrices(direct, tmp_path, form):
    """In the axes of the root: shapes have momentum, which the reader removes."""
    K, m = frame()
    shapes = shapes_of_a_file(K, m, held=True)
    assert not shapes[:6].any()
    write_sid(tmp_path / "frame.SID_FEM", PLACES, shapes, shapes.T @ K @ shapes, m, [ROOT, TIP], by_axes=form == "by axes")
    span = readers.sid_fem(tmp_path / "frame.SID_FEM")
    assert np.abs(span.Ct).max() > 0.1 and not span.notes
    body = span.body({"root": "101", "tip": "107"}, second_order=1e9)
    same(body, direct)
    # D = 2e-5 K: a ratio of 1e-5 w
    assert body.damping == pytest.approx(1e-5 * 2 * math.pi * body.frequency, rel=1e-6)
    # to the digits of the file
    write_sid(tmp_path / "less.SID_FEM", PLACES, shapes, shapes.T @ K @ shapes, m, [ROOT, TIP], leave=("Oe", "Ge", "De", "ksigma"))
    less = readers.sid_fem(tmp_path / "less.SID_FEM").body({"root": "101", "tip": "107"}, second_order=1e9, damping=0.02)
    same(less, direct, second=False)
    assert less.inertia_2.size == 0 and less.coriolis.size == 0


def test_a_beam_from_both_files_has_the_frequencies_of_the_textbook(tmp_path):
    """Free 22.3733, 61.6728 and clamped 3.51602, 22.0345 of E I = rho A = L = 1: many points, bending in two planes that differ."""
    n, ratio = 80, 1.21
    X = np.array([[k / n, 0, 0] for k in range(n + 1)])
    section = flex.Section(E=1e8, G=1e8, rho=1, A=1, Iy=1e-8, Iz=ratio * 1e-8, J=1e-2)
    K, _ = flex.beams(X, [(k, k + 1) for k in range(n)], section)
    m = np.full(n + 1, 1 / n)
    m[[0, -1]] /= 2
    # a beam has inertia about its axis: two arms at the middle, of little mass
    X = np.vstack([X, [0.5, 0.02, 0], [0.5, 0, 0.02]])
    rigid = flex.Section(E=1e8, G=1e8, rho=1, A=1, Iy=1e-4, Iz=1e-4, J=1)
    both = np.zeros((6 * n + 18, 6 * n + 18))
    both[: 6 * n + 6, : 6 * n + 6] = K
    arms, _ = flex.beams(X, [(n // 2, n + 1), (n // 2, n + 2)], rigid)
    K, m = both + arms, np.append(m, [1e-6, 1e-6])
    i = np.arange(6, len(K))  # clamped at the root
    flexibility = np.linalg.inv(K[np.ix_(i, i)])
    root_mass = np.sqrt(np.diag(mass_matrix(m))[i])
    _, V = np.linalg.eigh(root_mass[:, None] * flexibility * root_mass)
    shapes = np.zeros((len(K), 14))
    shapes[i] = flexibility @ (root_mass[:, None] * V[:, ::-1][:, :14])
    shapes /= np.abs(shapes).max(axis=0)
    M, stiffness = shapes.T @ mass_matrix(m) @ shapes, shapes.T @ K @ shapes
    clamped = np.sort(np.sqrt(np.diag(stiffness) / np.diag(M)))
    textbook = np.sort([w * s for w in (3.51602, 22.0345) for s in (1, math.sqrt(ratio))])
    assert clamped[:4] == pytest.approx(textbook, rel=2e-3)
    write_fem(tmp_path / "beam.fem", X, shapes, M, stiffness, np.array([[x, x, x, 0, 0, 0] for x in m]))
    write_sid(tmp_path / "beam.SID_FEM", X, shapes, stiffness, m, [0, n])
    free = [readers.mbdyn(tmp_path / "beam.fem").body({"root": "1001"}), readers.sid_fem(tmp_path / "beam.SID_FEM").body({"root": "101"})]
    exact = flex.Model(K, mass_matrix(m), X).frequencies(4)
    textbook = np.sort([w * s for w in (22.3733, 61.6728) for s in (1, math.sqrt(ratio))])
    assert 2 * math.pi * exact == pytest.approx(textbook, rel=2e-3)
    for body in free:
        # clamped modes alone do not span the free ones: the first two frequencies are too high by less than 3 %
        found = body.frequency[:2] / exact[:2]
        assert (found > 1 - 1e-9).all() and (found < 1.03).all()
        assert body.mass == pytest.approx(1, rel=1e-5)
        assert body.inertia[1, 1] == pytest.approx(1 / 12, rel=1e-3)
    assert free[0].frequency == pytest.approx(free[1].frequency, rel=1e-6)


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """Both files of the frame."""
    folder = tmp_path_factory.mktemp("files")
    K, m = frame()
    shapes = shapes_of_a_file(K, m, held=True)
    write_fem(folder / "frame.fem", PLACES, shapes, shapes.T @ mass_matrix(m) @ shapes, shapes.T @ K @ shapes, np.array([[x, x, x, 0, 0, 0] for x in m]))
    write_sid(folder / "frame.SID_FEM", PLACES, shapes, shapes.T @ K @ shapes, m, [ROOT, TIP])
    return folder


def message(folder: Path, name: str, text: str) -> str:
    path = folder / f"bad_{name}"
    path.write_text(text)
    read = readers.mbdyn if name.endswith(".fem") else readers.sid_fem
    with pytest.raises(flex.ModelError) as wrong:
        read(path).body()
    assert "\n" not in str(wrong.value)
    return str(wrong.value).replace(str(path), name)


def line_of(text: str, word: str) -> int:
    return text[: text.index(word)].count("\n") + 1


def test_errors_in_a_file_of_mbdyn_are_reported_with_their_line(files):
    text = (files / "frame.fem").read_text()
    lines = text.splitlines(keepends=True)
    mass, stiffness, lumps = (line_of(text, f"RECORD GROUP {k},") for k in (9, 10, 11))
    def said(changed):
        return message(files, "frame.fem", changed)
    assert f"frame.fem:{stiffness + 4}: record group 10, modal stiffness, ends here with 40 of 100 numbers" in said("".join(lines[: stiffness + 4]) + "".join(lines[lumps - 2 :]))
    assert "record group 11, lumped masses, is missing" in said("".join(lines[: lumps - 1]))
    assert f"frame.fem:{stiffness}: record group 10 is listed twice, first in line {mass}" in said(text.replace("RECORD GROUP 9,", "RECORD GROUP 10,"))
    assert f"frame.fem:{mass}: there is no record group 90" in said(text.replace("RECORD GROUP 9,", "RECORD GROUP 90,"))
    assert "frame.fem:10: record group 2, node list, ends here with 7 of 8 numbers" in said(text.replace("REV0      7 ", "REV0      8 "))
    assert "frame.fem:7: 'seven' is not a count" in said(text.replace("REV0      7 ", "REV0  seven"))
    assert f"frame.fem:{mass + 1}: 'what' is not a number" in said("".join(lines[:mass]) + "what " + "".join(lines[mass:]).split(" ", 1)[1])
    assert f"frame.fem:{mass + 1}: 'nan' is not finite" in said("".join(lines[:mass]) + "nan " + "".join(lines[mass:]).split(" ", 1)[1])
    before, after = text.split("GROUP 11", 1)
    assert f"frame.fem:{lumps + 2}: the mass of node 1002 is -0.5" in said(before + "GROUP 11" + after.replace("5.000000000000000e-01", "-5.000000000000000e-01", 1))
    thousand = "".join(lines[:lumps]) + re.sub(r"e-01", "e+02", "".join(lines[lumps:]))
    assert f"frame.fem:{mass}: modal masses are 0.001 times what shapes and lumped masses make" in said(thousand)
    assert "places and inertia may have different units" in said(text.replace("** RECORD GROUP 11", "** RECORD GROUP 12, INERTIA\n3.1 0.3 0.1 0.1 3e5 0 0 0 3e5 0 0 0 3e5\n** RECORD GROUP 11"))
    assert "this is not an MBDyn modal data file" in said("1 2 3\n" + text)


def test_errors_in_a_sid_file_are_reported_with_their_line(files):
    text = (files / "frame.SID_FEM").read_text()
    def said(changed):
        return message(files, "frame.SID_FEM", changed)
    lines = text.splitlines(keepends=True)
    assert f"frame.SID_FEM:{len(lines) - 30}: the file ends before 'end modal', in De; it may be cut off" in said("".join(lines[:-30]))
    assert "frame.SID_FEM:1: the file declares 3 nodes and 10 modes but has 2 and 10" in said(text.replace("    2  10", "    3  10", 1))
    assert "frame.SID_FEM:5: the mass of the body is -3.1 kg" in said(text.replace("mass = 3.1", "mass = -3.1"))
    me = line_of(text, "\nMe\n") + 1
    assert f"frame.SID_FEM:{me + 7}: 'NaN' is not finite" in said("".join(lines[: me + 6]) + "    m0( 1, 1) = NaN\n" + "".join(lines[me + 7 :]))
    assert f"frame.SID_FEM:{me}: Me has -1 for mode 1" in said("".join(lines[: me + 6]) + "    m0( 1, 1) = -1.0D0\n" + "".join(lines[me + 7 :]))
    assert f"frame.SID_FEM:{me + 7}: Me has m0(1, 11); its numbers go to (10, 10): row, column" in said("".join(lines[: me + 6]) + "    m0( 1, 11) = 1.0D0\n" + "".join(lines[me + 7 :]))
    assert f"frame.SID_FEM:{me}: Me is 9 x 10 and has structure 2, which is for square ones" in said("".join(lines[:me]) + "".join(lines[me:]).replace("nrow                  =   10", "nrow                  =    9", 1).replace("m0( 10,", "m0( 9,"))
    ct = line_of(text, "\nCt\n") + 1
    assert f"frame.SID_FEM:{ct}: Ct is listed twice, first in line {line_of(text, chr(10) + 'mdCM' + chr(10)) + 1}" in said(text.replace("\nmdCM\n", "\nCt\n").replace("\nend mdCM\n", "\nend Ct\n"))
    assert "the block Ke is missing" in said(re.sub(r"\nKe\n.*?\nend Ke", "", text, flags=re.S))
    stiff = re.sub(r"(\nKe\n.*?\nend Ke)", lambda found: re.sub(r"D\+(\d\d)", lambda e: f"D+{int(e[1]) + 3:02d}", found[1]), text, flags=re.S)
    assert re.search(r"frame.SID_FEM:7: mode 1 is named by .* Hz, and its stiffness and mass make .*: units may differ by a thousand", said(stiff))
    heavy = re.sub(r"mass = 3.10000000000000D\+00", "mass = 3.10000000000000D+03", text)
    assert "a body of 3.1e+03 kg with a radius of gyration of 0.0162 m: units must be m, kg, s" in said(heavy)
    assert "frame.SID_FEM:6: the file declares 1000000000 modes" in said(text.replace("nelastq = 10", "nelastq = 1000000000"))
    assert f"frame.SID_FEM:{me + 7}: Me has order 0 and a number of first order" in said("".join(lines[: me + 6]) + "    m1( 1, 1, 1) = 1.0D0\n" + "".join(lines[me + 6 :]))
    assert "is not known" in said(text.replace("           end frame", "           nonsense here", 1))
    assert "the node is given in 'node 3'" in said(text.replace("rframe = body ref", "rframe = node 3", 1))


def test_the_command_makes_a_body_of_modal_files(files, direct):
    def run(*words: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, "-m", "mechfmu.flex", *words], cwd=files, capture_output=True, text=True)

    made = run("frame.fem", "--interface", "root=1001", "tip=1007", "--damping", "0.01", "-o", "fem.flex")
    assert made.returncode == 0, made.stderr
    assert "3.1 kg, 2 nodes, 10 modes" in made.stdout
    made = run("frame.SID_FEM", "-o", "sid.flex")
    assert made.returncode == 0, made.stderr
    numbers = [np.array([abs(float(w)) for line in (files / f"{name}.flex").read_text().splitlines() if line.startswith(("mass", "centre", "inertia ", "mode ")) for w in line.split("#")[0].split()[1:2]]) for name in ("fem", "sid")]
    assert numbers[0] == pytest.approx(numbers[1], rel=2e-6)
    assert "\nn101 0 0 0\nn107 0.3 0.35 0.3\n" in (files / "sid.flex").read_text()
    wrong = run("frame.fem", "--interface", "root=1", "-o", "x.flex")
    assert wrong.returncode == 1 and "there is no node 1; it has 1001, 1002" in wrong.stderr


def test_files_in_millimetres(files, direct):
    """mm, t, N, s: refused as metres, and the same body with the option."""
    K, m = frame()
    shapes = shapes_of_a_file(K, m, held=True)
    M, stiffness = shapes.T @ mass_matrix(m) @ shapes, shapes.T @ K @ shapes
    way = np.tile([1e3, 1e3, 1e3, 1, 1, 1], len(PLACES))[:, None]
    # energies in N.mm: both matrices of one amplitude are a thousand times larger
    write_fem(files / "mm.fem", PLACES * 1e3, shapes * way, 1e3 * M, 1e3 * stiffness, np.array([[x / 1e3] * 3 + [0] * 3 for x in m]))
    span = readers.mbdyn(files / "mm.fem")
    with pytest.raises(flex.ModelError, match="units must be m, kg, s"):
        span.body({"root": "1001", "tip": "1007"})
    same(span.from_millimetres().body({"root": "1001", "tip": "1007"}, second_order=1e9), direct)

"""Nastran matrices and decks: rows by GRID number, frames of displacements, unknowns without a grid point."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mechfmu import flex

COUNT, ANGLE = 8, 0.5
TURNED = (1, 2)  # nodes with their displacements in frame 7
GRIDS = [10 * k + 1 for k in range(COUNT + 1)]
ROOT = Path(__file__).resolve().parents[2]


def beam() -> tuple[flex.Model, np.ndarray]:
    """A curved beam, and the matrix that turns its displacements into those of the deck."""
    s = np.linspace(0, 1, COUNT + 1)
    X = np.column_stack([s, 0.1 * s * s, 0.05 * s])
    section = flex.Section(E=2.1e11, G=8e10, rho=7850, A=2e-4, Iy=3e-9, Iz=7e-9, J=9e-9)
    K, M = flex.beams(X, [(k, k + 1) for k in range(COUNT)], section)
    T = np.eye(len(K))
    for k in TURNED:
        for at in (6 * k, 6 * k + 3):
            T[at : at + 3, at : at + 3] = axes()
    return flex.Model(K, M, X), T


def axes() -> np.ndarray:
    c, s = np.cos(ANGLE), np.sin(ANGLE)
    return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def write_deck(path: Path, X: np.ndarray, frame: int = 7, more: str = "") -> None:
    """GRID cards in large fields; frame 7 is rectangular, 8 cylindrical."""
    lines = ["SOL 103", "CEND", "BEGIN BULK"]
    lines += ["CORD2R,7,0,0.,0.,0.,0.,0.,1.,", f",{axes()[0, 0]:.12f},{axes()[0, 1]:.12f},0.", "CORD2C,8,0,0.,0.,0.,0.,0.,1.,", ",1.,0.,0."]
    for k, x in enumerate(X):
        lines.append(f"GRID*   {GRIDS[k]:16d}{0:16d}{x[0]:16.10f}{x[1]:16.10f}")
        lines.append(f"*       {x[2]:16.10f}{frame if k in TURNED else '':>16}")
    path.write_text("\n".join([*lines, more, "ENDDATA"]) + "\n")


def check_command(folder: Path, python: str, path: str) -> None:
    """beam.op4 with its decks in the folder, read by the command in this Python."""
    model, _ = beam()
    model.reduce({"root": 0, "tip": COUNT}, modes=6).write(folder / "own.flex")

    def run(deck: str, interface: str) -> subprocess.CompletedProcess:
        words = [python, "-m", "mechfmu.flex", "beam.op4", "--nodes", deck, "--interface", *interface.split(), "--modes", "6", "-o", "made.flex"]
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": path, "PATH": "/usr/bin:/bin"})

    made = run("beam.bdf", f"root=1 tip={GRIDS[-1]}")
    assert made.returncode == 0, made.stderr
    texts = [(folder / name).read_text().splitlines() for name in ("own.flex", "made.flex")]
    numbers = [np.array([float(w) for line in text for w in line.split("#")[0].split() if w[0] in "-0123456789"]) for text in texts]
    assert numbers[1] == pytest.approx(numbers[0], rel=1e-5, abs=1e-5)
    for deck, interface, said in (
        ("beam.bdf", "root=2", "no node has the number 2"),
        ("cylindrical.bdf", "root=1", f"GRID {GRIDS[TURNED[0]]} has its displacements in frame 8, CORD2C, whose axes depend on the place"),
        ("scalar.bdf", "root=1", "SPOINT 500 is a scalar unknown"),
        ("short.bdf", "root=1", f"KGG has {6 * len(GRIDS)} rows, and {len(GRIDS) - 1} grid points of short.bdf have {6 * len(GRIDS) - 6}"),
    ):
        refused = run(deck, interface)
        assert refused.returncode == 1 and said in refused.stderr, refused.stderr


def write_decks(folder: Path) -> None:
    X = beam()[0].X
    write_deck(folder / "beam.bdf", X)
    write_deck(folder / "cylindrical.bdf", X, frame=8)
    write_deck(folder / "scalar.bdf", X, more="SPOINT,500")
    write_deck(folder / "short.bdf", X[:-1])


# The part of pyNastran that the reader uses; all of it is too large for these tests: grid points of the cards above, matrices of
# an .npz file
STAND_IN = '''
import types
import numpy as np

class Frame:
    def __init__(self, cid, kind):
        self.cid, self.type = cid, kind

    def beta(self):
        return np.array({axes})

def read_bdf(path, debug=None, xref=True, punch=False):
    assert xref and not punch
    nodes, spoints, lines = {{}}, {{}}, open(path).read().splitlines()
    frames = {{"": None, "7": Frame(7, "CORD2R"), "8": Frame(8, "CORD2C")}}
    for line, after in zip(lines, lines[1:] + [""]):
        if line.startswith("GRID*"):
            x = np.array([float(line[40:56]), float(line[56:72]), float(after[8:24])])
            nodes[int(line[8:24])] = types.SimpleNamespace(get_position=lambda x=x: x, cd_ref=frames[after[24:40].strip()])
        if line.startswith("SPOINT"):
            spoints[int(line.split(",")[1])] = line
    return types.SimpleNamespace(nodes=nodes, spoints=spoints, epoints={{}})

def read_op4(path):
    with np.load(path, allow_pickle=False) as data:
        return {{name: {value} for name in ("KGG", "MGG")}}

def read_op2(path, debug=None):
    raise NotImplementedError
'''


@pytest.mark.parametrize("value", ["(6, data[name])", "types.SimpleNamespace(data=data[name])"], ids=["pairs", "objects"])
def test_matrices_and_grid_points_of_nastran(tmp_path, value):
    """As versions of pyNastran return matrices: with their form, or as objects."""
    for module in ("bdf/bdf", "op2/op2", "op4/op4"):
        file = tmp_path / f"pyNastran/{module}.py"
        file.parent.mkdir(parents=True)
        file.write_text(STAND_IN.format(axes=axes().tolist(), value=value))
    model, T = beam()
    with (tmp_path / "beam.op4").open("wb") as file:
        np.savez(file, KGG=T @ model.K @ T.T, MGG=T @ model.M @ T.T)
    write_decks(tmp_path)
    check_command(tmp_path, sys.executable, f"{tmp_path}:{ROOT / 'python'}")


@pytest.mark.slow
def test_files_of_nastran_by_pynastran(tmp_path):
    """The same with pyNastran itself, which writes the matrices and reads both files."""
    python = str(tmp_path / "venv/bin/python")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "pyNastran==1.4.1"], check=True)
    model, T = beam()
    np.savez(tmp_path / "deck.npz", KGG=T @ model.K @ T.T, MGG=T @ model.M @ T.T)
    program = "import numpy as np; from pyNastran.op4.op4 import OP4; d = np.load('deck.npz'); OP4().write_op4('beam.op4', {n: (6, d[n]) for n in d}, is_binary=False)"
    subprocess.run([python, "-c", program], cwd=tmp_path, check=True)
    write_decks(tmp_path)
    check_command(tmp_path, python, str(ROOT / "python"))

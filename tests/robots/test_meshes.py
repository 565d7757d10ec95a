"""<shape mesh="…"> in mechanism files: mass, centre and inertia of the solid inside, and messages about surfaces that
enclose none.

The block of blocks.py is turned, shifted and scaled; its numbers follow from m/12 (b² + c²) and Steiner's theorem.
"""

import csv
import io
import json
import subprocess
from pathlib import Path

import pytest
from blocks import obj, stl_binary, stl_text

TOOL = Path(__file__).parents[2] / "build" / "mechfmu"
PENDULUM = """<mechanism name="Block" gravity="0 0 -9.81">
  <parameter name="size" value="0.001" unit="1"/>
  <body name="block"><shape mesh="{}" scale="size" {} at="0.1 0 0" rotation="0 0 90deg"/></body>
  <joint name="pin" type="revolute" between="ground block" axis="0 1 0"/>
  <output name="a" value="pin.acceleration" unit="rad/s2"/>
</mechanism>
"""


def run(*words: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run([TOOL, *words], capture_output=True, text=True)


def start(path: Path, *words: str) -> float:
    done = run("simulate", path, "-q", "--stop", "1e-6", "--step", "1e-6", "-o", "-", *words)
    assert done.returncode == 0, done.stderr
    return float(next(iter(csv.DictReader(io.StringIO(done.stdout))))["a"])


def expected(scale: float) -> float:
    """About y at the origin: the block of a × b × c is turned by 90° about z and stands 0.1 m from the pin, its middle at x = 0.1 − b/2."""
    _, b, c = (scale * length for length in (2, 1, 0.5))
    x, z = 0.1 - b / 2, c / 2
    return 9.81 * x / ((b * b + c * c) / 12 + x * x + z * z)


@pytest.mark.parametrize(("name", "content"), [("block.stl", stl_text()), ("block.STL", stl_binary()), ("block.obj", obj())])
def test_a_mesh_swings_as_the_block_it_encloses(name, content, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / name).write_bytes(content)
    path = tmp_path / "m.xml"
    path.write_text(PENDULUM.format("parts/" + name, 'density="7850"'))
    assert start(path) == pytest.approx(expected(0.001), rel=1e-12)
    assert start(path, "--set", "size=0.002") == pytest.approx(expected(0.002), rel=1e-12)


def test_mass_follows_density_and_scale(tmp_path):
    (tmp_path / "block.stl").write_bytes(stl_text())
    path = tmp_path / "m.xml"
    for amount, mass in (('density="7850"', 7850 * 1e-9), ('mass="3"', 3)):
        path.write_text(PENDULUM.format("block.stl", amount))
        facts = json.loads(run("check", "--json", path).stdout)
        assert facts["mass"] == pytest.approx(mass, rel=1e-12)


def test_the_mesh_is_drawn(tmp_path):
    (tmp_path / "block.stl").write_bytes(stl_text())
    path = tmp_path / "m.xml"
    path.write_text(PENDULUM.format("block.stl", 'mass="1"'))
    done = run("animate", path, "--stop", "0.01", "-o", tmp_path / "m.glb")
    assert done.returncode == 0, done.stderr
    content = (tmp_path / "m.glb").read_bytes()
    described = json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")])
    counts = [described["accessors"][p["attributes"]["POSITION"]]["count"] for m in described["meshes"] for p in m["primitives"]]
    indices = [described["accessors"][p["indices"]]["count"] for m in described["meshes"] for p in m["primitives"] if "indices" in p]
    assert 36 in counts or 36 in indices  # 12 triangles


FACET = stl_text()[stl_text().index(b" facet") : stl_text().index(b"endfacet\n") + 9]


@pytest.mark.parametrize(
    ("name", "content", "code", "message"),
    [
        ("a.stl", stl_text().replace(FACET, b"", 1), 0, "'a.stl' is open at 3 edges"),
        ("a.obj", b"\n".join(b"f " + b" ".join(reversed(line.split()[1:])) if line.startswith(b"f") else line for line in obj().split(b"\n")), 0, "face inwards"),
        ("a.stl", b"solid flat\n" + FACET + b"endsolid\n", 1, "enclose no volume"),
        ("a.stl", b"nonsense", 1, "too short for an STL file"),
        ("a.obj", b"v 0 0 0\nf 1 2 3\n", 1, "line 2: there is no vertex '2'"),
        ("a.dae", b"<COLLADA/>", 1, "from STL, OBJ and glTF files"),
        ("none.stl", b"", 1, "the file does not exist"),
    ],
)
def test_surfaces_that_enclose_nothing_are_told(name, content, code, message, tmp_path):
    if content:
        (tmp_path / name).write_bytes(content)
    path = tmp_path / "m.xml"
    path.write_text(PENDULUM.format(name, 'density="7850"'))
    done = run("check", path)
    assert done.returncode == code and message in done.stdout + done.stderr, done.stdout + done.stderr
    assert "m.xml:3" in done.stdout + done.stderr
    assert code or "Block" in done.stdout


def test_meshes_in_millimetres_are_told(tmp_path):
    """A block of 2 km is most likely one of 2 m, unless the file gives a scale."""
    large = b"\n".join(b"v " + b" ".join(b"%g" % (1000 * float(x)) for x in line.split()[1:]) if line.startswith(b"v") else line for line in obj().split(b"\n"))
    (tmp_path / "a.obj").write_bytes(large)
    path = tmp_path / "m.xml"
    for scale, told in (("", True), ('scale="1"', False), ('scale="0.001"', False)):
        path.write_text(PENDULUM.format("a.obj", 'mass="1"').replace('scale="size"', scale))
        done = run("check", path)
        assert done.returncode == 0 and ("is 2000 m long; write scale=" in done.stdout + done.stderr) == told
    path.write_text('<mujoco><asset><mesh name="o" file="a.obj"/></asset><worldbody><body><joint/><geom type="mesh" mesh="o"/></body></worldbody></mujoco>')
    assert "is 2000 m long; give it scale=" in run("import", path, "-o", tmp_path / "x.xml").stderr


def test_meshes_are_below_the_folder(tmp_path):
    (tmp_path / "block.stl").write_bytes(stl_text())
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "m.xml").write_text(PENDULUM.format("../block.stl", 'mass="1"'))
    assert run("check", inner / "m.xml").returncode == 1
    (inner / "link.stl").symlink_to(tmp_path / "block.stl")
    (inner / "m.xml").write_text(PENDULUM.format("link.stl", 'mass="1"'))
    assert run("check", inner / "m.xml").returncode == 1

"""mechfmu import: robots of URDF, MJCF and SDF as mechanism files.

Accelerations are those of Pinocchio 4.1.0 and MuJoCo 4.0.0 for the same files and states, or of exact solutions;
tests/robots/oracles.py compares public robots with these programs.
"""

import csv
import io
import json
import math
import re
import subprocess
from pathlib import Path

import pytest
from blocks import obj, stl_binary, stl_text
from oracles import State, with_state

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "build" / "mechfmu"
FILES = Path(__file__).parent / "files"


def run(*words: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run([TOOL, *words], capture_output=True, text=True)


def imported(source: Path, folder: Path, *options: str) -> str:
    """The mechanism file, with every element in one line."""
    target = folder / "imported.xml"
    done = run("import", source, "-o", target, *options)
    assert done.returncode == 0, done.stderr
    return re.sub(r"\n {3,}(?=[a-z0-9_]+=\")", " ", target.read_text())


def accelerations(mechanism: str, state: State, folder: Path, **inputs: float) -> list[float]:
    path = folder / "state.xml"
    path.write_text(with_state(mechanism, state))
    done = run("simulate", path, "-q", "--stop", "1e-6", "--step", "1e-6", "-o", "-", *(w for n, x in inputs.items() for w in ("--set", f"{n}={x}")))
    assert done.returncode == 0, done.stderr
    first = next(iter(csv.DictReader(io.StringIO(done.stdout))))
    return [float(first[f"a{i}"]) for i in range(len(state.q))]


def facts(path: Path) -> dict:
    done = run("check", "--json", path)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_urdf_arm_moves_as_in_pinocchio(tmp_path):
    text = imported(FILES / "arm.urdf", tmp_path, "--without-motors")
    state = State({"swing": 0.4, "slide": 0.12, "hand_joint": -0.6}, {"swing": 1.1, "slide": -0.4, "hand_joint": 2.0},
                  {"swing": 3.0, "slide": -2.0, "hand_joint": 0.5})  # fmt: skip
    assert accelerations(text, state, tmp_path) == pytest.approx([-5.294529779768568, -3.4981907757604818, 141.79791976302985], rel=1e-10)


def test_an_mjcf_arm_moves_as_in_mujoco(tmp_path):
    """Classes of defaults, Euler angles in another order, all ways to turn a geom, masses of geoms, two joints of a
    body, a coordinate that is not zero where it is placed, springs, armature and a position servo."""
    text = imported(FILES / "arm.xml", tmp_path)
    text = "\n".join(line for line in text.split("\n") if "<contact " not in line)
    state = State({"shoulder": 0.3, "twist": -0.2, "elbow": 0.07}, {"shoulder": 1.0, "twist": -2.0, "elbow": 0.5}, {})
    assert accelerations(text, state, tmp_path, m1=0.1, p=0.06) == pytest.approx([42.68495434806556, 0.7158147022660784, -18.791201161540748], rel=1e-10)


COPIES = State(
    {"lift": 0.05, "hip_0": 0.3, "knee_0": 0.1, "hip_1": -0.2, "knee_1": 0.4, "hip_2": 0.25, "knee_2": -0.35},
    {"lift": 0.2, "hip_0": -0.5, "knee_0": 1.0, "hip_1": 0.7, "knee_1": -1.2, "hip_2": 0.3, "knee_2": 0.6},
    {},
)


def test_copies_and_tendons_move_as_in_mujoco(tmp_path):
    """replicate, and references to its copies; fixed tendons with springs, one of them slack in between, dampers and a motor."""
    text = imported(FILES / "copies.xml", tmp_path, "--without-groups")
    found = accelerations(text, COPIES, tmp_path, pull=1.3, hold_0=0.2, hold_1=-0.1, hold_2=0.3)
    assert found == pytest.approx([-10.963978830220308, -81.95914005516268, 128.808932793545, 76.21405637013208, -165.03007332942258, -167.52530974151395, 372.35442667385723], rel=1e-10)
    assert [name in text for name in ('name="spin_0"', 'name="spin_2"', 'name="spin"')] == [True, True, False]


def end_of_run(path: Path) -> dict[str, float]:
    done = run("simulate", path, "-q", "--stop", "0.2", "--step", "0.1", "--tolerance", "1e-10", "-o", "-", "--set", "pull=1.3")
    assert done.returncode == 0, done.stderr
    return {name: float(value) for name, value in list(csv.DictReader(io.StringIO(done.stdout)))[-1].items()}


def test_repeated_branches_become_a_group_and_move_as_before(tmp_path):
    """Three legs are one group, used three times; inputs and outputs keep their names."""
    plain = imported(FILES / "copies.xml", tmp_path, "--without-groups")
    wanted = end_of_run(tmp_path / "imported.xml")
    text = imported(FILES / "copies.xml", tmp_path)
    assert re.findall(r'<use group="thigh" name="([^"]*)"', text) == ["thigh_0", "thigh_1", "thigh_2"]
    assert text.count('type="capsule"') == 0 and text.count("capsule=") == 2 and plain.count("capsule=") == 6
    assert "thigh_1.shank is shank_1" in text and "<group" not in plain
    names = [set(re.findall(r'<(?:input|output) name="([^"]*)"', t)) for t in (plain, text)]
    assert names[0] == names[1]
    assert end_of_run(tmp_path / "imported.xml") == pytest.approx(wanted, abs=1e-7)


ARM = '''<body name="{0}_arm" pos="{1}" euler="{2} 0 0"><joint name="{0}_a" axis="0 1 0" damping="1"/><geom type="capsule" size="0.02 0.3"/>
<body name="{0}_tip" pos="0 0 0.3"><joint name="{0}_b" axis="1 0 0" armature="0.1"/><geom size="0.05" pos="0 0.1 0"/></body></body>'''


def test_copies_hang_on_different_bodies(tmp_path):
    """An arm on a cart that slides and the same one on the ground; the group has its support as a parameter."""
    cart = f'<body name="cart" pos="0 0 1"><joint name="s" type="slide" axis="1 0 0"/><geom size="0.2"/>{ARM.format("left", "0 0 0.5", 0.3)}</body>'
    path = tmp_path / "arms.xml"
    path.write_text(f'<mujoco><compiler angle="radian"/><worldbody>{cart}{ARM.format("right", "2 0 0.5", 0)}</worldbody><actuator><motor name="pull" joint="left_b"/></actuator></mujoco>')
    imported(path, tmp_path, "--without-groups")
    wanted = end_of_run(tmp_path / "imported.xml")
    text = imported(path, tmp_path)
    assert '<use group="arm" name="left" at="0 0 1.5" rotation="0.3 0 0" host="cart"/>' in text
    assert '<use group="arm" name="right" at="2 0 0.5" host="ground"/>' in text
    assert end_of_run(tmp_path / "imported.xml") == pytest.approx(wanted, abs=1e-7)


LEG = '<body name="{0}" pos="{1}"><joint name="{0}_hip" axis="{2}" range="-1 {4}"/><geom type="capsule" fromto="0 0 0 {3}" size="0.05"/><body name="{0}_foot" pos="{3}"><joint name="{0}_ankle" axis="0 0 1" range="-1 1" damping="1"/><geom size="0.1"/></body></body>'


def test_branches_are_equal_up_to_where_they_stand(tmp_path):
    """Legs turned in their parents, not by the frames of their bodies, are found; a mirrored leg and one with another limit do
    not count."""
    legs = [("a", "1 0 0", "0 1 0", "1 0 0.5", 1), ("b", "0 1 0", "-1 0 0", "0 1 0.5", 1), ("c", "-1 0 0", "0 1 0", "-1 0 0.5", 1), ("d", "0 -1 0", "1 0 0", "0 -1 0.5", 1.1)]  # fmt: skip
    path = tmp_path / "legs.xml"
    path.write_text(f'<mujoco><compiler angle="radian"/><worldbody>{"".join(LEG.format(*leg) for leg in legs)}</worldbody></mujoco>')
    text = imported(path, tmp_path)
    assert re.findall(r'<use group="branch" name="([^"]*)"', text) == ["a", "b"]
    bodies = re.findall(r'^  <body name="([^"]*)"', text, re.MULTILINE)
    assert [name for name in bodies if "rotor" not in name] == ["c", "c_foot", "d", "d_foot"]
    assert "<group" in text and facts(tmp_path / "imported.xml")["degrees_of_freedom"] == 8


def test_tendons_are_coupled_and_others_told(tmp_path):
    path = tmp_path / "m.xml"
    joints = "".join(f'<body pos="{i} 0 0"><joint name="j{i}" axis="0 1 0" ref="{i}"/><geom size="0.1"/><site name="s{i}"/></body>' for i in range(3))
    tendons = '<fixed name="t"><joint joint="j0" coef="1"/><joint joint="j1" coef="2"/></fixed><fixed name="u"><joint joint="j2" coef="3"/></fixed><spatial name="w"><site site="s0"/><site site="s1"/></spatial>'
    path.write_text(f'<mujoco><compiler angle="radian"/><worldbody>{joints}</worldbody><tendon>{tendons}</tendon><equality><tendon tendon1="t" tendon2="u" polycoef="0.1 2"/></equality>'
                    '<actuator><motor tendon="w"/></actuator></mujoco>')  # fmt: skip
    text = imported(path, tmp_path)
    assert 'value="(t - 2) - (0.1 + 2*(u - 6))"' in text
    assert facts(tmp_path / "imported.xml")["degrees_of_freedom"] == 2
    said = run("import", path, "-o", tmp_path / "x.xml").stderr
    assert re.search(r"m\.xml:1: warning: spatial 'w': is left out: tendons over sites", said) and "its tendon is" in said


def test_actuators_lag(tmp_path):
    """u' = (w − u)/τ: a wheel of inertia J turns with ω = w/J (t − τ (1 − exp(−t/τ)))."""
    path = tmp_path / "m.xml"
    wheel = '<body><joint name="j"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 0.5"/></body>'
    path.write_text(f'<mujoco><worldbody>{wheel}</worldbody><actuator><general name="w" joint="j" dyntype="filter" dynprm="0.1"/></actuator><sensor><jointvel name="omega" joint="j"/></sensor></mujoco>')
    imported(path, tmp_path)
    done = run("simulate", tmp_path / "imported.xml", "-q", "--stop", "0.2", "--step", "0.1", "--tolerance", "1e-10", "-o", "-", "--set", "w=3")
    assert float(list(csv.DictReader(io.StringIO(done.stdout)))[-1]["omega"]) == pytest.approx(3 / 0.5 * (0.2 - 0.1 * (1 - math.exp(-2))), rel=1e-5)


GEARBOX = """<sdf version="1.9"><model name="gears"><static>false</static><link name="case"/>
<link name="pinion"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>0.02</izz></inertia></inertial></link>
<link name="wheel"><pose>0.3 0 0 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>0.5</izz></inertia></inertial></link>
<joint name="ground" type="fixed"><parent>world</parent><child>case</child></joint>
<joint name="A" type="revolute"><parent>case</parent><child>pinion</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="B" type="revolute"><parent>wheel</parent><child>case</child><pose relative_to="wheel"/><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="G" type="gearbox"><parent>pinion</parent><child>wheel</child><gearbox_ratio>0.25</gearbox_ratio>
<gearbox_reference_body>case</gearbox_reference_body><axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint></model></sdf>"""


def test_a_gearbox_of_sdf_is_a_coupling(tmp_path):
    """θ₂ = −ratio θ₁, so that α = τ/(J₁ + ratio² J₂); B is the angle of the case in the wheel, which is −θ₂."""
    path = tmp_path / "g.sdf"
    path.write_text(GEARBOX)
    text = imported(path, tmp_path)
    alpha = 2 / (0.02 + 0.25**2 * 0.5)
    assert accelerations(text, State({"A": 0.0, "B": 0.0}, {"A": 0.0, "B": 0.0}, {}), tmp_path, A_torque=2.0) == pytest.approx([alpha, 0.25 * alpha], rel=1e-10)
    path.write_text(GEARBOX.replace("<gearbox_reference_body>case<", "<gearbox_reference_body>wheel<"))
    assert "no joint turns 'pinion' in the reference body" in run("import", path, "-o", tmp_path / "x.xml").stderr


@pytest.mark.parametrize("file", ["parallelogram.sdf", "parallelogram.xml"])
def test_loops_are_closed(file, tmp_path):
    """α = g (2 m l/2 + M l)/(2 (J + m l²/4) + M l²) of a parallelogram that is released with its cranks level."""
    text = imported(FILES / file, tmp_path, "--without-motors")
    assert facts(tmp_path / "imported.xml")["degrees_of_freedom"] == 1
    path = tmp_path / "output.xml"
    path.write_text(text.replace("</mechanism>", '<output name="alpha" value="A.acceleration" unit="rad/s2"/></mechanism>'))
    done = run("simulate", path, "-q", "--stop", "1e-6", "--step", "1e-6", "-o", "-")
    assert done.returncode == 0, done.stderr
    first = next(iter(csv.DictReader(io.StringIO(done.stdout))))
    assert float(first["alpha"]) == pytest.approx(9.81 * 2.75 / 1.25, rel=1e-10)


def test_a_loop_within_one_body_is_left_out(tmp_path):
    """Without its joint the crank is a part of the ground, and so is what else is fixed to it."""
    text = (FILES / "parallelogram.xml").read_text()
    file = tmp_path / "fixed.xml"
    file.write_text(re.sub(r'<joint name="D"[^>]*/>', "", text).replace('body1="coupler"', 'body1="world"'))
    made = imported(file, tmp_path, "--without-motors")
    assert "C connects two parts of the ground, which is one body here" in made
    assert 'name="C"' not in made
    assert facts(tmp_path / "imported.xml")["degrees_of_freedom"] == 2


def test_loops_that_do_not_fit_are_closed_by_points(tmp_path):
    """Axes that are parallel to three digits: the loop holds a point on a line, and moves like an exact one."""
    path = tmp_path / "crooked.sdf"
    good = (FILES / "parallelogram.sdf").read_text()
    path.write_text(good.replace('name="C" type="revolute"><pose>0.25 0 0 0 0 0<', 'name="C" type="revolute"><pose>0.25 0 0 0.001 0 0.002<'))
    imported(path, tmp_path)
    done = run("check", tmp_path / "imported.xml")
    assert done.returncode == 1 or "degrees of freedom  0" in done.stdout
    text = imported(path, tmp_path, "--loops-by-points", "--without-motors")
    assert re.search(r'name="D" type="point_on_line"', text)
    assert facts(tmp_path / "imported.xml")["degrees_of_freedom"] == 1
    assert accelerations(text, State({"A": 0.0}, {"A": 0.0}, {}), tmp_path) == pytest.approx([9.81 * 2.75 / 1.25], rel=1e-4)


LIMITS = "<limit><lower>{}</lower><upper>{}</upper></limit>"


def test_one_joint_of_a_loop_decides_where_it_starts(tmp_path):
    """Zero is beyond the limits of two joints of a loop: the first starts at its limit, the other follows."""
    path = tmp_path / "limited.sdf"
    good = (FILES / "parallelogram.sdf").read_text()
    for name, low, high in (("A", 0.3, 0.8), ("B", -0.9, -0.2)):
        good = re.sub(rf'(<joint name="{name}".*?)</axis>', rf"\1{LIMITS.format(low, high)}</axis>", good)
    path.write_text(good)
    text = imported(path, tmp_path)
    assert re.search(r'name="A".* angle="0.3"', text) and not re.search(r'name="B".* angle=', text)
    assert "it starts where another joint of its loop makes it" in text
    assert facts(tmp_path / "imported.xml")["degrees_of_freedom"] == 1


def test_joints_start_where_they_are_set(tmp_path):
    text = imported(FILES / "arm.urdf", tmp_path, "--set", "swing=30deg", "--set", "slide=0.1")
    assert re.search(r'name="swing".* angle="30deg"', text)
    done = run("simulate", tmp_path / "imported.xml", "-q", "--stop", "1e-6", "--step", "1e-6", "-o", "-")
    first = next(iter(csv.DictReader(io.StringIO(done.stdout))))
    assert float(first["swing.angle"]) == pytest.approx(0.5235987755982988, abs=1e-9)
    assert float(first["slide.displacement"]) == pytest.approx(0.1, abs=1e-9)
    wrong = run("import", FILES / "arm.urdf", "-o", tmp_path / "x.xml", "--set", "swnig=1")
    assert wrong.returncode == 2 and "did you mean 'swing'?" in wrong.stderr


def test_elements_left_out_are_reported_with_their_line(tmp_path):
    done = run("import", FILES / "arm.urdf", "-o", tmp_path / "x.xml")
    assert re.search(r"arm\.urdf:\d+: warning: <gazebo>: is left out", done.stderr)
    assert re.search(r"arm\.urdf:\d+: warning: joint 'hand': is called hand_joint in the mechanism file", done.stderr)
    assert "camera is fixed to jib" in (tmp_path / "x.xml").read_text()
    assert run("import", FILES / "arm.urdf", "-o", tmp_path / "y.xml", "--strict").returncode == 1
    assert not (tmp_path / "y.xml").exists()


def test_a_free_base_moves_freely(tmp_path):
    imported(FILES / "arm.urdf", tmp_path)
    assert facts(tmp_path / "imported.xml")["degrees_of_freedom"] == 3
    imported(FILES / "arm.urdf", tmp_path, "--free-base")
    assert facts(tmp_path / "imported.xml")["degrees_of_freedom"] == 9


def test_mimicry_and_polynomials_become_couplings(tmp_path):
    joints = '<body><joint name="a" axis="0 1 0"/><geom size="0.1"/></body><body pos="1 0 0"><joint name="b" axis="0 1 0"/><geom size="0.1"/></body>'
    path = tmp_path / "m.xml"
    path.write_text(f'<mujoco><worldbody>{joints}</worldbody><equality><joint joint1="a" joint2="b" polycoef="0 2 0.5"/></equality></mujoco>')
    text = imported(path, tmp_path)
    assert 'value="a.angle - (0 + 2*b.angle + 0.5*b.angle^2)"' in text
    assert facts(tmp_path / "imported.xml")["degrees_of_freedom"] == 1
    urdf = (FILES / "arm.urdf").read_text().replace('<limit lower="-1.5"', '<mimic joint="swing" multiplier="-2" offset="0.1"/><limit lower="-1.5"')
    path = tmp_path / "m.urdf"
    path.write_text(urdf)
    assert 'of="hand_joint swing" factors="1 2" constant="0.1"' in imported(path, tmp_path)
    assert facts(tmp_path / "imported.xml")["degrees_of_freedom"] == 2


@pytest.mark.parametrize(("name", "content"), [("block.stl", stl_text()), ("BLOCK.STL", stl_binary()), ("block.obj", obj())])
def test_the_mass_of_a_mesh_is_that_of_the_solid_in_it(name, content, tmp_path):
    """A block of 2 × 1 × 0.5 m of density 8: m = 8 kg, J = m/12 (b² + c² …) about its middle, here scaled by ½."""
    (tmp_path / name).write_bytes(content)
    (tmp_path / "m.xml").write_text(f'<mujoco><asset><mesh name="block" file="{name}" scale="0.5 0.5 0.5"/></asset><worldbody><body name="b">'
                                    '<joint name="j"/><geom type="mesh" mesh="block" density="64"/></body></worldbody></mujoco>')  # fmt: skip
    line = re.search(r"<body name=\"b\".*", imported(tmp_path / "m.xml", tmp_path))[0]
    numbers = {n: [float(x) for x in re.search(rf' {n}="([^"]*)"', line)[1].split()] for n in ("mass", "centre", "inertia")}
    assert numbers["mass"] == pytest.approx([8])
    assert numbers["centre"] == pytest.approx([0.5, 0.25, 0.125])
    assert numbers["inertia"][:3] == pytest.approx([8 / 12 * (0.25 + 0.0625), 8 / 12 * (1 + 0.0625), 8 / 12 * (1 + 0.25)])


LOOKS = """<robot name="r"><material name="red"><color rgba="1 0 0 0.5"/></material><link name="a"/>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
<visual><geometry><mesh filename="package://arm/meshes/block.stl" scale="0.1 0.1 0.1"/></geometry></visual>
<visual><geometry><mesh filename="package://arm/meshes/block.dae"/></geometry></visual>
<collision><geometry><sphere radius="9"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"""


def test_appearance_is_imported(tmp_path):
    """Meshes of a package above the file are copied if --root allows reading them; collision shapes are not drawn beside visual
    ones."""
    for folder in ("arm/urdf", "arm/meshes", "out"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "arm/meshes/block.stl").write_bytes(stl_binary())
    (tmp_path / "arm/meshes/block.dae").write_text("<COLLADA/>")
    source = tmp_path / "arm/urdf/r.urdf"
    source.write_text(LOOKS)
    text = imported(source, tmp_path / "out", "--root", str(tmp_path))
    assert '<look body="b" box="1 2 3" at="0 0 1" local="true" color="#ff0000" opacity="0.5"/>' in text
    assert '<look body="b" file="imported_meshes/block.stl" scale="0.1" local="true"/>' in text
    assert "1 mesh is not drawn: not STL, OBJ or glTF but .dae" in text
    assert '<look body="b" sphere="9" local="true"/>' in text  # instead of that mesh
    assert (tmp_path / "out/imported_meshes/block.stl").read_bytes() == stl_binary()
    facts(tmp_path / "out/imported.xml")
    here = imported(source, tmp_path / "arm", "--root", str(tmp_path))  # below the mechanism file: no copy
    assert 'file="meshes/block.stl"' in here and not (tmp_path / "arm/imported_meshes").exists()
    assert "2 meshes are not drawn: not in the folder" in imported(source, tmp_path / "out")
    assert "<look" not in imported(source, tmp_path / "out", "--without-looks")
    source.write_text(LOOKS.replace("block.dae", "block.stl"))
    assert "sphere" not in imported(source, tmp_path / "out", "--root", str(tmp_path))


def test_meshes_that_links_lead_to_are_not_copied(tmp_path):
    (tmp_path / "in/meshes").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "in/meshes/block.stl").symlink_to(tmp_path / "secret")
    (tmp_path / "in/r.urdf").write_text(LOOKS)
    done = run("import", tmp_path / "in/r.urdf", "-o", tmp_path / "out/x.xml")
    assert done.returncode != 0 and "cannot be copied" in done.stderr
    assert not (tmp_path / "out/x_meshes/block.stl").exists()


def test_open_surfaces_are_told(tmp_path):
    (tmp_path / "open.stl").write_bytes(stl_text().replace(stl_text()[stl_text().index(b" facet") : stl_text().index(b"endfacet\n") + 9], b"", 1))
    (tmp_path / "m.xml").write_text('<mujoco><asset><mesh name="o" file="open.stl"/></asset><worldbody><body><joint/><geom type="mesh" mesh="o"/></body></worldbody></mujoco>')
    done = run("import", tmp_path / "m.xml", "-o", tmp_path / "x.xml")
    assert "is open at 3 edges" in done.stderr


URDF = '<robot name="r">{}</robot>'
LINKS = '<link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
JOINT = '<joint name="j" type="{}"><parent link="{}"/><child link="{}"/>{}</joint>'
BODY = '<mujoco><worldbody><body name="b">{}</body></worldbody>{}</mujoco>'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("r.urdf", "", "the file is empty"),
        ("r.urdf", "<robot", "not well-formed XML"),
        ("r.urdf", "<car/>", "is not the root of a robot's file"),
        ("r.urdf", '<!DOCTYPE r [<!ENTITY a "b">]><robot/>', "DOCTYPE and entities are not allowed"),
        ("r.urdf", URDF.format(""), "the robot has no links"),
        ("r.urdf", URDF.format('<xacro:macro xmlns:xacro="x"/>'), "this is a xacro file"),
        ("r.urdf", URDF.format(LINKS + JOINT.format("revolut", "a", "b", "")), "did you mean 'revolute'?"),
        ("r.urdf", URDF.format(LINKS + JOINT.format("revolute", "a", "c", "")), "link 'c' does not exist"),
        ("r.urdf", URDF.format(LINKS + JOINT.format("revolute", "b", "b", "")), "it joins a link to itself"),
        ("r.urdf", URDF.format(LINKS + JOINT.format("revolute", "a", "b", "") * 2), "two joints have this name"),
        ("r.urdf", URDF.format(LINKS + JOINT.format("revolute", "a", "b", "") + JOINT.replace('"j"', '"k"').format("revolute", "b", "a", "")), "there is no root link"),
        ("r.urdf", URDF.format(LINKS + JOINT.format("revolute", "a", "b", '<axis xyz="0 0 0"/>')), "xyz has length zero"),
        ("r.urdf", URDF.format(LINKS + JOINT.format("revolute", "a", "b", '<axis xyz="0 0"/>')), "3 numbers are expected"),
        ("r.urdf", URDF.format(LINKS + JOINT.format("revolute", "a", "b", '<axis xyz="0 nan 1"/>')), "'nan' is not a number"),
        ("r.urdf", URDF.format(LINKS.replace('value="1"', 'value="-1"') + JOINT.format("revolute", "a", "b", "")), "its mass is negative"),
        ("r.urdf", URDF.format(LINKS.replace('ixx="1"', 'ixx="-1"') + JOINT.format("revolute", "a", "b", "")), "a negative principal moment"),
        ("m.xml", BODY.format('<joint/><geom size="0.1"/>', '<include file="m.xml"/>'), "is included a second time"),
        ("m.xml", BODY.format('<joint/><geom size="0.1"/>', '<include file="../m.xml"/>'), "is not a file in the folder"),
        ("m.xml", BODY.format('<joint class="x"/><geom size="0.1"/>', ""), "there is no default class 'x'"),
        ("m.xml", BODY.format('<joint/><replicate count="100000"><geom size="0.1"/></replicate>', ""), "make more than 100000 elements"),
        ("m.xml", BODY.format('<joint/><replicate count="0"><geom size="0.1"/></replicate>', ""), "count is a whole number"),
        ("m.xml", BODY.format('<joint/><geom size="0.1"/>', '<tendon><fixed><joint joint="k" coef="1"/></fixed></tendon>'), "joint 'k' does not exist"),
        ("m.xml", BODY.format('<joint type="hing"/><geom size="0.1"/>', ""), "joints are of type hinge, slide, ball or free"),
        ("m.xml", BODY.format('<joint/><geom size="0.1"/>', '<equality><connect body0="b" body2="b" anchor="0 0 0"/></equality>'), "body1 is missing"),
        ("m.xml", BODY.format('<joint name="j"/><geom size="0.1"/>', '<actuator><motor joint="k"/></actuator>'), "joint 'k' does not exist"),
        ("m.xml", BODY.format('<joint/><geom type="mesh" mesh="none"/>', ""), "is not one with a file"),
        ("m.xml", BODY.format('<joint/><geom type="mesh" mesh="n"/>', '<asset><mesh name="n" file="n.stl"/></asset>'), "is not a file in the folder"),
        ("m.xml", BODY.format('<joint/><geom type="mesh" mesh="n"/>', '<asset><mesh name="n" file="bad.stl"/></asset>'), "it is too short for an STL file"),
        ("s.sdf", "<sdf/>", "it has no model with links"),
        ("s.sdf", '<sdf><model name="m"><link name="world"/></model></sdf>', "two things have this name"),
        ("s.sdf", '<sdf><model name="m"><link name="a"><pose relative_to="b"/></link><link name="b"><pose relative_to="a"/></link></model></sdf>', "relative to each other cyclically"),
        ("s.sdf", '<sdf><model name="m"><link name="a"/><joint name="j" type="revolute"><parent>world</parent><child>c</child></joint></model></sdf>', "'c'"),
    ],
)
def test_bad_files_are_refused_with_a_line(name, content, message, tmp_path):
    (tmp_path / name).write_text(content)
    (tmp_path / "bad.stl").write_text("nonsense")
    done = run("import", tmp_path / name, "-o", tmp_path / "out.xml")
    assert done.returncode == 1 and message in done.stderr, done.stderr
    assert all(re.match(r".*\.(urdf|xml|sdf):(\d+:)? error: ", line) for line in done.stderr.strip().split("\n"))
    assert not (tmp_path / "out.xml").exists()


def test_hostile_names_do_no_harm(tmp_path):
    names = ['"/><evil/>', "--> <x>", "ground", "a b-c", "9", "é", "sin"]
    links = "".join(f"<link name='{n.replace('<', '&lt;')}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>" for n in names)
    joints = "".join(f"<joint name='{n.replace('<', '&lt;')}' type='revolute'><parent link='base'/><child link='{n.replace('<', '&lt;')}'/></joint>" for n in names)
    (tmp_path / "r.urdf").write_text(f"<robot name='--&gt;&lt;x&gt;'><link name='base'/>{links}{joints}</robot>")
    text = imported(tmp_path / "r.urdf", tmp_path)
    assert "<evil" not in text.split("<mechanism")[1] and "<x>" not in text.split("<mechanism")[1]
    assert facts(tmp_path / "imported.xml")["degrees_of_freedom"] == len(names)


def test_the_source_is_not_written_over(tmp_path):
    source = tmp_path / "m.xml"
    source.write_text(BODY.format('<joint/><geom size="0.1"/>', ""))
    assert run("import", source, "-o", source).returncode == 2
    done = subprocess.run([TOOL, "import", "m.xml"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.strip() == "m_mechanism.xml"

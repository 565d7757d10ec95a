"""Robots that other programs also read: the same file in MuJoCo, Pinocchio and Drake, accelerations at random states.

    python tests/robots/oracles.py --tool build/mechfmu robot.urdf ... [--states 5] [--known FILE]

For each file: mechfmu import, then at random positions, speeds and motor torques the accelerations of all joints, against
those of Pinocchio and Drake (URDF) or MuJoCo (MJCF). Prints a table; ends with 1 if an acceleration differs by more than
1e-9 of the largest, or a file cannot be read; --known names a file with lines "robot.urdf: a part of the message", for
files that are wrong themselves. Needs `pip install -r tests/robots/requirements.txt`.
"""

import argparse
import atexit
import csv
import io
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

BOUND = 1e-9
BOUND_OF_DRAKE = 1e-8  # it differs from Pinocchio by 1.4e-9 for icub, whose fingers weigh almost nothing


@dataclass
class State:
    """Coordinates, speeds and motor forces by the names of joints."""

    q: dict[str, float]
    v: dict[str, float]
    force: dict[str, float]


@dataclass
class Verdict:
    name: str
    bodies: int = 0
    joints: int = 0
    worst: float = 0.0
    drake: float | None = None
    problem: str = ""
    notes: list[str] = field(default_factory=list)


def element_names(name: str) -> str:
    """Names as the importer makes them."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


class PinocchioOracle:
    def __init__(self, path: Path):
        import pinocchio

        self.lib = pinocchio
        self.model = pinocchio.buildModelFromUrdf(str(path))
        self.data = self.model.createData()
        self.model.lowerPositionLimit[:] = -2.5
        self.joints = {}
        for index, name in enumerate(self.model.names):
            joint = self.model.joints[index]
            if index > 0 and joint.nv == 1:
                self.joints[name] = (joint.idx_q, joint.nq, joint.idx_v)

    def complete(self) -> str:
        odd = [n for i, n in enumerate(self.model.names) if i > 0 and self.model.joints[i].nv != 1]
        return f"joints without one coordinate: {', '.join(odd)}" if odd else ""

    def accelerations(self, state: State) -> dict[str, float]:
        q, v, tau = self.lib.neutral(self.model), np.zeros(self.model.nv), np.zeros(self.model.nv)
        for name, (iq, nq, iv) in self.joints.items():
            if nq == 2:
                q[iq : iq + 2] = np.cos(state.q[name]), np.sin(state.q[name])
            else:
                q[iq] = state.q[name]
            v[iv] = state.v[name]
            tau[iv] = state.force.get(name, 0.0)
        tau -= self.model.damping * v
        a = self.lib.aba(self.model, self.data, q, v, tau)
        return {name: a[iv] for name, (_, _, iv) in self.joints.items()}


class DrakeOracle:
    def __init__(self, path: Path):
        import logging

        from pydrake.multibody.parsing import Parser
        from pydrake.multibody.plant import MultibodyPlant

        changed = []  # Drake's messages about masses that it does not accept unchanged
        watch = logging.Handler()
        watch.emit = lambda record: changed.append(record.getMessage())
        log = logging.getLogger("drake")
        log.handlers, log.propagate = [watch], False
        self.plant = MultibodyPlant(0.0)
        parser = Parser(self.plant)
        (instance,) = parser.AddModels(file_contents=without_shapes(path.read_text(errors="replace")), file_type="urdf")
        if any("inertia" in text for text in changed):
            raise ValueError("it changes inertias that it does not accept")
        children = {self.plant.get_joint(j).child_body().index() for j in self.plant.GetJointIndices(instance)}
        for index in self.plant.GetBodyIndices(instance):
            if index not in children:
                self.plant.WeldFrames(self.plant.world_frame(), self.plant.get_body(index).body_frame())
        self.plant.Finalize()
        self.context = self.plant.CreateDefaultContext()
        self.joints = {}
        for index in self.plant.GetJointIndices(instance):
            joint = self.plant.get_joint(index)
            if joint.num_velocities() == 1:
                self.joints[joint.name()] = joint

    def complete(self) -> str:
        return ""

    def accelerations(self, state: State) -> dict[str, float]:
        q, v, tau = (np.zeros(n) for n in (self.plant.num_positions(), self.plant.num_velocities(), self.plant.num_velocities()))
        for name, joint in self.joints.items():
            q[joint.position_start()] = state.q[name]
            v[joint.velocity_start()] = state.v[name]
            tau[joint.velocity_start()] = state.force.get(name, 0.0)
        self.plant.SetPositionsAndVelocities(self.context, np.concatenate([q, v]))
        self.plant.get_applied_generalized_force_input_port().FixValue(self.context, tau)
        if self.plant.num_actuators():
            self.plant.get_actuation_input_port().FixValue(self.context, np.zeros(self.plant.num_actuators()))
        a = self.plant.EvalTimeDerivatives(self.context).CopyToVector()[self.plant.num_positions() :]
        return {name: a[joint.velocity_start()] for name, joint in self.joints.items()}


def without_shapes(urdf: str) -> str:
    """The file without references to other files, which Drake would read, and without mimicry, which is off everywhere here."""
    root = ElementTree.fromstring(urdf)
    for node in root.iter():
        for part in list(node):
            if part.tag in ("visual", "collision", "mimic", "transmission", "gazebo"):
                node.remove(part)
    return ElementTree.tostring(root, encoding="unicode")


class MujocoOracle:
    def __init__(self, path: Path):
        import mujoco

        self.lib = mujoco
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.data = mujoco.MjData(self.model)
        flags = mujoco.mjtDisableBit
        self.model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS | flags.mjDSBL_CLAMPCTRL | flags.mjDSBL_ACTUATION | flags.mjDSBL_EQUALITY
        self.model.opt.density = self.model.opt.viscosity = 0
        self.joints = {}
        for j in range(self.model.njnt):
            name = mujoco.mj_id2name(self.model, mujoco.mjtObj.mjOBJ_JOINT, j)
            if self.model.jnt_type[j] in (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)) and name:
                self.joints[name] = j

    def complete(self) -> str:
        mujoco = self.lib
        couples = (int(mujoco.mjtEq.mjEQ_JOINT), int(mujoco.mjtEq.mjEQ_TENDON))  # which are off in both
        if any(t not in couples for t in self.model.eq_type):
            return "closes loops"
        turning = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
        if len(self.joints) != sum(t in turning for t in self.model.jnt_type):  # others stay where they are placed
            return "joints without a name"
        return ""

    def accelerations(self, state: State) -> dict[str, float]:
        self.lib.mj_resetData(self.model, self.data)
        for name, j in self.joints.items():
            self.data.qpos[self.model.jnt_qposadr[j]] = state.q[name]
            self.data.qvel[self.model.jnt_dofadr[j]] = state.v[name]
            self.data.qfrc_applied[self.model.jnt_dofadr[j]] = state.force.get(name, 0.0)
        self.lib.mj_forward(self.model, self.data)
        return {name: self.data.qacc[self.model.jnt_dofadr[j]] for name, j in self.joints.items()}


def with_state(mechanism: str, state: State, *, tree: bool = False) -> str:
    """The mechanism file with this start, without limits, dry friction and mimicry, and with coordinates, rates and accelerations as outputs.
    As a tree, it has no couplings except those of rotors."""
    made = []
    zeros = {}
    for line in re.sub(r"\n\s{3,}(?=\w+=)", " ", mechanism).split("\n"):
        tag = re.match(r"\s*<(\w+) name=\"([^\"]*)\"", line)
        if tag and (tag[1] == "stop" or (tag[1] == "coupling" and (tag[2].endswith("_mimic") or (tree and not tag[2].endswith("_shaft"))))):
            continue
        if tag and tag[1] == "friction":
            line = re.sub(r' coulomb="[^"]*"', "", line)
            if "viscous" not in line:
                continue
        if tag and tag[1] == "body" and 'free="true"' in line:
            line = line.replace("/>", ' hold="all"/>')
        if tag and tag[1] == "joint" and tag[2] in state.q:
            turns = 'type="revolute"' in line
            kind = "angle" if turns else "displacement"
            line = re.sub(rf' {kind}="[^"]*"', "", line)
            shift = re.search(rf'<output [^>]*value="{tag[2]}\.{kind} ([+-]) ([^" ]+)"', mechanism)  # the coordinate of the file at t = 0
            zeros[tag[2]] = zero = float(shift[1] + shift[2]) if shift else 0.0
            line = line.replace("/>", f' {kind}="{state.q[tag[2]] - zero!r}" {kind}_rate="{state.v[tag[2]]!r}"/>')
        if tag and tag[1] == "input":
            line = re.sub(r' (min|max)="[^"]*"', "", line)
        if tag and tag[1] == "output":
            continue
        made.append(line)
    outputs = []
    for i, name in enumerate(state.q):
        slides = re.search(rf'<joint name="{re.escape(name)}" type="prismatic"', mechanism)
        unit = "m" if slides else "rad"
        outputs += [
            f'  <output name="q{i}" value="{name}.{"displacement" if slides else "angle"} + {zeros.get(name, 0.0)!r}" unit="{unit}"/>',
            f'  <output name="v{i}" value="{name}.rate" unit="{unit}/s"/>',
            f'  <output name="a{i}" value="{name}.acceleration" unit="{unit}/s2"/>',
        ]
    forces = []
    for i, name in enumerate(state.force):
        tag = "force" if re.search(rf'<joint name="{re.escape(name)}" type="prismatic"', mechanism) else "torque"
        forces.append(f'  <{tag} name="oracle_force_{i}" joint="{name}" value="{state.force[name]!r}"/>')
    return "\n".join(made).replace("</mechanism>", "\n".join([*forces, *outputs]) + "\n</mechanism>")


class Problem(Exception):
    pass


def in_temporary_folder() -> None:
    """MuJoCo writes MUJOCO_LOG.TXT into the current folder."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    os.chdir(folder.name)


def imported(tool: Path, path: Path, folder: Path) -> str:
    """The mechanism file, one element per line, without motors, contacts and limits."""
    target = folder / "robot.xml"
    done = subprocess.run([tool, "import", path, "-o", target, "--without-motors", "--without-looks", "--without-groups"], capture_output=True, text=True)
    if done.returncode:
        raise Problem("import: " + done.stderr.strip().split("\n")[0].replace(str(path.parent) + "/", "")[:200])
    text = re.sub(r"\n {3,}(?=[a-z0-9_]+=\")", " ", target.read_text())
    inputs = re.findall(r'<input name="([^"]*)"', text)
    moved = tuple(f"{name}_" for name in inputs)  # forces of pulled tendons, and their lag

    def is_of_motor(line: str) -> bool:
        tag = re.match(r'\s*<(\w+) name="([^"]*)"', line)
        return bool(tag) and (tag[1] in ("input", "contact") or (tag[1] in ("torque", "force", "variable", "state") and (tag[2].endswith("_motor") or tag[2].startswith(moved))))

    return "\n".join(line for line in text.split("\n") if not is_of_motor(line))


def rows(tool: Path, path: Path, *words: str) -> list[dict[str, str]]:
    run = subprocess.run([tool, "simulate", path, "-q", "-o", "-", *words], capture_output=True, text=True)
    if run.returncode:
        raise Problem("simulate: " + run.stderr.strip().split("\n")[0][:200])
    return list(csv.DictReader(io.StringIO(run.stdout)))


def is_mjcf(path: Path) -> bool:
    return "<mujoco" in path.read_text(errors="replace")[:2000]


def oracle_of(path: Path):
    try:
        return (MujocoOracle if is_mjcf(path) else PinocchioOracle)(path)
    except Exception as error:
        raise Problem(f"oracle: {error}"[:160]) from error


def names_in(text: str, oracle) -> dict[str, str]:
    """The names that joints of the oracle have in the mechanism file."""
    written = set(re.findall(r'<joint name="([^"]*)"', text))
    made = {}
    for name in oracle.joints:
        own = element_names(name)
        made[own if own in written else own + "_joint"] = name  # that of a link has another one
    if missing := [n for n in made if n not in written]:
        raise Problem(f"not in the mechanism: {missing[:3]}")
    return made


def start_of(first: dict[str, str], names: dict[str, str], own: State) -> State:
    """Assembly has put the joints to their places, to some digits."""
    q, v = ({name: float(first[f"{letter}{i}"]) for i, name in enumerate(names.values())} for letter in "qv")
    off = max(max(abs(q[name] - own.q[n]), abs(v[name] - own.v[n])) for n, name in names.items())
    if off > 1e-6:
        raise Problem(f"starts {off:.1e} away from where it should")
    return State(q, v, {names[n]: x for n, x in own.force.items()})


def difference(first: dict[str, str], names: dict[str, str], wanted: dict[str, float]) -> float:
    a = np.array([float(first[f"a{i}"]) for i in range(len(names))])
    b = np.array([wanted[name] for name in names.values()])
    return float(np.max(np.abs(a - b)) / np.max(np.abs(b)))


def compare(tool: Path, path: Path, states: int, seed: int, verdict: Verdict) -> None:
    random = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "state.xml"
        text = imported(tool, path, Path(folder))
        verdict.bodies = len(re.findall(r"<body ", text))
        oracle = oracle_of(path)
        second = None
        if not is_mjcf(path):
            try:
                second = DrakeOracle(path)
                if set(second.joints) != set(oracle.joints):
                    second = None
            except Exception as error:
                verdict.notes.append(f"Drake does not read it: {str(error).splitlines()[0]}"[:100])
        names = names_in(text, oracle)
        verdict.joints = len(names)
        if odd := oracle.complete():
            raise Problem("left out: " + odd)
        for _ in range(states):
            own = State(*({n: random.uniform(-1, 1) for n in names} for _ in range(3)))
            target.write_text(with_state(text, own, tree=True))
            first = rows(tool, target, "--stop", "1e-6", "--step", "1e-6")[0]
            start = start_of(first, names, own)
            verdict.worst = max(verdict.worst, difference(first, names, oracle.accelerations(start)))
            if second:
                verdict.drake = max(verdict.drake or 0.0, difference(first, names, second.accelerations(start)))
    if not (verdict.worst < BOUND and (verdict.drake or 0.0) < BOUND_OF_DRAKE):
        raise Problem(f"accelerations differ by more than {BOUND} of the largest")


def check(tool: Path, path: Path, states: int, seed: int) -> Verdict:
    verdict = Verdict(path.name)
    try:
        compare(tool, path, states, seed, verdict)
    except Problem as problem:
        verdict.problem = str(problem)
    return verdict


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--tool", type=Path, default=Path("build/mechfmu"))
    parser.add_argument("--states", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--known", type=Path)
    options = parser.parse_args()
    files, tool = [f.resolve() for f in options.files], options.tool.resolve()
    known = dict(line.split(": ", 1) for line in options.known.read_text().splitlines() if line and not line.startswith("#")) if options.known else {}
    print("| robot | bodies | joints | Pinocchio or MuJoCo | Drake | |\n|---|---:|---:|---:|---:|---|")
    in_temporary_folder()
    bad = 0
    for path in files:
        v = check(tool, path, options.states, options.seed)
        expected = v.name in known and known[v.name] in v.problem
        bad += bool(v.problem) and not v.problem.startswith("left out") and not expected
        drake = "" if v.drake is None else f"{v.drake:.1e}"
        said = "; ".join(filter(None, [v.problem, *v.notes]))
        print(f"| {v.name} | {v.bodies} | {v.joints} | {v.worst:.1e} | {drake} | {said} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

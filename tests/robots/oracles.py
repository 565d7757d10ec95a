"""Robots that others read, too: the same file in MuJoCo and Pinocchio, accelerations at random states.

    python tests/robots/oracles.py --tool build/mechfmu robot.urdf ... [--states 5] [--known FILE]

For each file: mechfmu import, then at random positions, speeds and motor torques the accelerations of all joints, against
those of Pinocchio (URDF) or MuJoCo (MJCF). Prints a table; ends with 1 where something differs by more than 1e-9 of the
largest acceleration, or cannot be read; --known names a file with lines "robot.urdf: a part of what is said", for files that are
wrong themselves. Needs `pip install -r tests/robots/requirements.txt`.
"""

import argparse
import csv
import io
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

BOUND = 1e-9


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
    problem: str = ""
    notes: list[str] = field(default_factory=list)


def element_names(name: str) -> str:
    """As the importer makes names."""
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


class MujocoOracle:
    def __init__(self, path: Path):
        import mujoco

        self.lib = mujoco
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.data = mujoco.MjData(self.model)
        flags = mujoco.mjtDisableBit
        self.model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS | flags.mjDSBL_CLAMPCTRL | flags.mjDSBL_ACTUATION
        self.model.opt.density = self.model.opt.viscosity = 0
        self.joints = {}
        for j in range(self.model.njnt):
            name = mujoco.mj_id2name(self.model, mujoco.mjtObj.mjOBJ_JOINT, j)
            if self.model.jnt_type[j] in (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)) and name:
                self.joints[name] = j

    def complete(self) -> str:
        mujoco = self.lib
        if self.model.neq:
            return "has equalities"
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


def with_state(mechanism: str, state: State) -> str:
    """The mechanism file with this start, without limits, dry friction and mimicry, and with accelerations as outputs."""
    made = []
    for line in re.sub(r"\n\s{3,}(?=\w+=)", " ", mechanism).split("\n"):
        tag = re.match(r"\s*<(\w+) name=\"([^\"]*)\"", line)
        if tag and (tag[1] == "stop" or (tag[1] == "coupling" and tag[2].endswith("_mimic"))):
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
            shift = re.search(rf'value="{tag[2]}\.{kind} ([+-]) ([^"]+)"', mechanism)  # what the file's coordinate is at the start
            zero = float(shift[1] + shift[2]) if shift else 0.0
            line = line.replace("/>", f' {kind}="{state.q[tag[2]] - zero!r}" {kind}_rate="{state.v[tag[2]]!r}"/>')
        if tag and tag[1] == "input":
            line = re.sub(r' (min|max)="[^"]*"', "", line)
        if tag and tag[1] == "output":
            continue
        made.append(line)
    outputs = [f'  <output name="a{i}" value="{name}.acceleration" unit="rad/s2"/>' for i, name in enumerate(state.q)]
    for i, name in enumerate(state.q):
        if re.search(rf'<joint name="{re.escape(name)}" type="prismatic"', mechanism):
            outputs[i] = outputs[i].replace("rad/s2", "m/s2")
    forces = []
    for i, name in enumerate(state.force):
        tag = "force" if re.search(rf'<joint name="{re.escape(name)}" type="prismatic"', mechanism) else "torque"
        forces.append(f'  <{tag} name="oracle_force_{i}" joint="{name}" value="{state.force[name]!r}"/>')
    return "\n".join(made).replace("</mechanism>", "\n".join([*forces, *outputs]) + "\n</mechanism>")


def check(tool: Path, path: Path, states: int, seed: int) -> Verdict:
    verdict = Verdict(path.name)
    random = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "robot.xml"
        done = subprocess.run([tool, "import", path, "-o", target, "--without-motors"], capture_output=True, text=True)
        if done.returncode:
            verdict.problem = "import: " + done.stderr.strip().split("\n")[0].replace(str(path.parent) + "/", "")[:200]
            return verdict
        text = target.read_text()
        text = re.sub(r"\n {3,}(?=[a-z0-9_]+=\")", " ", text)
        text = "\n".join(line for line in text.split("\n") if not re.match(r"\s*<(input|torque|force|contact) ", line))
        verdict.bodies = len(re.findall(r"<body ", text))
        try:
            oracle = (MujocoOracle if "<mujoco" in path.read_text(errors="replace")[:2000] else PinocchioOracle)(path)
        except Exception as error:
            verdict.problem = f"oracle: {error}"[:160]
            return verdict
        if odd := oracle.complete():
            verdict.notes.append(odd)
        names = {element_names(name): name for name in oracle.joints}
        written = set(re.findall(r'<joint name="([^"]*)"', text))
        # A joint of the name of a link has another one.
        names = {(n if n in written else n + "_joint"): name for n, name in names.items()}
        if missing := [n for n in names if n not in written]:
            verdict.problem = f"not in the mechanism: {missing[:3]}"
            return verdict
        verdict.joints = len(names)
        if odd:
            verdict.problem = "left out: " + odd
            return verdict
        for _ in range(states):
            own = State({n: random.uniform(-1, 1) for n in names}, {n: random.uniform(-1, 1) for n in names}, {n: random.uniform(-1, 1) for n in names})
            there = State(*({names[n]: x for n, x in part.items()} for part in (own.q, own.v, own.force)))
            wanted = oracle.accelerations(there)
            target.write_text(with_state(text, own))
            run = subprocess.run(
                [tool, "simulate", target, "-q", "--stop", "1e-6", "--step", "1e-6", "-o", "-", "--columns", ",".join(f"a{i}" for i in range(len(names)))],
                capture_output=True, text=True)  # fmt: skip
            if run.returncode:
                verdict.problem = "simulate: " + run.stderr.strip().split("\n")[0][:200]
                return verdict
            first = next(iter(csv.DictReader(io.StringIO(run.stdout))))
            a = np.array([float(first[f"a{i}"]) for i in range(len(names))])
            b = np.array([wanted[name] for name in names.values()])
            verdict.worst = max(verdict.worst, float(np.max(np.abs(a - b)) / np.max(np.abs(b))))
    if not verdict.worst < BOUND:
        verdict.problem = f"accelerations differ by more than {BOUND} of the largest"
    return verdict


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--tool", type=Path, default=Path("build/mechfmu"))
    parser.add_argument("--states", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--known", type=Path)
    options = parser.parse_args()
    known = dict(line.split(": ", 1) for line in options.known.read_text().splitlines() if line and not line.startswith("#")) if options.known else {}
    print("| robot | bodies | joints | largest difference | |\n|---|---:|---:|---:|---|")
    bad = 0
    for path in options.files:
        v = check(options.tool.resolve(), path, options.states, options.seed)
        expected = v.name in known and known[v.name] in v.problem
        bad += bool(v.problem) and not v.problem.startswith("left out") and not expected
        print(f"| {v.name} | {v.bodies} | {v.joints} | {v.worst:.1e} | {v.problem} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

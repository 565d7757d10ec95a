"""Robots with closed loops: accelerations against Pinocchio's constrained dynamics, and the errors of soft constraints.

    python tests/robots/loops.py --tool build/mechfmu [--random 100] [--cost]

Files of tests/robots/files and random loops (MJCF with <connect>): joints start with random rates, as many as the loops
leave free; at the resulting coordinates and rates, accelerations of all joints are compared with Pinocchio's, to 1e-9 of
the largest. --cost runs two mechanisms for 10 s without damping, in MuJoCo and mechfmu, and prints how far loops open and
how the energy changes.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from oracles import BOUND, Problem, State, imported, in_temporary_folder, rows, with_state
from random_robots import MjcfMaker

FILES = Path(__file__).resolve().parent / "files"


class Loops:
    """Pinocchio's constrained dynamics of an MJCF file as MuJoCo reads it; Pinocchio's own reader leaves much out."""

    def __init__(self, path: Path):
        import mujoco
        import pinocchio

        self.lib = pinocchio
        read = mujoco.MjModel.from_xml_path(str(path))
        model = pinocchio.Model()
        model.gravity.linear = read.opt.gravity.copy()

        def pose(position: np.ndarray, quaternion: np.ndarray) -> "pinocchio.SE3":
            w, x, y, z = quaternion
            return pinocchio.SE3(pinocchio.Quaternion(w, x, y, z).normalized().matrix(), np.array(position))

        def shift(by: np.ndarray) -> "pinocchio.SE3":
            return pinocchio.SE3(np.eye(3), np.array(by))

        held = [(0, pinocchio.SE3.Identity())]  # per body, the joint that moves it and its pose in the joint's frame
        self.names = []
        for body in range(1, read.nbody):
            joint, place = held[read.body_parentid[body]]
            place = place * pose(read.body_pos[body], read.body_quat[body])
            for j in range(read.body_jntadr[body], read.body_jntadr[body] + read.body_jntnum[body]):
                name = mujoco.mj_id2name(read, mujoco.mjtObj.mjOBJ_JOINT, j)
                hinge = read.jnt_type[j] == int(mujoco.mjtJoint.mjJNT_HINGE)
                kind = (pinocchio.JointModelRevoluteUnaligned if hinge else pinocchio.JointModelPrismaticUnaligned)(read.jnt_axis[j].copy())
                joint = model.addJoint(joint, kind, place * shift(read.jnt_pos[j]), name)
                place = shift(-read.jnt_pos[j])
                self.names.append(name)
            held.append((joint, place))
            inertia = pinocchio.Inertia(read.body_mass[body], np.zeros(3), np.diag(read.body_inertia[body]))
            model.appendBodyToJoint(joint, inertia, place * pose(read.body_ipos[body], read.body_iquat[body]))
        self.model, self.data = model, model.createData()
        self.constraints = pinocchio.StdVec_RigidConstraintModel()
        for e in range(read.neq):
            (a, at_a), (b, at_b) = held[read.eq_obj1id[e]], held[read.eq_obj2id[e]]
            points = at_a * shift(read.eq_data[e][:3]), at_b * shift(read.eq_data[e][3:6])
            self.constraints.append(pinocchio.RigidConstraintModel(pinocchio.ContactType.CONTACT_3D, model, a, points[0], b, points[1]))
        self.constraint_data = pinocchio.StdVec_RigidConstraintData()
        self.constraint_data.extend([c.createData() for c in self.constraints])
        pinocchio.initConstraintDynamics(model, self.data, self.constraints, self.constraint_data)

    def accelerations(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        settings = self.lib.ProximalSettings(1e-14, 1e-12, 200)
        return self.lib.constraintDynamics(self.model, self.data, q, v, np.zeros(self.model.nv), self.constraints, self.constraint_data, settings)


def compare(tool: Path, path: Path, seed: int, moved: bool) -> float:
    """The largest difference, relative to the largest acceleration."""
    random = np.random.default_rng(seed)
    oracle = Loops(path)
    with tempfile.TemporaryDirectory() as folder:
        text = imported(tool, path, Path(folder))
        names = oracle.names
        free = json.loads(subprocess.run([tool, "check", "--json", Path(folder) / "robot.xml"], capture_output=True, text=True).stdout)["degrees_of_freedom"]
        # As many joints as there are degrees of freedom have a rate, the first ones of the file; the others follow from the loops.
        start = State(dict.fromkeys(names, 0.0), {n: random.uniform(-1, 1) for n in names}, {})
        made = re.sub(r' (angle|displacement)="[^"]*"', "", with_state(text, start))
        for name in names[free:]:
            made = re.sub(rf'(<joint name="{name}"[^>]*?) (?:angle|displacement)_rate="[^"]*"', r"\1", made)
        if moved:
            made = re.sub(rf'(<joint name="{names[0]}"[^>]*?)/>', rf'\1 angle="{random.uniform(0.05, 0.2)}"/>', made)
        target = Path(folder) / "state.xml"
        target.write_text(made)
        first = rows(tool, target, "--stop", "1e-6", "--step", "1e-6")[0]
        q, v, a = (np.array([float(first[f"{letter}{i}"]) for i in range(len(names))]) for letter in "qva")
        b = oracle.accelerations(q, v)
        return float(np.max(np.abs(a - b)) / np.max(np.abs(b)))


class LoopMaker(MjcfMaker):
    """Two chains of hinges from the world, whose ends are held together by a point."""

    def chain(self, count: int, letter: str) -> str:
        if count == 0:
            return ""
        self.joints += 1
        return (
            f'<body name="{letter}{count}" pos="{self.numbers(3)}"{self.orientation()}>'
            f'<joint name="joint{self.joints}" axis="{self.direction()}" pos="{self.numbers(3, -0.2, 0.2)}"/>'
            f"{self.geom()}{self.chain(count - 1, letter)}</body>"
        )

    def model(self) -> str:
        counts = self.random.integers(2, 5, 2)
        return (
            f'<mujoco model="loop"><compiler angle="{"degree" if self.degrees else "radian"}"/><option gravity="{self.numbers(3, -10, 10)}"/>'
            f'<worldbody><body name="base">{self.chain(counts[0], "a")}{self.chain(counts[1], "b")}</body></worldbody>'
            f'<equality><connect body1="a1" body2="b1" anchor="{self.numbers(3)}"/></equality></mujoco>'
        )


def cost(tool: Path) -> None:
    import mujoco

    print("| mechanism | program | step | largest gap of a loop in 10 s | change of energy, of the largest kinetic one |\n|---|---|---:|---:|---:|")
    for file, rates in (("four_bar.xml", {"A": 3.0}), ("platform.xml", {"hip1": 1.0, "yaw": 2.0})):
        path = FILES / file
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "run.xml"
            text = imported(tool, path, Path(folder))
            names = Loops(path).names
            made = with_state(text, State(dict.fromkeys(names, 0.0), {n: rates.get(n, 0.0) for n in names}, {}))
            made = re.sub(r' (angle|displacement)="[^"]*"', "", made)
            for name in names:
                if name not in rates:
                    made = re.sub(rf'(<joint name="{name}"[^>]*?) angle_rate="[^"]*"', r"\1", made)
            target.write_text(made)
            first = rows(tool, target, "--stop", "1e-6", "--step", "1e-6")[0]
            start = {n: float(first[f"v{i}"]) for i, n in enumerate(names)}
            own = []
            for words, label in (((), "1e-8 tolerance"), (("--set", "solver.fixed_step=2e-3"), "0.002 s")):
                table = rows(tool, target, "--stop", "10", "--step", "0.002", "--columns", "energy.total,energy.kinetic,constraint.position", *words)
                energy, kinetic, gap = (np.array([float(r[n]) for r in table]) for n in ("energy.total", "energy.kinetic", "constraint.position"))
                own.append(f"| {path.stem} | mechfmu | {label} | {gap.max():.1e} m | {(energy[-1] - energy[0]) / kinetic.max():+.1e} |")
        model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
        for integrator, label in ((mujoco.mjtIntegrator.mjINT_IMPLICITFAST, "implicitfast"), (mujoco.mjtIntegrator.mjINT_RK4, "RK4")):
            for step in (2e-3, 5e-4):
                model.opt.integrator, model.opt.timestep = int(integrator), step
                data = mujoco.MjData(model)
                for name, rate in start.items():
                    data.joint(name).qvel = rate
                mujoco.mj_forward(model, data)
                begin, gap, kinetic = data.energy.sum(), 0.0, 0.0
                while data.time < 10 - step / 2:
                    mujoco.mj_step(model, data)
                    gap = max(gap, max(np.linalg.norm(data.efc_pos[i : i + 3]) for i in range(0, 3 * model.neq, 3)))
                    kinetic = max(kinetic, data.energy[1])
                mujoco.mj_forward(model, data)
                if data.warning[int(mujoco.mjtWarning.mjWARN_BADQACC)].number:
                    print(f"| {path.stem} | MuJoCo, {label} | {step:g} s | becomes unstable | |", flush=True)
                    continue
                print(f"| {path.stem} | MuJoCo, {label} | {step:g} s | {gap:.1e} m | {(data.energy.sum() - begin) / kinetic:+.1e} |", flush=True)
        print("\n".join(own), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=Path, default=Path("build/mechfmu"))
    parser.add_argument("--random", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cost", action="store_true")
    options = parser.parse_args()
    tool = options.tool.resolve()
    in_temporary_folder()
    bad = 0
    print("| loops | largest difference from Pinocchio |\n|---|---:|")
    for file in ("four_bar.xml", "platform.xml"):
        worst = max(compare(tool, FILES / file, seed, moved) for seed in range(3) for moved in (False, True))
        bad += not worst < BOUND
        print(f"| {file} | {worst:.1e} |", flush=True)
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(options.seed, options.seed + options.random):
            path = Path(folder) / f"loop{i}.xml"
            path.write_text(LoopMaker(i).model())
            try:
                difference = compare(tool, path, i, False)
            except Problem as error:
                difference = float("nan")
                print(f"loop {i}: {error}", flush=True)
            if not difference < BOUND:
                bad += 1
                print(f"loop {i} differs by {difference}: {path.read_text()}", flush=True)
            worst = max(worst, difference)
    print(f"| {options.random} loops at random | {worst:.1e} |", flush=True)
    if options.cost:
        print()
        cost(tool)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

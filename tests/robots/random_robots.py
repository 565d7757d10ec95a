"""Random robots, as URDF and MJCF files: they move as in Pinocchio, Drake and MuJoCo.

    python tests/robots/random_robots.py --tool build/mechfmu [--count 100] [--seed 1] [--keep FOLDER]

Makes `count` files of each format, trees of 1 to 12 links with all elements of the formats for poses, masses and joints.
Ends with 1 if accelerations differ by more than 1e-9 of the largest; keeps the files with differences.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from oracles import check, in_temporary_folder


class Maker:
    def __init__(self, seed: int):
        self.random = np.random.default_rng(seed)

    def number(self, low: float = -1.0, high: float = 1.0) -> float:
        return round(float(self.random.uniform(low, high)), 4)

    def numbers(self, count: int, low: float = -1.0, high: float = 1.0) -> str:
        return " ".join(str(self.number(low, high)) for _ in range(count))

    def direction(self) -> str:
        if self.random.random() < 0.5:
            return str(self.random.choice(["1 0 0", "0 1 0", "0 0 1", "0 -1 0"]))
        return self.numbers(3, 0.1, 1)

    def pick(self, *choices: str) -> str:
        return str(self.random.choice(choices))

    def inertia(self) -> np.ndarray:
        """The inertia of three to six masses at random places: a possible one of a body."""
        points = self.random.uniform(-0.3, 0.3, (6, 3))
        masses = self.random.uniform(0.1, 1, 6)
        return np.sum([m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True)], axis=0)


def random_urdf(seed: int) -> str:
    make = Maker(seed)
    count = int(make.random.integers(1, 13))
    text = ['<robot name="random">', '<link name="base"/>']
    for i in range(count):
        J = make.inertia()
        text.append(
            f'<link name="link{i}"><inertial><origin xyz="{make.numbers(3, -0.3, 0.3)}" rpy="{make.numbers(3, -3, 3)}"/>'
            f'<mass value="{make.number(0.1, 5)}"/><inertia ixx="{J[0, 0]}" iyy="{J[1, 1]}" izz="{J[2, 2]}" '
            f'ixy="{J[0, 1]}" ixz="{J[0, 2]}" iyz="{J[1, 2]}"/></inertial></link>'
        )
        parent = "base" if i == 0 else f"link{make.random.integers(max(0, i - 4), i)}"
        kind = make.pick("revolute", "continuous", "prismatic", "fixed") if i else make.pick("revolute", "continuous", "prismatic")
        limits = f'<limit lower="{make.number(-3, -2)}" upper="{make.number(2, 3)}" effort="10" velocity="5"/>' if kind in ("revolute", "prismatic") else ""
        axis = f'<axis xyz="{make.direction()}"/>' if make.random.random() < 0.9 else ""
        dynamics = f'<dynamics damping="{make.number(0, 2)}"/>' if make.random.random() < 0.3 else ""
        text.append(
            f'<joint name="joint{i}" type="{kind}"><origin xyz="{make.numbers(3)}" rpy="{make.numbers(3, -3, 3)}"/>'
            f'<parent link="{parent}"/><child link="link{i}"/>{axis if kind != "fixed" else ""}{limits}{dynamics if kind != "fixed" else ""}</joint>'
        )
    return "\n".join([*text, "</robot>"])


class MjcfMaker(Maker):
    def __init__(self, seed: int):
        super().__init__(seed)
        self.joints = self.bodies = 0
        self.degrees = self.random.random() < 0.5
        self.turn = 180 / np.pi if self.degrees else 1.0

    def orientation(self) -> str:
        match self.pick("none", "quat", "euler", "axisangle", "xyaxes", "zaxis"):
            case "quat":
                return f' quat="{self.numbers(4, 0.1, 1)}"'
            case "euler":
                return f' euler="{self.numbers(3, -self.turn, self.turn)}"'
            case "axisangle":
                return f' axisangle="{self.direction()} {self.number(-self.turn, self.turn)}"'
            case "xyaxes":
                return f' xyaxes="1 {self.number()} 0 {self.number(-0.3, 0.3)} 1 {self.number()}"'
            case "zaxis":
                return f' zaxis="{self.direction()}"'
        return ""

    def amount(self) -> str:
        return self.pick("", f' density="{self.number(100, 3000)}"', f' mass="{self.number(0.1, 3)}"')

    def geom(self) -> str:
        kind = self.pick("sphere", "capsule", "cylinder", "box", "ellipsoid")
        sizes = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}[kind]
        if kind in ("capsule", "cylinder", "box", "ellipsoid") and self.random.random() < 0.3:
            return f'<geom type="{kind}" size="{self.number(0.03, 0.1)}" fromto="{self.numbers(3)} {self.numbers(3, 1.1, 2)}"{self.amount()}/>'
        return f'<geom type="{kind}" size="{self.numbers(sizes, 0.05, 0.2)}" pos="{self.numbers(3, -0.3, 0.3)}"{self.orientation()}{self.amount()}/>'

    def joint(self, kind: str, axis: str) -> str:
        self.joints += 1
        turn = self.turn if kind == "hinge" else 1.0
        made = f'<joint name="joint{self.joints}" type="{kind}" pos="{self.numbers(3, -0.2, 0.2)}" axis="{axis}"'
        if self.random.random() < 0.3:
            made += f' stiffness="{self.number(0, 20)}" springref="{self.number(-turn, turn)}"'
        if self.random.random() < 0.3:
            made += f' armature="{self.number(0.01, 0.5)}"'
        if self.random.random() < 0.3:
            made += f' damping="{self.number(0, 2)}"'
        if self.random.random() < 0.3:
            made += f' ref="{self.number(-turn / 2, turn / 2)}"'
        if self.random.random() < 0.3:
            made += ' class="limited"'
        return made + "/>"

    def body(self, depth: int) -> str:
        self.bodies += 1
        made = f'<body name="body{self.bodies}" pos="{self.numbers(3)}"{self.orientation()}>'
        # Two joints of a body along the same axis would leave an acceleration undetermined.
        axes = self.random.permutation([f"1 0 {self.number()}", f"{self.number()} 1 0", f"0 {self.number()} 1"])
        for axis in axes[: int(self.random.integers(1 if depth == 0 else 0, 4))]:
            made += self.joint(self.pick("hinge", "hinge", "slide"), axis)
        if self.random.random() < 0.5:
            J = self.inertia()
            values = " ".join(repr(float(x)) for x in (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]))
            made += f'<inertial mass="{self.number(0.1, 5)}" pos="{self.numbers(3, -0.3, 0.3)}" fullinertia="{values}"/>'
        else:
            made += "".join(self.geom() for _ in range(int(self.random.integers(1, 4))))
        if self.random.random() < 0.3 and depth < 4:
            made += f'<frame pos="{self.numbers(3)}"{self.orientation()}>{self.body(depth + 1)}</frame>'
        while depth < 4 and self.bodies < 10 and self.random.random() < 0.6:
            made += self.body(depth + 1)
        return made + "</body>"

    def model(self) -> str:
        sequence = self.pick("xyz", "zyx", "XYZ", "zxz", "yzX")
        return (
            f'<mujoco model="random"><compiler angle="{"degree" if self.degrees else "radian"}" eulerseq="{sequence}"/>'
            f'<option gravity="{self.numbers(3, -10, 10)}"/>'
            f'<default><geom density="{self.number(500, 2000)}"/>'
            f'<default class="limited"><joint range="-{400 * self.turn} {400 * self.turn}" damping="{self.number(0, 1)}"/></default></default>'
            f"<worldbody>{self.body(0)}{self.body(0)}</worldbody></mujoco>"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=Path, default=Path("build/mechfmu"))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("build/random_robots"))
    options = parser.parse_args()
    tool, keep = options.tool.resolve(), options.keep.resolve()
    in_temporary_folder()
    bad, refused, worst = 0, 0, {"urdf": 0.0, "xml": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        for i in range(options.seed, options.seed + options.count):
            for ending, text in (("urdf", random_urdf(i)), ("xml", MjcfMaker(i).model())):
                path = Path(folder) / f"random{i}.{ending}"
                path.write_text(text)
                verdict = check(tool, path, 1, i)
                worst[ending] = max(worst[ending], verdict.worst)
                # Rotors of slides whose links have no mass: the solver refuses some, with a message.
                is_refused = "is singular" in verdict.problem
                refused += is_refused
                if verdict.problem:
                    bad += not is_refused
                    keep.mkdir(exist_ok=True)
                    (keep / path.name).write_text(text)
                    print(f"{keep / path.name}: {verdict.problem} ({verdict.worst:.1e})", flush=True)
    print(f"{2 * options.count} robots at random: {bad} differ, {refused} are refused; largest difference URDF {worst['urdf']:.1e}, MJCF {worst['xml']:.1e} of the largest acceleration")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Cost of the export of a mechanism file with and without a compiler, and of a step.

Also a chain of 1000 bodies in ten lines, from its check to a run in FMPy. The numbers are processor
time, not time on the clock, so that other work on the machine counts little. They are multiples of
the time of the same compiler for an empty main that includes Eigen, measured in the same run. The
shortest of three runs counts; from 100 bodies on there is only one run. With --without-compiler
nothing is compiled. The mechanisms are chains of bodies on revolute joints with a damper in each:
all of one shape, or of as many shapes as bodies.
"""

import argparse
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REPEATS = 3
SIZES = [3, 30, 300, 1000, 3000]
COMPILED = SIZES


def law(i: int, shapes: bool) -> str:
    """A damper; with shapes, i mod 7 factors in a special order make it different from its
    neighbours."""
    if not shapes:
        return f"-d*J{i}.rate"
    factors = [f"(1 + 0.1*{('sin', 'cos', 'tanh', 'exp')[(i >> (2 * k)) % 4]}(0.1*J{i}.angle))" for k in range(6)]
    return f"-d*J{i}.rate*" + "*".join(factors)


def chain(bodies: int, shapes: bool = False, stop: float = 1.0) -> str:
    """A row of bodies of 1 m, 1 to n; the first one is joined to the ground. They start level."""
    lines = ['<mechanism name="Chain" gravity="0 -9.81 0">', '  <parameter name="d" value="0.5" unit="N.m.s/rad"/>']
    for i in range(1, bodies + 1):
        before = f"b{i - 1}" if i > 1 else "ground"
        lines += [
            f'  <body name="b{i}" at="{i - 0.5} 0 0" mass="1" box="1 0.1 0.1"/>',
            f'  <joint name="J{i}" type="revolute" between="{before} b{i}" at="{i - 1} 0 0" axis="0 0 1"/>',
            f'  <torque name="t{i}" joint="J{i}" value="{law(i, shapes)}"/>',
        ]
    lines += [f'  <output name="tip" value="b{bodies}.position.y" unit="m"/>']
    lines += [f'  <experiment stop="{stop}" step="0.01"/>', "</mechanism>"]
    return "\n".join(lines) + "\n"


REPEATED = """<mechanism name="Chain" gravity="0 -9.81 0">
  <default element="body" mass="1" box="1 0.1 0.1"/>
  <default element="joint" type="revolute" axis="0 0 1"/>
  <body name="b[1]" at="0.5 0 0"/>
  <joint name="J[1]" between="ground b[1]"/>
  <repeat name="i" from="2" to="1000">
    <body name="b[i]" at="i - 0.5 0 0"/>
    <joint name="J[i]" between="b[i-1] b[i]" at="i - 1 0 0"/>
    <torque name="t[i]" joint="J[i]" value="-0.5*J[i].rate"/>
  </repeat>
  <output name="tip" value="b[1000].position.y" unit="m"/>
  <experiment stop="0.1" step="0.01"/>
</mechanism>
"""


def repeated(tool: Path, build: Path, folder: Path) -> None:
    """The steps from check to run; the run in FMPy includes the import of FMPy, which is listed
    below it."""
    (folder / "repeated.xml").write_text(REPEATED)
    in_fmpy = "import fmpy; fmpy.simulate_fmu('repeated.fmu', output_interval=0.01)"
    python = build / "venv/bin/python"
    for what, words in {
        "`mechfmu check`": [tool, "check", "repeated.xml"],
        "`mechfmu simulate`": [tool, "simulate", "repeated.xml", "-q", "-o", "repeated.csv"],
        "`mechfmu export --compile never`": [tool, "export", "repeated.xml", "--compile", "never", "-q"],
        "`fmpy.simulate_fmu`": [python, "-c", in_fmpy],
        "`import fmpy` alone": [python, "-c", "import fmpy"],
    }.items():
        seconds, memory = run(words, folder)
        print(f"| {what} | {seconds:.2f} | {memory:.0f} |", flush=True)


def run(words, cwd, repeats=REPEATS) -> tuple[float, float]:
    """Least processor time of some runs, with all child processes, and the peak memory in MB."""
    best, memory = float("inf"), 0.0
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        timed = ["/usr/bin/env", "python3", "-c", PEAK, *map(str, words)]
        done = subprocess.run(timed, cwd=cwd, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise RuntimeError(f"{shlex.join(map(str, words))}: {done.stderr[-2000:]}")
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        memory = int(done.stdout.splitlines()[-1]) / 1000
    return best, memory


# RUSAGE_CHILDREN of a fresh process reports the largest of the programs that it starts.
PEAK = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""


def empty_main(tool: Path, folder: Path) -> float:
    """With the compiler and options that the tool uses."""
    kit = dict(re.findall(r"^(\w+) = (.*)$", (tool.parent / "mechfmu.kit").read_text(), re.M))
    (folder / "main.cpp").write_text("#include <Eigen/Dense>\nint main() {}\n")
    words = [os.environ.get("CXX") or kit["compiler"], *kit["compile"].split(";"), "-c", "main.cpp", "-o", "main.o"]
    return run(words, folder)[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder (default: build)")
    parser.add_argument("--without-compiler", action="store_true", help="leave out compiled FMUs")
    options = parser.parse_args()
    tool = options.build.resolve() / "mechfmu"
    if not tool.exists():
        print(f"export_cost: {tool} is missing; build it, or name the build folder by --build", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unit = empty_main(tool, folder)
        print(f"An empty main with Eigen takes {unit:.2f} s.\n")
        print("| bodies | shapes | compiled | seconds | multiples | MB | FMU, kB |")
        print("|---:|---:|---|---:|---:|---:|---:|")
        for bodies in SIZES:
            for shapes in [False, True]:
                (folder / "chain.xml").write_text(chain(bodies, shapes))
                for compiled in [False, True]:
                    if compiled and (bodies not in COMPILED or options.without_compiler):
                        continue
                    words = [tool, "export", "chain.xml", "--compile", "always" if compiled else "never", "-q"]
                    seconds, memory = run(words, folder, REPEATS if bodies < 100 else 1)
                    size = (folder / "chain.fmu").stat().st_size / 1000
                    print(f"| {bodies} | {bodies if shapes else 1} | {'yes' if compiled else 'no'} | {seconds:.2f} | "
                          # fmt: skip
                          f"{seconds / unit:.2f} | {memory:.0f} | {size:.0f} |", flush=True)
        print("\nA chain of 1000 bodies in ten lines, a tenth of a second of it:\n")
        print("| | seconds | MB |")
        print("|---|---:|---:|")
        repeated(tool, options.build.resolve(), folder)
        if options.without_compiler:
            return 0
        print("\nProcessor time of a run of the FMU that reads its mechanism, over one of the compiled FMU:\n")
        print("| bodies | shapes | read / compiled |")
        print("|---:|---:|---:|")
        start = run([tool, "--version"], folder)[0]
        for bodies in [3, 30]:
            for shapes in [False, True]:
                (folder / "chain.xml").write_text(chain(bodies, shapes, 20 if bodies == 3 else 2))
                times = []
                for way in ["never", "always"]:
                    run([tool, "export", "chain.xml", "--compile", way, "-q", "-o", f"{way}.fmu"], folder, 1)
                    times.append(run([tool, "simulate", f"{way}.fmu", "-q"], folder)[0] - start)
                print(f"| {bodies} | {bodies if shapes else 1} | {times[0] / times[1]:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

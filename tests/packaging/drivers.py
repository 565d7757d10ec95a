"""The small importer drive.c, compiled for each platform that can be run here: Windows under Wine, ARM under QEMU."""

import dataclasses
import math
import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import quote

import pytest
from built import ROOT

PLATFORMS = ROOT / "build" / "platforms"
ZIG = next(PLATFORMS.glob("venv/lib/python3*/site-packages/ziglang/zig"), None)
WINE = shutil.which("wine64") or "/usr/lib/wine/wine64"
TARGETS = {
    "linux64": "x86_64-linux-gnu.2.17",
    "win64": "x86_64-windows-gnu",
    "aarch64-linux": "aarch64-linux-gnu.2.17",
}
SUFFIX = {"linux64": ".so", "win64": ".dll", "aarch64-linux": ".so", "darwin64": ".dylib", "aarch64-darwin": ".dylib"}
FMI3 = {"linux64": "x86_64-linux", "win64": "x86_64-windows", "darwin64": "x86_64-darwin"}
OUTPUTS = ["phi", "pin", "energy.kinetic", "energy.potential", "energy.total", "solver.step_size", "solver.error"]


def needs(file, package):
    there = Path(file).exists()
    return pytest.mark.skipif(not there, reason=f"packaging/setup.sh {package} installs what is missing")


RUNS = [
    pytest.param("win64", marks=needs(WINE, "wine64"), id="win64"),
    pytest.param("aarch64-linux", marks=[needs("/usr/bin/qemu-aarch64-static", "qemu-user-static"),
                                         needs("/usr/aarch64-linux-gnu/lib", "libc6-arm64-cross")], id="aarch64-linux"),
]  # fmt: skip
ALL_RUNS = ["linux64", *RUNS]
def can_run(platform: str) -> bool:
    """Whether the program that runs the platform is installed."""
    return platform == "linux64" or not any(mark.args[0] for case in RUNS if case.id == platform for mark in case.marks)


def numbers(line: str) -> dict[str, float]:
    return dict(zip(OUTPUTS, map(float, line.split()[1:]), strict=True))


def expect_same(lines: list[str], expected: list[str]):
    """Expect outputs bit for bit, because FourBar calls no sine or cosine. An angle is an arc tangent, which the C library
    of Windows may round to the neighbouring number; it does not act on the motion."""
    assert len(lines) == len(expected)
    for line, other in zip(map(numbers, lines), map(numbers, expected), strict=True):
        assert abs(line.pop("phi") - (phi := other.pop("phi"))) <= math.ulp(phi)
        assert line == other


def table_of_digits(fmus, drivers, capsys) -> list[list[str]]:
    """Run fmus[version] on each platform; print and return all digits after 5 s. pytest shows them."""
    rows = []
    for version, fmu in fmus.items():
        for platform in filter(can_run, TARGETS):
            last = numbers(drivers(platform)(fmu, version, "run")[-1])
            rows.append([f"FMI {version}.0", platform, *(f"{last[name]:.17g}" for name in ("phi", "pin", "energy.total"))])
    with capsys.disabled():
        print("\n| FMI | platform | phi | pin | energy.total |\n|---|---|---:|---:|---:|")
        for row in rows:
            print(f"| {' | '.join(row)} |")
    return rows


@dataclasses.dataclass
class Driver:
    """The small importer drive.c on one platform."""

    platform: str
    program: Path
    folder: Path  # for files
    prefix: list[str]
    environment: dict[str, str]

    def path(self, file: Path) -> str:
        return f"Z:{file}" if self.platform == "win64" else str(file)

    def __call__(self, fmu: Path, version: int, command: str, *words, outputs=OUTPUTS, platform=None) -> list[str]:
        description = ET.parse(fmu / "modelDescription.xml").getroot()
        references = {v.get("name"): v.get("valueReference") for v in description.iter() if v.get("valueReference")}
        name = description.get("modelName")
        token = description.get("guid") or description.get("instantiationToken")
        place = platform or (self.platform if version == 2 else FMI3.get(self.platform, self.platform))
        # a short name without blanks for the loader of Wine; the resources have the long one
        library = self.folder / f"library{version}{SUFFIX[self.platform]}"
        shutil.copy(fmu / "binaries" / place / f"{name}{SUFFIX[self.platform]}", library)
        resources = self.path(fmu / "resources")
        if version == 2:
            slash = "/" if self.platform == "win64" else ""
            resources = "file://" + slash + quote(resources, safe="/:")
        numbers = [references["torque"] if name == "FourBar" else "-"]
        if command != "fail":
            numbers += ["2", *(references[name] for name in outputs)]
        done = subprocess.run(
            [*self.prefix, self.path(self.program), str(version), self.path(library), token, resources, command,
             *(self.path(word) if isinstance(word, Path) else word for word in words), *numbers],
            capture_output=True, encoding="utf-8", env={**os.environ, **self.environment}, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{self.platform} {command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout.splitlines()

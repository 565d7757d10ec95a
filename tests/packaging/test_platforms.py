"""FMUs for other platforms, run where that can be done here: Windows under Wine, ARM under QEMU, Linux as it is; those for macOS are
looked at only. packaging/platforms.py makes the libraries; `packaging/setup.sh wine64 qemu-user-static libc6-arm64-cross` installs
what runs them."""

import dataclasses
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest
from built import LIBRARIES, TOOL, exported, fmi_functions, needed, needed_glibc, run
from macho import MachO

ROOT = Path(__file__).resolve().parents[2]
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

MISSING = [name for name, suffix in SUFFIX.items() if not (PLATFORMS / name / f"mechfmu_listed{suffix}").exists()]
pytestmark = [
    pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built"),
    pytest.mark.skipif(bool(MISSING) or ZIG is None, reason="packaging/platforms.py has not made " + ", ".join(MISSING)),
]


def needs(file, package):
    there = Path(file).exists()
    return pytest.mark.skipif(not there, reason=f"packaging/setup.sh {package} installs what is missing")


RUNS = [
    pytest.param("win64", marks=needs(WINE, "wine64"), id="win64"),
    pytest.param("aarch64-linux", marks=[needs("/usr/bin/qemu-aarch64-static", "qemu-user-static"),
                                         needs("/usr/aarch64-linux-gnu/lib", "libc6-arm64-cross")], id="aarch64-linux"),
]  # fmt: skip
ALL_RUNS = ["linux64", *RUNS]
VERSIONS = pytest.mark.parametrize("version", [2, 3])


@pytest.fixture(scope="session")
def fmus(environment, tmp_path_factory):
    """The folders of an FMU for all platforms and of one for this machine, by the version of FMI; their paths need care."""
    work = tmp_path_factory.mktemp("platforms")
    run_tool = {"cwd": work, "env": environment, "check": True, "capture_output": True, "text": True}
    subprocess.run([TOOL, "new", "four_bar"], **run_tool)
    subprocess.run([TOOL, "export", "four_bar.xml", "--platform", "all", "-o", "all.fmu"], **run_tool)
    subprocess.run([TOOL, "export", "four_bar.xml", "--compile", "never", "-o", "own.fmu"], **run_tool)
    folders = {}
    for name in ["all", "own"]:
        for version, ending in [(2, ".fmu"), (3, ".fmi3.fmu")]:
            folders[name, version] = work / f"Prüfstand {name}{version}"
            with zipfile.ZipFile(work / f"{name}{ending}") as archive:
                archive.extractall(folders[name, version])
    return folders


@dataclasses.dataclass
class Driver:
    """The small importer of drive.c on one platform."""

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
             *(self.path(word) for word in words), *numbers],
            capture_output=True, encoding="utf-8", env={**os.environ, **self.environment}, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{self.platform} {command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout.splitlines()


@pytest.fixture(scope="session")
def drivers(tmp_path_factory):
    """drivers(platform)"""
    folder = tmp_path_factory.mktemp("drivers")
    made = {}

    def make(platform: str) -> Driver:
        if platform in made:
            return made[platform]
        program = folder / f"drive-{platform}{'.exe' if platform == 'win64' else ''}"
        headers = next((ROOT / "build" / "venv").glob("lib/python3*/site-packages/fmpy/c-code"))
        run(ZIG, "cc", "-target", TARGETS[platform], "-O1", "-Wall", "-Wextra", "-Werror", "-isystem", headers,
            ROOT / "tests/packaging/drive.c", "-o", program, *(["-lshell32"] if platform == "win64" else []))  # fmt: skip
        prefix, environment = [], {}
        if platform == "win64":
            prefix = [str(WINE)]
            environment = {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}
        if platform == "aarch64-linux":
            prefix = ["/usr/bin/qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"]
        made[platform] = Driver(platform, program, folder, prefix, environment)
        return made[platform]

    yield make
    if "win64" in made:
        server = Path("/usr/lib/wine/wineserver")
        if server.exists():
            subprocess.run([server, "-k"], env={**os.environ, **made["win64"].environment}, check=False)


def numbers(line: str) -> dict[str, float]:
    return dict(zip(OUTPUTS, map(float, line.split()[1:]), strict=True))


def expect_same(platform: str, lines: list[str], expected: list[str]):
    """Bit for bit where the C library is the same; the sine and its like of Windows are rounded otherwise."""
    if platform != "win64":
        assert lines == expected
        return
    assert len(lines) == len(expected)
    for line, other in zip(lines, expected, strict=True):
        for name, value in numbers(line).items():
            assert value == pytest.approx(numbers(other)[name], rel=1e-9, abs=1e-14), name


@VERSIONS
@pytest.mark.parametrize("platform", RUNS)
def test_digits_are_those_of_linux(fmus, drivers, platform, version):
    fmu = fmus["all", version]
    expect_same(platform, drivers(platform)(fmu, version, "run"), drivers("linux64")(fmu, version, "run"))


def test_table_of_digits(fmus, drivers, capsys):
    """One FMU, run on each platform: after 5 s, all digits. pytest shows it."""
    rows = []
    for version in (2, 3):
        for platform in [*TARGETS]:
            if platform != "linux64" and any(mark.args[0] for case in RUNS if case.id == platform for mark in case.marks):
                continue
            last = numbers(drivers(platform)(fmus["all", version], version, "run")[-1])
            rows.append([f"FMI {version}.0", platform, *(f"{last[name]:.17g}" for name in ("phi", "pin", "energy.total"))])
    with capsys.disabled():
        print("\n| FMI | platform | phi | pin | energy.total |\n|---|---|---:|---:|---:|")
        for row in rows:
            print(f"| {' | '.join(row)} |")
    for row in rows:
        assert [float(value) for value in row[2:]] == pytest.approx([float(value) for value in rows[0][2:]], rel=1e-9)


# Motions that stay near each other: without control, a Stewart platform falls through its legs.
MODELS = ["cart_pole", "crane", "double_wishbone"]


def test_table_of_other_mechanisms(environment, drivers, tmp_path_factory, capsys):
    """After 5 s: the largest difference of an output from linux64, over the largest value of that output. They call sine and
    cosine, which are those of the C library in linux64, and Zig's elsewhere."""
    work = tmp_path_factory.mktemp("others")
    rows = []
    for model in MODELS:
        words = [TOOL, "export", ROOT / "models" / model / f"{model}.xml", "--platform", "all", "--fmi", "2", "-o", f"{model}.fmu"]
        subprocess.run(words, cwd=work, env=environment, check=True, capture_output=True)
        with zipfile.ZipFile(work / f"{model}.fmu") as archive:
            archive.extractall(work / model)
        variables = ET.parse(work / model / "modelDescription.xml").getroot().iter("ScalarVariable")
        outputs = [v.get("name") for v in variables if v.get("causality") == "output" and v.find("Real") is not None][:60]
        values = {}
        for case in ALL_RUNS:
            platform = case if isinstance(case, str) else case.id
            if isinstance(case, str) or not any(mark.args[0] for mark in case.marks):
                lines = drivers(platform)(work / model, 2, "run", outputs=outputs)
                values[platform] = [[float(word) for word in line.split()[1:]] for line in lines]
        expected = values.pop("linux64")
        scale = [max(abs(row[i]) for row in expected) or 1 for i in range(len(outputs))]
        for platform, found in values.items():
            ends = zip(found[-1], expected[-1], scale, strict=True)
            rows.append((model, platform, max(abs(x - y) / size for x, y, size in ends)))
    with capsys.disabled():
        print("\n| mechanism | platform | difference after 5 s |\n|---|---|---:|")
        for model, platform, difference in rows:
            print(f"| {model} | {platform} | {difference:.0e} |")
    for model, _, difference in rows:
        assert difference < 1e-5, model


@VERSIONS
def test_digits_are_those_of_the_library_of_this_machine(fmus, drivers, version):
    """Another compiler, another order of operations, other functions of C: to rounding."""
    drive = drivers("linux64")
    made = numbers(drive(fmus["all", version], version, "run")[1])
    own = numbers(drive(fmus["own", version], version, "run")[1])
    for name in ["phi", "pin", "energy.total"]:
        assert made[name] == pytest.approx(own[name], rel=1e-12)
    assert made["solver.error"] == pytest.approx(own["solver.error"], rel=1e-6)


@VERSIONS
@pytest.mark.parametrize("platform", ALL_RUNS)
def test_states_move_to_and_from_linux(fmus, drivers, tmp_path, platform, version):
    """Bit for bit: drive.c also saves what it has restored and compares the bytes."""
    fmu = fmus["all", version]
    here, there = drivers("linux64"), drivers(platform)
    whole = here(fmu, version, "save", tmp_path / "here")
    there(fmu, version, "save", tmp_path / "there")
    assert (tmp_path / "here").stat().st_size == (tmp_path / "there").stat().st_size
    if platform != "win64":
        assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()
    expect_same(platform, there(fmu, version, "restore", tmp_path / "here"), whole[1:])
    expect_same(platform, here(fmu, version, "restore", tmp_path / "there"), whole[1:])


@VERSIONS
@pytest.mark.parametrize("platform", ALL_RUNS)
def test_wrong_calls_are_refused_with_a_message(fmus, drivers, platform, version):
    said = drivers(platform)(fmus["all", version], version, "fail")
    text = "\n".join(said)
    for line in ["wrong token: refused", "wrong resources: refused", "step before initialization: 3", "initialization: 0",
                 "unknown reference: 3", "not a number: 3", "negative step: 3", "step: 0"]:  # fmt: skip
        assert line in said, text
    assert f"log 3 logStatusError fmi{version}DoStep is not allowed" in text
    assert "cannot read" in text and "nowhere/mechanism.bin" in text
    assert sum(line.startswith("log ") for line in said) == 6, text


@VERSIONS
@pytest.mark.parametrize("platform", ALL_RUNS)
def test_instances_in_threads_do_not_know_of_each_other(fmus, drivers, platform, version):
    fmu = fmus["all", version]
    together = drivers(platform)(fmu, version, "threads")
    assert len(set(together)) == len(together) == 8  # each has a torque of its own
    assert together[0] == drivers(platform)(fmu, version, "run")[1]
    if platform != "linux64":
        expect_same(platform, together, drivers("linux64")(fmu, version, "threads"))


@pytest.mark.parametrize("platform", ["linux64", "aarch64-linux"])
def test_libraries_for_linux_load_with_an_old_glibc(platform):
    library = PLATFORMS / platform / "mechfmu_listed.so"
    assert needed_glibc(library) <= (2, 17)
    assert needed(library) <= LIBRARIES | {"libpthread.so.0", "libdl.so.2", "ld-linux-aarch64.so.1"}
    assert exported(library) - {"FMI"} == fmi_functions()


def test_the_library_for_windows_exports_functions_of_fmi_and_needs_windows_alone():
    text = run("objdump", "-p", PLATFORMS / "win64" / "mechfmu_listed.dll")
    table = text.split("[Ordinal/Name Pointer] Table")[1]
    assert set(re.findall(r"\b(fmi\w+|\w*_Z\w+)$", table.split("\n\n")[0], re.MULTILINE)) == fmi_functions()
    needed_by_it = {name.lower() for name in re.findall(r"DLL Name: (\S+)", text)}
    assert all(name == "kernel32.dll" or name.startswith("api-ms-win-crt-") for name in needed_by_it), needed_by_it


@pytest.mark.parametrize(("platform", "processor"), [("darwin64", "x86_64"), ("aarch64-darwin", "arm64")])
def test_libraries_for_macos_by_inspection(platform, processor):
    library = MachO(PLATFORMS / platform / "mechfmu_listed.dylib")
    dylib = 6
    assert (library.processor, library.kind) == (processor, dylib)
    assert library.needed() == {"/usr/lib/libSystem.B.dylib"}
    assert library.oldest_system() <= (11, 0)
    # operators new and delete are replaceable by their definition; the last two are marks of the linker
    others = {name for name in library.exported() if not re.match(r"_Z[nd][wal]|__dso_handle$|_mh_dylib_header$", name)}
    assert others == fmi_functions()
    if processor == "arm64":
        assert library.signature() == "ad hoc"


def test_no_library_holds_paths_of_this_machine():
    for name, suffix in SUFFIX.items():
        content = (PLATFORMS / name / f"mechfmu_listed{suffix}").read_bytes()
        assert str(ROOT).encode() not in content, name

"""FMUs for other platforms, run by tests/packaging/drivers.py; those for macOS are inspected only. packaging/platforms.py
makes the libraries; `packaging/setup.sh wine64 qemu-user-static libc6-arm64-cross` installs the programs that run them."""

import re
import struct
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import pytest
from built import LIBRARIES, ROOT, TOOL, exported, fmi_functions, needed, needed_glibc, run
from drivers import ALL_RUNS, PLATFORMS, RUNS, SUFFIX, ZIG, can_run, expect_same, numbers, table_of_digits
from macho import MachO

MISSING = [name for name, suffix in SUFFIX.items() if not (PLATFORMS / name / f"mechfmu_listed{suffix}").exists()]
pytestmark = [
    pytest.mark.skipif(not TOOL.exists(), reason="the tool is not built"),
    pytest.mark.skipif(bool(MISSING) or ZIG is None, reason="packaging/platforms.py has not made " + ", ".join(MISSING)),
]

VERSIONS = pytest.mark.parametrize("version", [2, 3])


@pytest.fixture(scope="session")
def fmus(environment, tmp_path_factory):
    """The folders of an FMU for all platforms and of one for this machine, by the version of FMI; their paths contain special
    characters."""
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


def limit(fmu: Path) -> str:
    """The value reference of the limit of substeps."""
    description = ET.parse(fmu / "modelDescription.xml").getroot()
    [variable] = [v for v in description.iter() if v.get("name") == "solver.max_substeps"]
    return variable.get("valueReference")


@VERSIONS
@pytest.mark.parametrize("platform", RUNS)
def test_digits_are_those_of_linux(fmus, drivers, platform, version):
    fmu = fmus["all", version]
    expect_same(drivers(platform)(fmu, version, "run"), drivers("linux64")(fmu, version, "run"))


def test_table_of_digits(fmus, drivers, capsys):
    rows = table_of_digits({version: fmus["all", version] for version in (2, 3)}, drivers, capsys)
    for row in rows:
        assert row[3:] == rows[0][3:]
        assert float(row[2]) == pytest.approx(float(rows[0][2]), rel=2.3e-16)


# Motions that stay near each other: without control, a Stewart platform falls through its legs.
MODELS = ["cart_pole", "crane", "double_wishbone"]


def test_table_of_other_mechanisms(environment, drivers, tmp_path_factory, capsys):
    """After 5 s: the largest difference of an output from linux64, relative to its largest value. The models call sine and
    cosine, which come from the C library in linux64, and from Zig elsewhere."""
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
            if can_run(platform):
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


def expect_same_state(bytes_here: bytes, bytes_there: bytes):
    """Expect the same numbers, except for the angle that counts turns: its arc tangent comes from the C library, which may
    round otherwise. The checksum depends on it."""
    assert len(bytes_here) == len(bytes_there)
    words = [struct.unpack(f"<{len(data) // 8}q", data[: len(data) // 8 * 8]) for data in (bytes_here, bytes_there)]
    checksum = 6
    apart = [abs(x - y) for i, (x, y) in enumerate(zip(*words, strict=True)) if x != y and i != checksum]
    assert len(apart) <= 1 and all(difference <= 2 for difference in apart), apart
    assert bytes_here[len(bytes_here) // 8 * 8 :] == bytes_there[len(bytes_there) // 8 * 8 :]


@VERSIONS
@pytest.mark.parametrize("platform", ALL_RUNS)
def test_states_move_to_and_from_linux(fmus, drivers, tmp_path, platform, version):
    """Bit for bit: drive.c also saves the restored state and compares the bytes."""
    fmu = fmus["all", version]
    here, there = drivers("linux64"), drivers(platform)
    whole = here(fmu, version, "save", tmp_path / "here")
    there(fmu, version, "save", tmp_path / "there")
    expect_same_state((tmp_path / "here").read_bytes(), (tmp_path / "there").read_bytes())
    expect_same(there(fmu, version, "restore", tmp_path / "here"), whole[1:])
    expect_same(here(fmu, version, "restore", tmp_path / "there"), whole[1:])


@VERSIONS
@pytest.mark.parametrize("platform", ALL_RUNS)
def test_a_step_that_fails_is_discarded_and_the_run_continues(fmus, drivers, platform, version):
    """As the table of docs/fmu.md states; drive.c also compares the bytes of the state before it and after the recovery."""
    fmu = fmus["all", version]
    discard = 2  # in both versions of FMI
    status, left, *rest = [line for line in drivers(platform)(fmu, version, "discard", limit(fmu)) if not line.startswith("log ")]
    assert status == f"long step: {discard}"
    whole = drivers("linux64")(fmu, version, "run")
    expect_same(rest, whole)  # as if the step had not been tried
    if version == 3:
        expect_same([left], whole[:1])
    else:  # at the last good substep, which is the same everywhere
        assert numbers(left)["pin"] != numbers(whole[0])["pin"]
        expect_same([left], [line for line in drivers("linux64")(fmu, version, "discard", limit(fmu)) if line.startswith("left ")])


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
    assert len(set(together)) == len(together) == 8  # each has a different torque
    assert together[0] == drivers(platform)(fmu, version, "run")[1]
    expect_same(together, drivers("linux64")(fmu, version, "threads"))


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
    # operators new and delete are replaceable by definition; the last two are marks of the linker
    others = {name for name in library.exported() if not re.match(r"_Z[nd][wal]|__dso_handle$|_mh_dylib_header$", name)}
    assert others == fmi_functions()
    if processor == "arm64":
        assert library.signature() == "ad hoc"


def test_no_library_holds_paths_of_this_machine():
    for name, suffix in SUFFIX.items():
        content = (PLATFORMS / name / f"mechfmu_listed{suffix}").read_bytes()
        assert str(ROOT).encode() not in content, name

"""mechfmu_pack writes archives that other programs read, within what FMI allows in an FMU."""

import os
import resource
import signal
import subprocess
import time
import zipfile

import pytest
from built import BUILD

PACK = BUILD / "packaging/mechfmu_pack"
pytestmark = pytest.mark.skipif(not PACK.exists(), reason="mechfmu_pack is not built")


def pack(*arguments, **environment):
    variables = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"} | environment
    return subprocess.run([PACK, *arguments], env=variables, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path):
    folder = tmp_path / "tree"
    files = {
        "modelDescription.xml": b"<fmiModelDescription/>",
        "documentation/index.html": b"<p>mechanism</p>" * 5000,
        "documentation/licenses/license.txt": b"",
        "resources/noise.bin": os.urandom(200000),
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "empty").mkdir()
    return folder


def test_archive_is_read_back_and_obeys_the_rules_for_fmus(tmp_path, tree):
    library = tmp_path / "library.so"
    library.write_bytes(b"\x7fELF" * 1000)
    library.chmod(0o700)
    fmu = tmp_path / "new folder" / "model.fmu"
    run = pack(fmu, tree, f"{library}=binaries/linux64/model.so")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")

    with zipfile.ZipFile(fmu) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [
            "binaries/linux64/model.so",
            "documentation/index.html",
            "documentation/licenses/license.txt",
            "modelDescription.xml",
            "resources/noise.bin",
        ]
        for entry in archive.infolist():
            source = library if entry.filename.startswith("binaries") else tree / entry.filename
            assert archive.read(entry) == source.read_bytes()
            assert entry.compress_type == zipfile.ZIP_DEFLATED
            assert entry.create_version <= 20 and entry.extract_version <= 20
            assert entry.flag_bits & ~0b110 == 0, "only the two bits about the level of deflate may be set"
            assert entry.create_system == 3 and entry.external_attr == 0o100644 << 16
            assert entry.extra == b"" and entry.comment == b""
            assert entry.date_time == (1980, 1, 1, 0, 0, 0)


def test_same_files_give_the_same_bytes(tmp_path, tree):
    first, second = tmp_path / "1.fmu", tmp_path / "2.fmu"
    assert pack(first, tree).returncode == 0
    for path in tree.rglob("*"):
        os.utime(path, (1e9, 1e9))
    assert pack(second, tree).returncode == 0
    assert first.read_bytes() == second.read_bytes()


def test_source_date_epoch_is_the_time_of_all_entries(tmp_path, tree):
    fmu = tmp_path / "a.fmu"
    assert pack(fmu, tree, SOURCE_DATE_EPOCH="1709210040").returncode == 0
    with zipfile.ZipFile(fmu) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(2024, 2, 29, 12, 34, 0)}


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "usage: "),
        (["out.fmu"], "usage: "),
        (["out.fmu", "nowhere"], "'nowhere' is not a folder"),
        (["out.fmu", "tree", "a.so"], "<file>=<path in the archive>"),
        (["out.fmu", "tree", "a.so=b.so"], "'a.so' does not exist"),
        (["out.fmu", "tree", "tree/modelDescription.xml=/b.so"], "is absolute"),
        (["out.fmu", "tree", "tree/modelDescription.xml=a/../../b.so"], "'..'"),
        (["out.fmu", "tree", "tree/modelDescription.xml=modelDescription.xml"], "two files"),
        (["tree/modelDescription.xml/out.fmu", "tree"], "tree/modelDescription.xml"),
    ],
)
def test_bad_arguments_are_refused_with_one_line_that_names_the_cause(
    tmp_path, tree, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    run = pack(*arguments)
    assert run.returncode == 1
    assert message in run.stderr and run.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]


def test_link_is_refused(tmp_path, tree):
    (tree / "link").symlink_to("/etc/passwd")
    run = pack(tmp_path / "a.fmu", tree)
    assert run.returncode == 1
    assert "link" in run.stderr


def test_full_disk_is_reported(tmp_path, tree):
    """Simulates a full disk by a limit for the size of files."""
    run = subprocess.run([PACK, tmp_path / "a.fmu", tree], capture_output=True, text=True, check=False,
                         restore_signals=False,  # Python has SIGXFSZ ignored
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))  # fmt: skip
    assert run.returncode == 1
    assert "cannot write" in run.stderr
    assert os.listdir(tmp_path) == ["tree"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_of_an_archive_that_is_interrupted(tmp_path, tree, number):
    with open(tree / "zeros", "wb") as file:
        file.truncate(2_000_000_000)  # takes seconds to pack, and no space
    # as in a terminal, even if the tests run without one and SIGHUP is ignored
    process = subprocess.Popen([PACK, tmp_path / "a.fmu", tree], stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))  # fmt: skip
    deadline = time.monotonic() + 30
    while len(os.listdir(tmp_path)) == 1:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.001)
    process.send_signal(number)
    assert process.wait(timeout=30) == -number
    assert os.listdir(tmp_path) == ["tree"]

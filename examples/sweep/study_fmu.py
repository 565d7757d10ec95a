"""The FMU of a study: a file, or made of a mechanism file by the tool mechfmu."""

import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class NoModel(Exception):
    """With the reason, in one line where there is one."""


def find_tool(tool: Path | None) -> str:
    found = shutil.which(tool or ROOT / "build" / "mechfmu") or (None if tool else shutil.which("mechfmu"))
    if not found:
        where = tool or "build/mechfmu and in PATH"
        raise NoModel(f"a mechanism file needs the tool mechfmu, which is not at {where}; build it or use --tool")
    return found


def export(mechanism: Path, version: int, tool: Path | None) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        fmu = Path(folder) / "model.fmu"
        words = [find_tool(tool), "export", mechanism, "--fmi", str(version), "-o", fmu]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise NoModel(f"mechfmu export {mechanism}: {done.stderr.strip()}")
        return fmu.read_bytes()


def load_model(study: Path, table: dict, tool: Path | None = None) -> bytes:
    """Paths are relative to the study."""
    name, version = table.get("fmu"), table.get("fmi", 2)
    if not isinstance(name, str):
        raise NoModel("is missing: the FMU or the mechanism file to run")
    if version not in (2, 3):
        raise NoModel(f"fmi is {version!r}, but there are 2 and 3")
    path = study.parent / name
    if not path.is_file():
        raise NoModel(f"there is no file {path}")
    if path.suffix == ".xml":
        return export(path, version, tool)
    return path.read_bytes()

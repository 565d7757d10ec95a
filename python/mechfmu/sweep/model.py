"""The FMU of a study: a file, or made from a mechanism file by the tool mechfmu."""

import tempfile
from pathlib import Path

from ..mechanism import export
from ..tool import ToolError


class NoModel(Exception):
    """The FMU cannot be used; the text is the reason."""


def exported(mechanism: Path, version: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return export(mechanism, Path(folder) / "model.fmu", fmi=version)[version].read_bytes()
        except (ToolError, FileNotFoundError) as error:
            raise NoModel(f"mechfmu export {mechanism}: {error}") from None


def load_model(study: Path, table: dict) -> bytes:
    """Return the FMU as bytes; paths are relative to the study."""
    name, version = table.get("fmu"), table.get("fmi", 2)
    if not isinstance(name, str):
        raise NoModel("is missing: the FMU or the mechanism file to run")
    if version not in (2, 3):
        raise NoModel(f"fmi is {version!r}, but must be 2 or 3")
    path = study.parent / name
    if not path.is_file():
        raise NoModel(f"no such file: {path}")
    if path.suffix == ".xml":
        return exported(path, version)
    return path.read_bytes()

"""The FMUs that the build makes of models/, by the rule of models/CMakeLists.txt."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def _fmus() -> dict[str, Path]:
    fmus = {path.parent.name: path for path in ROOT.glob("models/*/*_fmu.cpp")}
    for path in ROOT.glob("models/*/*.xml"):
        name = path.parent.name
        fmus[name if name not in fmus else f"{name}_file"] = path
    return fmus


SOURCES = _fmus()  # name of the FMU: C++ source or mechanism file
MODELS = sorted(SOURCES)

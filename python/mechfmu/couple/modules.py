"""Import Python files by their paths: folders of loops have files of the same names."""

import importlib.util
from pathlib import Path


def load_module(file: Path):
    spec = importlib.util.spec_from_file_location(f"{file.parent.name}_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

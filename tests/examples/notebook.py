"""Runs notebooks, without Jupyter: code cells one after the other in one name space, in a separate folder.

    python tests/examples/notebook.py examples/notebooks/first_fmu.ipynb     writes the cells' output into the notebook
"""

import contextlib
import io
import json
import sys
import tempfile
from pathlib import Path


def run(file: Path, folder: Path) -> list[str]:
    """The output of each code cell."""
    import matplotlib

    matplotlib.use("Agg")
    names: dict = {"__name__": "__main__"}
    printed = []
    with contextlib.chdir(folder):
        for i, cell in enumerate(code_cells(json.loads(file.read_text()))):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile("".join(cell["source"]), f"{file.name}, cell {i + 1}", "exec"), names)
            printed.append(out.getvalue())
    return printed


def code_cells(notebook: dict) -> list[dict]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def shown(cell: dict) -> str:
    """The output of the cell that the notebook contains."""
    return "".join(line for output in cell["outputs"] if output["output_type"] == "stream" for line in output["text"])


def write(file: Path) -> None:
    notebook = json.loads(file.read_text())
    with tempfile.TemporaryDirectory() as folder:
        for i, (cell, text) in enumerate(zip(code_cells(notebook), run(file, Path(folder)))):
            cell["execution_count"] = i + 1
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}] if text else []
    file.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name).resolve())

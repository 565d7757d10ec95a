"""The experiments repeated by other masters: communication points, inputs, reference results, FMPy's results."""

import csv
import io
import os
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from fmpy import read_model_description
from mechfmu.fmu import Instance

ROOT = Path(__file__).resolve().parents[2]
FMUS = Path(os.environ.get("MECHFMU_FMUS", ROOT / "build" / "fmus"))
MODELS = ["slider_crank", "pendulum"]
VERSIONS = {"fmi2": ".fmu", "fmi3": ".fmi3.fmu"}

needs_fmus = pytest.mark.skipif(not FMUS.is_dir(), reason=f"the FMUs are not built: no folder {FMUS}")


@dataclass
class Experiment:
    """The default experiment of an FMU, with values for inputs and parameters that are set before it."""

    fmu: Path
    values: dict[str, float] = field(default_factory=dict)

    def __post_init__(self):
        self.description = read_model_description(self.fmu)
        default = self.description.defaultExperiment
        self.step, self.stop = float(default.stepSize), float(default.stopTime)
        self.steps = round(self.stop / self.step)
        self.outputs = [v.name for v in self.description.modelVariables if v.causality == "output"]
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}

    def reference(self) -> np.ndarray:
        """The result inside the FMU: time and outputs, a row per communication point."""
        with zipfile.ZipFile(self.fmu) as archive:
            (name,) = [n for n in archive.namelist() if n.startswith("extra/") and n.endswith(".csv")]
            rows = list(csv.reader(io.StringIO(archive.read(name).decode())))
        assert rows[0] == ["time", *self.outputs]
        return np.array(rows[1:], float)

    def fmpy(self, points) -> np.ndarray:
        """Outputs after each of the steps (t, H), by FMPy."""
        with Instance(self.fmu) as plant:
            plant.start(self.values)
            rows = []
            for t, step in points:
                plant.step(t, step)
                rows.append(plant.get(self.outputs))
        return np.array(rows)


def relative_difference(a: np.ndarray, b: np.ndarray) -> float:
    """The largest error, each output relative to its largest value or to 1."""
    assert a.shape == b.shape
    return float(np.max(np.abs(a - b) / np.maximum(1, np.max(np.abs(b), axis=0))))

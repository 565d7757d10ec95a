"""Masters that cannot run on a machine are named, not met by a crash."""

import numpy as np
import pytest
from mechfmu.couple import report
from mechfmu.couple.masters import ecos
from mechfmu.couple.system import Result


def test_ecos_asks_for_the_program_that_it_unpacks_with(monkeypatch):
    monkeypatch.setattr(ecos.shutil, "which", lambda program: None)
    with pytest.raises(RuntimeError, match="the program unzip, which is not installed"):
        ecos.run(None, [])


def test_masters_that_are_not_installed_are_left_out(monkeypatch, capsys):
    def run_in(master, loop, version):
        if master == "libcosim":
            raise ModuleNotFoundError("No module named 'libcosimpy'", name="libcosimpy")
        result = Result(["plant.x"])
        result.add(0.0, lambda name: np.float64(1))
        return result

    class Loop:
        step = 0.01

    monkeypatch.setattr(report, "run_in", run_in)
    results = report.compare_masters(Loop())
    assert ("libcosim", 2) not in results and ("own", 3) in results
    assert "libcosim   FMI 2.0   left out, libcosimpy is not installed" in capsys.readouterr().out

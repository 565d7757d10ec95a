"""Maestro, a master in Java, runs the closed loops as FMPy does."""

import pytest
from conftest import load
from mechfmu.couple import report
from mechfmu.couple.masters import maestro

MISSING = maestro.why_not()


@pytest.mark.skipif(bool(MISSING), reason=MISSING)
@pytest.mark.parametrize("name", ["cart_pole", *(pytest.param(name, marks=pytest.mark.slow) for name in ("slider_crank", "gough_stewart"))])
def test_agrees_with_fmpy(name):
    loop = load(name).LOOP
    loop = loop.variant(stop=loop.stop / 2, values=loop.values)
    ours, theirs = (report.run_in(master, loop, 2) for master in ("fmpy_loop", "maestro"))
    assert list(theirs.t) == list(ours.t)
    assert report.difference_of(theirs, ours) < 1e-6


def test_names_the_missing_program(monkeypatch, tmp_path):
    monkeypatch.setattr(maestro, "BUILD", tmp_path)
    monkeypatch.setattr(maestro.shutil, "which", lambda program: program)
    with pytest.raises(RuntimeError, match=r"there is no Maestro in .*get_maestro\.sh gets it"):
        maestro.run(None, [])

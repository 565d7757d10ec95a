"""A variable that an FMU does not have is answered with those it has."""

import pytest
from mechfmu.fmu import _Variables

NAMES = ["time", "torque", "k", "phi", "solver.method"]


@pytest.mark.parametrize(
    "name, help", [("torqe", "did you mean 'torque'?"), ("A.angle", "there are time, torque, k, phi")]
)
def test_unknown_variable_is_answered_with_the_names_there_are(name, help):
    with pytest.raises(KeyError) as error:
        _Variables(dict.fromkeys(NAMES))[name]
    assert error.value.args[0] == f"unknown variable '{name}'; {help}"


def test_many_variables_are_cut_short():
    with pytest.raises(KeyError, match="there are .*, v11 …"):
        _Variables({f"v{i}": None for i in range(20)})["else"]

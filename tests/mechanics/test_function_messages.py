"""The compiler's message to a user whose function cannot work."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def complaints(line: str) -> str:
    source = f'#include "mechanics/function.h"\nusing namespace mechfmu;\n{line}\n'
    command = [os.environ.get("CXX", "g++"), "-std=c++20", "-fsyntax-only", f"-I{ROOT}", "-isystem", "/usr/include/eigen3"]
    run = subprocess.run([*command, "-x", "c++", "-"], input=source, capture_output=True, text=True)
    return run.stderr


def test_a_generic_lambda_is_fine():
    assert complaints("constinit Function<2> f([](const auto& x, const auto& y) { return x * sin(y); });") == ""


@pytest.mark.parametrize(
    "line, message",
    [
        ("Function<2> f([](double x, double y) { return x * y; });", "write it as [](const auto& x, "),
        ("Function<2> f([](const auto& x) { return x; });", "is made of a lambda of N arguments"),
        ("auto f(double c) { return Function<1>([c](const auto& x) { return c * x; }); }", "write it without captures"),
        ("extern Function<2> f; double y = f(1.0);", "is called with N arguments"),
        ("extern Function<1> f; auto y = f(Dual<Dual<Dual<double, 1>, 1>, 1>(1.0));", "first and second derivatives, no higher"),
    ],
)
def test_messages_name_the_correct_form(line, message):
    assert message in complaints(line)

"""Every public function of the package is annotated and documented, as py.typed promises."""

import importlib
import inspect
from pathlib import Path

import mechfmu
import pytest

MODULES = ["mechfmu", "mechfmu.fmu", "mechfmu.couple", "mechfmu.sweep", "mechfmu.flex"]


def public(module) -> list:
    """Functions of a module, and classes with their methods and properties, by name."""
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
    found = []
    for name in getattr(module, "__all__", [name for name in own if not name.startswith("_")]):
        value = getattr(module, name)
        found.append((name, value))
        if inspect.isclass(value):
            found += [
                (f"{name}.{key}", method_of(each)) for key, each in vars(value).items() if not key.startswith("_")
            ]
            found += [(f"{name}.__init__", value.__init__)] if "__init__" in vars(value) else []
    return [(name, value) for name, value in found if inspect.isclass(value) or inspect.isfunction(value)]


def method_of(attribute):
    return attribute.fget if isinstance(attribute, property) else getattr(attribute, "__func__", attribute)


def missing(name: str, value) -> list[str]:
    found = [] if value.__doc__ or name.endswith("__init__") else [f"{name} has no docstring"]
    if inspect.isfunction(value):
        signature = inspect.signature(value)
        named = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
        found += [f"{name}: the type of {p.name}" for p in named if p.annotation is p.empty]
        found += [f"{name}: the type of its value"] if signature.return_annotation is signature.empty else []
    return found


def test_package_is_marked_as_typed():
    assert (Path(mechfmu.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("name", MODULES)
def test_public_functions_have_types_and_docstrings(name):
    found = public(importlib.import_module(name))
    assert found
    assert [line for label, value in found for line in missing(label, value)] == []

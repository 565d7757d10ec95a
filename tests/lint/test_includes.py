"""Includes follow the arrows between the folders: solver -> model <- mechanics and so on.

The table is the whole rule. A folder may include itself, the folders and the libraries in its row, and the
standard library. Folders without a row (tests, bench) may include anything.
"""

import re
from pathlib import Path

import pytest
from sources import ROOT, cpp_files, includes

LIBRARIES = {
    "CLI11": r"CLI/CLI\.hpp",
    "Eigen": r"Eigen/.*|unsupported/Eigen/.*",
    "FMI": r"(.*/)?fmi[23]\w*\.h",
    "dl": r"dlfcn\.h",
    "libxml2": r"libxml/.*",
    "POSIX": r"(fcntl|netinet/in|poll|pthread|spawn|unistd|sys/(file|ioctl|mman|socket|stat|syscall|types|wait))\.h",
    "zlib": r"zlib\.h|zconf\.h|(minizip/)?(un)?zip\.h|minizip/.*",
}
#              folder:      (folders,                                      libraries)
MAY_INCLUDE = {
    "model":      ([],                                                     ["Eigen"]),
    "solver":     (["model"],                                              ["Eigen"]),
    "mechanics":  (["model"],                                              ["Eigen"]),
    "analysis":   (["model", "solver"],                                    ["Eigen"]),
    "models":     (["model", "mechanics"],                                 ["Eigen"]),
    "fmu_src":    (["model", "solver"],                                    ["Eigen", "FMI"]),
    "model_desc": (["analysis", "model", "solver"],                        ["Eigen", "libxml2"]),
    "language":   (["mechanics", "model", "model_desc", "solver"],         ["Eigen"]),
    "robots":     (["language", "model", "model_desc"],                    ["Eigen"]),
    "scene":      (["language", "mechanics", "model", "model_desc"],       ["Eigen"]),
    "importer":   (["model_desc", "model"],                                ["Eigen", "FMI", "dl"]),
    "packaging":  (["analysis", "importer", "language", "model_desc", "mechanics", "model", "models", "robots", "scene", "solver"], ["CLI11", "Eigen", "POSIX", "zlib"]),
}  # fmt: skip
FOLDERS = [*MAY_INCLUDE, "tests", "bench"]
STANDARD = r"[a-z0-9_]+"  # <vector>, <cmath>: C++ headers have no suffix


def is_allowed(folder: str, name: str) -> bool:
    folders, libraries = MAY_INCLUDE[folder]
    first = name.split("/")[0]
    if first in FOLDERS:
        return first == folder or first in folders
    return re.fullmatch("|".join([STANDARD, *(LIBRARIES[library] for library in libraries)]), name) is not None


def forbidden_includes(root: Path) -> list[str]:
    complaints = []
    for path in cpp_files(root):
        place = path.relative_to(root)
        folder = place.parts[0]
        if folder not in MAY_INCLUDE:
            continue
        folders, libraries = MAY_INCLUDE[folder]
        complaints += [
            f'{place}:{line}: "{name}" is not for {folder}/, which may include '
            f'{", ".join([folder, *folders])} (as "{folder}/name.h"), {", ".join(libraries)} and the standard library'
            for _, name, line in includes(path)
            if not is_allowed(folder, name)
        ]
    return complaints


def test_includes_follow_the_arrows():
    complaints = forbidden_includes(ROOT)
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize(
    "file, include",
    [
        ("solver/step.h", '"mechanics/body.h"'),
        ("solver/step.h", "<libxml/parser.h>"),
        ("solver/step.h", '"step_size.h"'),
        ("solver/step.h", "<unistd.h>"),
        ("model/system.h", '"solver/state.h"'),
        ("mechanics/body.cpp", '"solver/state.h"'),
        ("mechanics/body.cpp", '"models/pendulum/pendulum.h"'),
        ("mechanics/body.cpp", '"fmi2Functions.h"'),
        ("models/pendulum/pendulum.h", '"fmu_src/core.h"'),
        ("fmu_src/fmi2.cpp", "<libxml/tree.h>"),
        ("model_desc/read.cpp", '"packaging/zip.h"'),
        ("packaging/zip.cpp", '"fmu_src/core.h"'),
        ("importer/run.cpp", '"packaging/zip.h"'),
        ("model_desc/read.cpp", "<dlfcn.h>"),
        ("model_desc/read.cpp", '"language/file/reader.h"'),
        ("importer/run.cpp", '"language/file/reader.h"'),
        ("language/file/reader.cpp", "<libxml/tree.h>"),
    ],
)
def test_forbidden_include_is_found(tmp_path, file, include):
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(f"#pragma once\n#include <vector>\n  # include {include}\n")
    complaints = forbidden_includes(tmp_path)
    assert len(complaints) == 1
    assert complaints[0].startswith(f"{file}:3: ")


@pytest.mark.parametrize(
    "file, include",
    [
        ("solver/step.h", "<Eigen/Dense>"),
        ("solver/step.h", '"solver/state.h"'),
        ("solver/step.h", "<type_traits>"),
        ("mechanics/body.cpp", '"model/system.h"'),
        ("models/pendulum/pendulum.h", '"mechanics/body.h"'),
        ("fmu_src/fmi2.cpp", '"fmi2Functions.h"'),
        ("model_desc/read.cpp", "<libxml/tree.h>"),
        ("importer/fmu.cpp", "<dlfcn.h>"),
        ("importer/fmi2_instance.cpp", "<fmi2Functions.h>"),
        ("packaging/simulate.cpp", '"importer/run.h"'),
        ("packaging/zip.cpp", "<minizip/zip.h>"),
        ("tests/fmu_src/core_test.cpp", "<libxml/tree.h>"),
    ],
)
def test_allowed_include_passes(tmp_path, file, include):
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(f"#include {include}\n// #include <never/mind.h> in a comment\n")
    assert forbidden_includes(tmp_path) == []

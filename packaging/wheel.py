#!/usr/bin/env python3
"""The wheel for all of Linux: build/manylinux/mechfmu-<version>-py3-none-manylinux_2_17_x86_64.whl.

    packaging/wheel.py

`pip wheel .` makes one for machines like this one. Here the compiler is Zig, as in
packaging/platforms.py, so that the tool runs with glibc 2.17 and later; libxml2, zlib and minizip
are compiled from their Debian sources and linked statically, libxml2 without ICU, which is ten
times its size. Libraries for other platforms come from packaging/platforms.py. auditwheel confirms
the tag.
"""

import argparse
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import platforms

ROOT = platforms.ROOT
BUILD = ROOT / "build" / "manylinux"
SOURCES, STATIC, VENV = BUILD / "sources", BUILD / "static", BUILD / "venv"
REQUIREMENTS = ROOT / "packaging" / "requirements-wheel.txt"
TARGET = platforms.PLATFORMS["linux64"].target
TAG = "manylinux_2_17_x86_64"
RELEASE = "-O2 -g0 -DNDEBUG -ffp-contract=off"
DEBIAN = ["libxml2", "zlib", "minizip"]
LIBXML2 = {"TREE", "OUTPUT", "PUSH", "PATTERN", "REGEXPS", "SCHEMAS", "XPATH", "SAX1", "VALID", "READER", "WRITER", "ISO8859X", "THREADS"}
LIBXML2_OFF = {"C14N", "CATALOG", "DEBUG", "DOCB", "FTP", "HTML", "HTTP", "ICONV", "ICU", "LEGACY", "LZMA", "MEM_DEBUG", "MODULES",
               "PROGRAMS", "PYTHON", "RUN_DEBUG", "SCHEMATRON", "TESTS", "THREAD_ALLOC", "XINCLUDE", "XPTR", "ZLIB"}  # fmt: skip


def run(*words, **options):
    subprocess.run([str(word) for word in words], check=True, **options)


def compilers() -> dict[str, Path]:
    """Write scripts that start Zig under the names that build systems expect."""
    folder = BUILD / "bin"
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for name, words in {"cc": f"cc -target {TARGET}", "c++": f"c++ -target {TARGET}", "ar": "ar", "ranlib": "ranlib"}.items():
        made[name] = folder / f"zig-{name}"
        platforms.write_changed(made[name], f'#!/bin/sh\nexec "{platforms.zig()}" {words} "$@"\n')
        made[name].chmod(0o755)
    return made


def debian_source(name: str) -> Path | None:
    return next((p for p in SOURCES.glob(f"{name}-*") if p.is_dir()), None)


def debian_sources() -> dict[str, Path]:
    """Fetch the patched sources of the Debian packages, with separate package lists, so that the
    system does not change."""
    lists, parts = SOURCES / "lists", SOURCES / "parts"
    if not all(map(debian_source, DEBIAN)):
        for folder in (lists / "partial", parts):
            folder.mkdir(parents=True, exist_ok=True)
        suite = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
        asked = ["apt-get", "indextargets", "--format", "deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages",
                 f"Codename: {suite['VERSION_CODENAME']}"]  # fmt: skip
        with open(parts / "source.list", "w", encoding="utf-8") as places:
            run(*asked, stdout=places)
        options = ["-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={parts}", "-o", f"Dir::State::lists={lists}",
                   "-o", "APT::Sandbox::User=root", "-qq"]  # fmt: skip
        run("apt-get", *options, "update")
        run("apt-get", *options, "source", *DEBIAN, cwd=SOURCES)
    return {name: debian_source(name) for name in DEBIAN}


def static_libraries(tools: dict[str, Path]):
    """Make STATIC/lib/libxml2.a and libminizip.a, which includes zlib, with headers in
    STATIC/include, also those of CLI11."""
    if (STATIC / "stamp").exists():
        return
    source = debian_sources()
    toolchain = [f"-DCMAKE_{key}={tools[name]}" for key, name in
                 {"C_COMPILER": "cc", "AR": "ar", "RANLIB": "ranlib"}.items()]  # fmt: skip
    switches = [f"-DLIBXML2_WITH_{name}=ON" for name in LIBXML2] + [f"-DLIBXML2_WITH_{name}=OFF" for name in LIBXML2_OFF]
    run("cmake", "-G", "Ninja", "-S", source["libxml2"], "-B", BUILD / "libxml2", *toolchain, *switches, "-DBUILD_SHARED_LIBS=OFF",
        f"-DCMAKE_INSTALL_PREFIX={STATIC}", "-DCMAKE_INSTALL_LIBDIR=lib", f"-DCMAKE_C_FLAGS=-O2 -g0 -fPIC -w -ffile-prefix-map={SOURCES}=.")  # fmt: skip
    run("cmake", "--build", BUILD / "libxml2", "--target", "install")
    objects = BUILD / "minizip"
    shutil.rmtree(objects, ignore_errors=True)
    objects.mkdir()
    files = [*source["zlib"].glob("*.c"), *(source["minizip"] / name for name in ["zip.c", "unzip.c", "ioapi.c"])]
    for file in files:
        run(tools["cc"], "-c", "-O2", "-g0", "-fPIC", "-w", "-DHAVE_UNISTD_H", "-DNOCRYPT", "-DNOUNCRYPT", f"-I{source['zlib']}", file, "-o",
            objects / f"{file.stem}.o")  # fmt: skip
    run(tools["ar"], "rcs", STATIC / "lib" / "libminizip.a", *sorted(objects.glob("*.o")))
    headers = STATIC / "include"
    shutil.copytree("/usr/include/CLI", headers / "CLI", dirs_exist_ok=True)
    (headers / "minizip").mkdir(exist_ok=True)
    for file in source["minizip"].glob("*.h"):
        shutil.copy(file, headers / "minizip")
    for name in ["zlib.h", "zconf.h"]:
        shutil.copy(source["zlib"] / name, headers)
    (STATIC / "stamp").touch()


def notices() -> Path:
    """Make a folder with the licences of all libraries in the wheel, each under the name of its
    project."""
    folder = BUILD / "notices"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, source in debian_sources().items():
        shutil.copy(source / "debian" / "copyright", folder / name)
    for name, package in {"CLI11": "libcli11-dev", "Eigen": "libeigen3-dev"}.items():
        shutil.copy(f"/usr/share/doc/{package}/copyright", folder / name)
    return folder


def environment() -> Path:
    stamp = VENV / "stamp"
    if not stamp.exists() or stamp.read_text() != REQUIREMENTS.read_text():
        venv.create(VENV, clear=True, with_pip=True)
        run(VENV / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r", REQUIREMENTS)
        stamp.write_text(REQUIREMENTS.read_text())
    return VENV / "bin" / "python"


def build(python: Path, tools: dict[str, Path], jobs: int) -> Path:
    defines = {
        "CMAKE_AR": tools["ar"],
        "CMAKE_RANLIB": tools["ranlib"],
        "CMAKE_CXX_FLAGS_RELEASE": RELEASE,
        "CLI11_INCLUDE_DIR": STATIC / "include",
        "MINIZIP_INCLUDE_DIR": STATIC / "include",
        "MINIZIP_LIBRARY": STATIC / "lib" / "libminizip.a",
        "ZLIB_LIBRARY": STATIC / "lib" / "libminizip.a",
        "LIBXML2_INCLUDE_DIR": STATIC / "include" / "libxml2",
        "LIBXML2_LIBRARY": STATIC / "lib" / "libxml2.a",
        "MECHFMU_BUNDLE": "ON",
        "MECHFMU_NOTICES": notices(),
        "MECHFMU_KIT_COMPILER": f"zig;c++;-target;{TARGET}",
    }
    options = [word for name, value in defines.items() for word in ("-C", f"cmake.define.{name}={value}")]
    made = BUILD / "made"
    shutil.rmtree(made, ignore_errors=True)
    run(python, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", ROOT, "-w",
        made, "-C",
        f"build-dir={BUILD / 'zig'}", *options,
        env={**os.environ, "CXX": str(tools["c++"]), "CMAKE_BUILD_PARALLEL_LEVEL": str(jobs), "CMAKE_GENERATOR": "Ninja"})  # fmt: skip
    [wheel] = made.glob("*.whl")
    return wheel


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="Number of parallel compilations")
    jobs = parser.parse_args().jobs
    if not (ROOT / "build" / "venv").exists():
        sys.exit("wheel: packaging/setup.sh has to be run first")
    if not shutil.which("dpkg-source") and not all(map(debian_source, DEBIAN)):
        sys.exit("wheel: the package dpkg-dev is missing, which unpacks Debian sources; packaging/setup.sh dpkg-dev installs it")
    BUILD.mkdir(parents=True, exist_ok=True)
    platforms.BUILD.mkdir(parents=True, exist_ok=True)
    platforms.install_zig()
    tools = compilers()
    print("wheel: compiling libxml2, zlib and minizip", flush=True)
    static_libraries(tools)
    python = environment()
    print("wheel: compiling mechfmu with Zig; without output until it is done", flush=True)
    wheel = build(python, tools, jobs)
    run(python, "-m", "wheel", "tags", "--remove", "--platform-tag", TAG, wheel, stdout=subprocess.DEVNULL)
    [wheel] = wheel.parent.glob("*.whl")
    said = subprocess.run([python, "-m", "auditwheel", "show", wheel], check=True, capture_output=True, text=True).stdout
    if f'"{TAG}"' not in said:
        sys.exit(f"wheel: auditwheel does not agree that this is {TAG}:\n{said}")
    for old in BUILD.glob("mechfmu-*.whl"):
        old.unlink()
    made = Path(shutil.move(wheel, BUILD))
    have = [name for name in platforms.PLATFORMS if name == "linux64" or (platforms.BUILD / name / "mechfmu_listed.zip").exists()]
    print(f"wheel: {made.relative_to(ROOT)}, {made.stat().st_size / 1e6:.1f} MB; FMUs for {', '.join(have)}")
    if len(have) < len(platforms.PLATFORMS):
        print("wheel: packaging/platforms.py makes the libraries for the other platforms")


if __name__ == "__main__":
    main()

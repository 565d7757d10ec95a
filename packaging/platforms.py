#!/usr/bin/env python3
"""Libraries of FMUs for other platforms: those that `mechfmu export --platform` packs.

    packaging/platforms.py [platform]...      linux64 win64 aarch64-linux darwin64 aarch64-darwin; by default all

makes build/platforms/<platform>/mechfmu_listed.{so,dll,dylib} and, beside it, the same deflated as
mechfmu_listed.zip, with the hash of their sources. It is the library of packaging/CMakeLists.txt,
mechfmu_listed, by another compiler: Zig, which brings clang and the C and C++ libraries of all
targets, and which is installed in build/platforms/venv. Only what has changed is compiled again.

The same digits everywhere need the same operations everywhere: no multiplication is fused with an
addition, neither by the compiler (-ffp-contract=off) nor by Eigen, which would do so on ARM.
"""

import argparse
import dataclasses
import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "platforms"
VENV = BUILD / "venv"
REQUIREMENTS = ROOT / "packaging" / "requirements-platforms.txt"
ELF = f"-Wl,--version-script={ROOT}/packaging/fmu.map -Wl,-Bsymbolic -Wl,-z,defs -Wl,--gc-sections -Wl,--as-needed"

MACHO = "-Wl,-install_name,@rpath/mechfmu_listed.dylib"  # not the path of this machine


@dataclasses.dataclass
class Platform:
    target: str  # its name in Zig
    suffix: str
    compile: str = ""
    link: str = ""


PLATFORMS = {
    "linux64": Platform("x86_64-linux-gnu.2.17", ".so", "-fPIC", ELF),
    "win64": Platform("x86_64-windows-gnu", ".dll", "", f"-Wl,--out-implib={BUILD}/win64/objects/mechfmu_listed.lib"),
    "aarch64-linux": Platform("aarch64-linux-gnu.2.17", ".so", "-fPIC", ELF),
    "darwin64": Platform("x86_64-macos.11.0", ".dylib", "", MACHO),
    "aarch64-darwin": Platform("aarch64-macos.11.0", ".dylib", "", MACHO),
}

COMPILE = (
    "-std=c++20 -O2 -g0 -DNDEBUG -ffp-contract=off -fvisibility=hidden -fvisibility-inlines-hidden "
    "-ffunction-sections -fdata-sections"
)

# Reading these takes most of the time; reading them once for a platform saves two fifths of it.
HEADERS = "".join(
    f"#include <{name}>\n"
    for name in ["Eigen/Dense", "algorithm", "cmath", "filesystem", "fstream", "functional", "map", "memory", "stdexcept",
                 "string", "vector"]
)  # fmt: skip

# The functions that Eigen calls for products and sums of doubles on ARM, rounded twice as on x86-64.
ARM_HEADERS = """#include <arm_neon.h>
#define vfmaq_f64(c, a, b) vaddq_f64(c, vmulq_f64(a, b))
#define vfmaq_n_f64(c, a, b) vaddq_f64(c, vmulq_n_f64(a, b))
#undef vfmaq_laneq_f64
#define vfmaq_laneq_f64(c, a, b, lane) vaddq_f64(c, vmulq_laneq_f64(a, b, lane))
""" + HEADERS


def sources() -> list[Path]:
    """Return the sources of mechfmu_listed, which reads its model from its resources."""
    compiled = {"tabled_model_main.cpp", "compiled_model.cpp"}
    found = []
    for folder in ["model", "solver", "mechanics", "fmu_src"]:
        found += [*(ROOT / folder).glob("*.cpp"), *(ROOT / folder).glob("*/*.cpp")]
    return sorted(path for path in found if path.name not in compiled)


def sources_hash() -> str:
    """Return the SHA-256 of all sources and headers of the library, as packaging/Sources.cmake
    computes it."""
    files = [path for folder in ["model", "solver", "mechanics", "fmu_src"] for end in ["cpp", "h"] for path in (ROOT / folder).rglob(f"*.{end}")]
    names = sorted(path.relative_to(ROOT).as_posix() for path in files)
    lines = "".join(f"{hashlib.sha256((ROOT / name).read_bytes()).hexdigest()} {name}\n" for name in names)
    return hashlib.sha256(lines.encode()).hexdigest()


def install_zig():
    """Install Zig in a separate environment, unless it is there already."""
    stamp = VENV / "stamp"
    wanted = REQUIREMENTS.read_text()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"platforms: installing {REQUIREMENTS.relative_to(ROOT)} in {VENV.relative_to(ROOT)}")
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
    pip = [VENV / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--requirement", REQUIREMENTS], check=True)
    stamp.write_text(wanted)


def zig() -> Path:
    """Return the path of the program: starting it by Python would take longer than compiling a
    small file."""
    [package] = VENV.glob("lib/python3*/site-packages/ziglang")
    return package / "zig"


def eigen() -> str:
    for folder in ["/usr/include/eigen3", "/usr/local/include/eigen3"]:
        if Path(folder, "Eigen", "Core").exists():
            return folder
    sys.exit("platforms: Eigen was not found; packaging/setup.sh installs it")


def fmi_headers() -> Path:
    for package in (ROOT / "build" / "venv").glob("lib/python3*/site-packages/fmpy/c-code"):
        return package
    sys.exit("platforms: the FMI headers were not found; packaging/setup.sh installs FMPy, which has them")


def ninja_file(packer: Path) -> str:
    lines = [
        "ninja_required_version = 1.10",
        f"builddir = {BUILD}",
        f"zig = {zig()}",
        f"flags = {COMPILE} -I{ROOT} -isystem {eigen()} -isystem {fmi_headers()}",
        "rule precompile",
        "  command = $zig c++ -target $target $flags $more -x c++-header $in -o $out",
        "  description = $platform: headers",
        "rule compile",
        "  command = $zig c++ -target $target $flags $more -include-pch $headers -MMD -MF $out.d -c $in -o $out",
        "  deps = gcc",
        "  depfile = $out.d",
        "  description = $platform: $in",
        "rule link",
        "  command = $zig c++ -target $target -shared -s -o $out $in $more",
        "  description = $platform: $out",
        "rule pack",
        f"  command = rm -rf $alone && mkdir -p $alone && cp $in $alone && {packer} $out $alone && rm -r $alone",
        "  description = $platform: $out",
    ]
    for name, platform in PLATFORMS.items():
        folder = BUILD / name
        common = [f"  target = {platform.target}", f"  platform = {name}"]
        objects = []
        headers = folder / "objects" / "headers.pch"
        source = BUILD / ("headers_arm.h" if "aarch64" in platform.target else "headers.h")
        lines += [f"build {headers}: precompile {source}", *common, f"  more = {platform.compile}"]
        for source in sources():
            objects.append(folder / "objects" / source.relative_to(ROOT).with_suffix(".o"))
            lines += [f"build {objects[-1]}: compile {source} | {headers}"]
            lines += [*common, f"  more = {platform.compile}", f"  headers = {headers}"]
        library = folder / f"mechfmu_listed{platform.suffix}"
        lines += [f"build {library}: link {' '.join(map(str, objects))} | {ROOT}/packaging/fmu.map"]
        lines += [*common, f"  more = {platform.link}"]
        lines += [f"build {folder}/mechfmu_listed.zip: pack {library} | {packer}"]
        lines += [*common, f"  alone = {folder}/alone", f"build {name}: phony {folder}/mechfmu_listed.zip"]
    return "\n".join(lines) + "\n"


def write_changed(file: Path, text: str):
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("platform", nargs="*", default=list(PLATFORMS), help=f"Platforms to build: {', '.join(PLATFORMS)} (default: all)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="Number of parallel compilations")
    options = parser.parse_args()
    for name in options.platform:
        if name not in PLATFORMS:
            parser.error(f"there is no platform '{name}'; there are {', '.join(PLATFORMS)}")
    packer = ROOT / "build" / "packaging" / "mechfmu_pack"
    if not packer.exists():
        sys.exit("platforms: build mechfmu first: cmake --preset release && cmake --build --preset release")
    BUILD.mkdir(parents=True, exist_ok=True)
    install_zig()
    write_changed(BUILD / "headers.h", HEADERS)
    write_changed(BUILD / "headers_arm.h", ARM_HEADERS)
    file = BUILD / "build.ninja"
    write_changed(file, ninja_file(packer))
    compiled = sources_hash()  # before ninja: a source that changes meanwhile makes the library an old one
    code = subprocess.run(["ninja", "-f", file, "-j", str(options.jobs), *options.platform], check=False).returncode
    for name in options.platform if code == 0 else []:
        write_changed(BUILD / name / "mechfmu_sources.sha256", compiled + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())

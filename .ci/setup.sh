#!/bin/sh
# Makes this machine able to do what is named. Called by the Makefile, which says in CC, EMCC, WASI_CC, CLANG and
# CLANG_FORMAT what it will run.
#
#   setup.sh build|lib|native|python|browsers|examples|mpi|coverage|emulators|format...
#                             look first; install what is missing by apt, or say what to install
#   setup.sh chrome|firefox   print the path of a browser that runs, or fail
#   setup.sh shell            print the path of Chromium's headless shell, if there is one and no CHROME_PATH
#
# It refuses to ask questions, and to touch anything but apt packages (npm's are the Makefile's).
# What counts as present is decided by trying it, so any origin of a tool will do.
set -u

: "${CC:=cc}" "${EMCC:=emcc}" "${WASI_CC:=clang --target=wasm32-wasi}" "${CLANG:=clang}"
: "${CLANG_FORMAT:=clang-format}"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

find_browser() { # what its --version says, and the programs to try
  says=$1
  shift
  for name in "$@"; do
    path=$(command -v "$name" 2>/dev/null) || continue
    # Ubuntu's browsers may be stubs that only say to install a snap.
    if "$path" --version 2>/dev/null | grep -q "$says"; then
      printf '%s\n' "$path"
      return 0
    fi
  done
  return 1
}

find_chrome() {
  find_browser Chrom "${CHROME_PATH:-}" chromium chromium-browser google-chrome google-chrome-stable \
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
}

find_shell() {
  [ -n "${CHROME_PATH:-}" ] || find_browser Chrom chromium-headless-shell chrome-headless-shell || :
}

find_firefox() {
  find_browser Firefox "${FIREFOX_PATH:-}" firefox-esr firefox \
    /Applications/Firefox.app/Contents/MacOS/firefox
}

has_webkit() { # the driver knows its own browser, which needs a screen
  "${WEBKIT_DRIVER_PATH:-WebKitWebDriver}" --help >/dev/null 2>&1 && Xvfb -help >/dev/null 2>&1
}

can_compile() { # the compiler with its arguments; a word list on purpose
  # shellcheck disable=SC2086
  echo 'int main(void) { return 0; }' | $1 -x c - -o "$scratch/program" >/dev/null 2>&1
}

# Probes: whether $1 is there, its apt packages, and what it is in words.
has() {
  case $1 in
  emcc) sh -c "$EMCC --version" >/dev/null 2>&1 ;;
  wasi) can_compile "$WASI_CC" ;;
  cc) can_compile "$CC" ;;
  gcc) can_compile gcc ;;
  pkgconfig) pkg-config --version >/dev/null 2>&1 ;;
  python) python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' 2>/dev/null ;;
  native) can_compile "$CLANG -fsanitize=address,undefined" ;;
  chrome) find_chrome >/dev/null ;;
  firefox) find_firefox >/dev/null ;;
  webkit) has_webkit ;;
  mpi) mpicc --showme:version >/dev/null 2>&1 && mpirun --version >/dev/null 2>&1 ;;
  coverage) llvm-cov --version >/dev/null 2>&1 && llvm-profdata --help >/dev/null 2>&1 ;;
  emulators)
    for cpu in aarch64 riscv64; do
      can_compile "$cpu-linux-gnu-gcc -static" && "qemu-$cpu" "$scratch/program" || return 1
    done
    ;;
  format) $CLANG_FORMAT --version >/dev/null 2>&1 ;;
  esac
}

packages_of() {
  case $1 in
  emcc) echo emscripten ;;
  wasi)
    echo clang lld wasi-libc
    first_available "libclang-rt-$(clang_major)-dev-wasm32" libclang-rt-dev-wasm32
    ;;
  cc | gcc) echo gcc libc6-dev ;;
  pkgconfig) first_available pkgconf pkg-config ;;
  python) echo python3-venv ;;
  native)
    # libc6-dev: clang links programs, but depends on the C library's headers only by way of gcc.
    echo clang libc6-dev
    first_available "libclang-rt-$(clang_major)-dev" libclang-rt-dev "libclang-common-$(clang_major)-dev"
    ;;
  chrome)
    first_available chromium
    first_available chromium-headless-shell
    ;;
  firefox) first_available firefox-esr firefox ;;
  webkit)
    first_available webkit2gtk-driver webkitgtk-driver
    echo xvfb
    ;;
  mpi) echo openmpi-bin libopenmpi-dev ;;
  coverage) echo llvm ;;
  emulators)
    echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
    echo qemu-user
    ;;
  format) echo clang-format ;;
  esac
}

describe() {
  case $1 in
  emcc) echo 'Emscripten 3.1.6 or newer (emcc on the PATH, or EMSDK=<the emsdk folder>)' ;;
  wasi) echo 'WASI SDK 16 or newer (WASI_SDK_PATH=<its folder>)' ;;
  cc) echo 'a C compiler, gcc or clang (CC=<its program>)' ;;
  gcc) echo 'gcc, in which the examples are tried beside clang' ;;
  pkgconfig) echo 'pkg-config' ;;
  python) echo 'Python 3.9 or newer with venv (Debian: python3-venv)' ;;
  native) echo 'clang 14 or newer with its sanitizer runtime (compiler-rt)' ;;
  chrome) echo 'Chromium or Google Chrome (on the PATH, or CHROME_PATH=<its program>)' ;;
  firefox) echo 'Firefox (on the PATH, or FIREFOX_PATH=<its program>)' ;;
  webkit) echo 'WebKitGTK with its driver, and Xvfb, which are for Linux (on the PATH, or WEBKIT_DRIVER_PATH=<its WebKitWebDriver>)' ;;
  mpi) echo 'Open MPI 4 or newer (mpicc and mpirun)' ;;
  coverage) echo "LLVM's llvm-cov and llvm-profdata, of clang's version" ;;
  emulators) echo 'gcc for aarch64 and riscv64, and qemu-user, which runs what they make' ;;
  format) echo 'clang-format 14 (CLANG_FORMAT=<its program>)' ;;
  esac
}

clang_major() {
  if command -v clang >/dev/null 2>&1; then
    clang -dumpversion | cut -d. -f1
  else
    apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1
  fi
}

first_available() {
  for package in "$@"; do
    # A snap in a package's clothes (Ubuntu's chromium) is of no use here.
    version=$(apt-cache policy "$package" 2>/dev/null | sed -n 's/^ *Candidate: //p')
    case $version in '' | '(none)' | *snap*) ;; *) echo "$package" && return ;; esac
  done
}

# Prints what of "$@" is missing, on one line.
missing_of() {
  missing_now=
  for tool in "$@"; do has "$tool" || missing_now="$missing_now $tool"; done
  echo "${missing_now# }"
}

# Prints the apt packages of "$@", on one line.
packages_for() {
  for tool in "$@"; do packages_of "$tool"; done | tr '\n' ' '
}

fail_with_list() {
  echo "$1" >&2
  for tool in $2; do echo "  - $(describe "$tool")" >&2; done
  exit 1
}

install() {
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=sudo # asks for a password only where a person sits
  else
    # shellcheck disable=SC2086
    echo "As root, run: apt-get update && apt-get install $(packages_for $1)" >&2
    fail_with_list 'Missing, and this user may not install it (no root, no sudo):' "$1"
  fi
  apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300"
  $apt update </dev/null || echo 'apt-get update failed; going on with the old lists' >&2
  # shellcheck disable=SC2086
  packages=$(packages_for $1)
  if [ -n "$packages" ]; then
    echo "Installing: $packages"
    # shellcheck disable=SC2086
    $apt install -y --no-install-recommends $packages </dev/null ||
      fail_with_list 'apt-get failed. Install by hand:' "$1"
  fi
  for browser in chrome:chromium firefox:firefox; do # Ubuntu has them as snaps only
    case " $1 " in
    *" ${browser%:*} "*)
      has "${browser%:*}" ||
        { command -v snap >/dev/null 2>&1 && $as_root snap install "${browser#*:}" </dev/null; } || : ;;
    esac
  done
}

case ${1:-} in chrome | firefox | shell) "find_$1"; exit ;; esac

if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 14) ? 0 : 1)' 2>/dev/null ||
  ! command -v npm >/dev/null 2>&1; then
  echo "Missing: Node.js 20.14 or newer with npm (found: node $(node --version 2>/dev/null || echo none))" >&2
  exit 1
fi

tools=
for need in "$@"; do
  case $need in
  build) tools="$tools emcc wasi" ;;
  lib) tools="$tools cc" ;;
  native) tools="$tools native gcc" ;;
  python) tools="$tools python" ;;
  chrome) tools="$tools chrome" ;;
  browsers) tools="$tools chrome firefox webkit" ;;
  examples) tools="$tools pkgconfig" ;;
  mpi) tools="$tools mpi" ;;
  coverage) tools="$tools coverage" ;;
  emulators) tools="$tools emulators" ;;
  format) tools="$tools format" ;;
  *) echo "setup.sh: there is nothing to set up for '$need'" >&2 && exit 2 ;;
  esac
done

# shellcheck disable=SC2086
missing=$(missing_of $tools)
[ -n "$missing" ] || exit 0
case "${EMSDK:+emcc} $missing" in emcc*\ emcc*) fail_with_list "EMSDK is $EMSDK, but this does not run: $EMCC" emcc ;; esac
case "${WASI_SDK_PATH:+wasi} $missing" in
wasi*\ wasi*) fail_with_list "WASI_SDK_PATH is $WASI_SDK_PATH, but this does not link: $WASI_CC" wasi ;;
esac
command -v apt-get >/dev/null 2>&1 || fail_with_list 'Missing. There is no apt here; please install:' "$missing"
install "$missing"
# shellcheck disable=SC2086
missing=$(missing_of $missing)
[ -z "$missing" ] || fail_with_list 'apt has no package that works here for what follows; please install:' "$missing"

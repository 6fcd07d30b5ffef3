# shellcheck shell=bash
# Sourced by the other scripts: the path of the project, and the dependencies of a build.
# All messages go to stderr, because stdout belongs to the program that a script runs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Options for every `swift build` and `swift test` on this machine.
swift_options=(--package-path "$root")
# Options for fast programs. The Swift runtime is linked statically, at a fixed address, so that
# nothing has to be relocated at each start.
release_options=()
# The program exports no symbols of its own: nothing is loaded into it, and without them the linker leaves more out.
[[ $(uname -s) == Darwin ]] ||
  release_options=(--static-swift-stdlib -Xlinker -no-pie -Xlinker --no-export-dynamic)
# Functions of the project that precede those of the libraries put Dispatch, timers and more into virtual time. The
# program's functions take precedence over a shared library; for static libraries this needs the linker.
if [[ $(uname -s) != Darwin && -f $root/docs/interposed.md ]]; then
  while read -r function; do
    release_options+=(-Xlinker "--wrap=$function")
  done < <(sed -n 's/^| `\([^`]*\)` |.*| wrap |$/\1/p' "$root/docs/interposed.md")
fi
# Debug builds, which the tests use, check the exclusivity of memory accesses. In release builds the checks would take a
# twentieth of the time.
release_options+=(-Xswiftc -enforce-exclusivity=unchecked)
# Package.swift: modules that are large and seldom run are optimised for size.
export REHEARSE_SMALL=1
# build_optimised PRODUCT: every script builds optimised programs with the same options, so that one build serves all.
build_optimised() {
  swift build "${swift_options[@]}" -c release ${release_options[@]+"${release_options[@]}"} --product "$1" >&2
}
# Options for the debug build that scripts/rehearse starts first. It has a separate folder, because SwiftPM runs one build
# at a time in a folder. It has no debug information and no index.
first=$root/.build/first
first_options=(--scratch-path "$first" --disable-index-store -Xswiftc -gnone)
# Exists while this folder is built without line editing, so that the message and the attempt to install it are not
# repeated, and everything is rebuilt after the library is installed.
without_editing=$root/.build/without-line-editing

say() {
  printf '%s\n' "$*" >&2
}

# Installs the dependencies of a build, as far as this machine allows.
set_up() {
  require_swift
  require_zlib
  if has_libedit || { [[ ! -e $without_editing ]] && install_libedit; }; then
    rm -f "$without_editing"
  else
    say "Building without line editing: the prompt works, but has no history and no completion."
    swift_options+=(--disable-default-traits)
    mkdir -p "$root/.build"
    touch "$without_editing"
  fi
}

require_swift() {
  local version
  if ! command -v swift >/dev/null; then
    say "Swift is missing. Install Swift 6.3 or later, from https://www.swift.org/install, and try again."
    exit 1
  fi
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
  if [[ $version =~ ^([0-9]+)\.([0-9]+)$ ]] &&
    ((BASH_REMATCH[1] * 100 + BASH_REMATCH[2] < 603)); then
    say "This is Swift $version, and Swift 6.3 or later is needed: https://www.swift.org/install"
    exit 1
  fi
}

# can_build LIBRARY HEADER: whether a C program that uses it can be built.
can_build() {
  local compiler
  [[ $(uname -s) == Darwin ]] && return 0
  for compiler in clang cc gcc; do
    if command -v "$compiler" >/dev/null; then
      printf '#include <%s>\nint main(void) { return 0; }\n' "$2" |
        "$compiler" -x c - "-l$1" -o /dev/null 2>/dev/null
      return
    fi
  done
  [[ -e /usr/include/$2 ]]
}

has_libedit() { can_build edit histedit.h; }

has_zlib() { can_build z zlib.h; }

# zlib compresses HTTP bodies. It is required.
require_zlib() {
  has_zlib && return
  install zlib1g-dev "which compressed bodies need" && has_zlib && return
  say "zlib is missing, which compressed bodies need, and cannot be installed from here. Type:"
  say "  $(how_to_install zlib1g-dev zlib-devel)"
  exit 1
}

install_libedit() {
  install libedit-dev "which the prompt uses to edit lines" && has_libedit && return
  say "libedit is missing, which the prompt uses to edit lines, and cannot be installed from here."
  say "To have it, type:"
  say "  $(how_to_install libedit-dev libedit-devel)"
  return 1
}

# A Chromium that tests the generated pages and pictures.
has_chromium() {
  local name
  for name in chromium-headless-shell chromium chromium-browser google-chrome chrome; do
    ! command -v "$name" >/dev/null || return 0
  done
  return 1
}

install_chromium() {
  install chromium-headless-shell "which tests pages" && has_chromium && return
  say "Chromium is missing, which tests pages, and cannot be installed from here."
  say "To have it, type:"
  say "  $(how_to_install chromium-headless-shell chromium-headless)"
  return 1
}

# Mermaid's own parser, from a Python package. Only a test needs it.
mermaid=$root/.build/mermaid/mmdc/assets/mermaid.js

fetch_mermaid() {
  local folder=$root/.build/mermaid
  say "Fetching Mermaid, which checks diagrams…"
  mkdir -p "$folder"
  {
    python3 -m pip download --disable-pip-version-check --no-deps --dest "$folder" mmdc==0.7.0 &&
      python3 -m zipfile -e "$folder"/mmdc-0.7.0-*.whl "$folder"
  } >/dev/null 2>&1 && [[ -e $mermaid ]] && return
  say "Mermaid cannot be installed from here: it needs Python 3, pip and a package index with 'mmdc'."
  return 1
}

# The reference implementation of CommonMark, which is compared with ours.
require_cmark() {
  command -v cmark >/dev/null && return
  install cmark "which is compared with our Markdown parser" && command -v cmark >/dev/null && return
  say "cmark is missing, which is compared with our Markdown parser, and cannot be installed from here. Type:"
  say "  $(how_to_install cmark cmark)"
  exit 1
}

# Other runners of golden files, for comparisons in scripts/bench. Nothing else needs them.
peers=$root/.build/peers

# Downloads those that are available here; scripts/bench names the others as missing.
fetch_peers() {
  local name
  fetch_python_peers || say "cram, prysk and lit cannot be installed from here: they need Python 3 and pip."
  for name in shelltest:shelltestrunner bats:bats parallel:parallel dune:ocaml-dune; do
    command -v "${name%:*}" >/dev/null || install "${name#*:}" "for a comparison" || true
  done
  # dune does not start without a compiler.
  command -v ocamlc >/dev/null || install ocaml-nox "which dune needs" || true
  build_datadriven || say "Go's datadriven cannot be installed from here: it needs Go and apt."
}

fetch_python_peers() {
  [[ -x $peers/bin/cram && -x $peers/bin/prysk && -x $peers/bin/lit ]] && return
  say "Fetching cram, prysk and lit, for a comparison…"
  {
    python3 -m venv "$peers" &&
      "$peers/bin/python" -m pip install --disable-pip-version-check cram==0.7 prysk==0.20.0 lit==18.1.8
  } >/dev/null 2>&1
}

# Other ways to try many schedules of a scenario: own programs that use asyncio and Hypothesis.
fetch_exploring_peers() {
  mkdir -p "$peers/bin"
  ln -sf "$root"/Benchmarks/Peers/*-schedules "$peers/bin"
  "$peers/bin/python" -c "import hypothesis" >/dev/null 2>&1 && return
  say "Fetching Hypothesis, for a comparison…"
  {
    [[ -x $peers/bin/python ]] || python3 -m venv "$peers"
    "$peers/bin/python" -m pip install --disable-pip-version-check hypothesis==6.170.15
  } >/dev/null 2>&1 || say "Hypothesis cannot be installed from here: it needs Python 3 and pip."
}

# It is a library, so the program that uses it is part of this project.
build_datadriven() {
  local package=golang-github-cockroachdb-datadriven-dev sources=/usr/share/gocode
  [[ $peers/bin/datadriven -nt $root/Benchmarks/Peers/transcripts_test.go ]] && return
  command -v go >/dev/null || install golang-go "for datadriven" || return
  [[ -d $sources/src/github.com/cockroachdb/datadriven ]] ||
    install "$package" "for a comparison" || return
  mkdir -p "$peers/bin"
  (cd "$root/Benchmarks/Peers" &&
    GO111MODULE=off GOPATH=$sources GOFLAGS= go test -c -o "$peers/bin/datadriven" .) >/dev/null 2>&1
}

# install PACKAGE WORDS: installs it by apt, as root or with sudo. Fails if sudo needs a password and there is no terminal.
install() {
  local as_root=()
  command -v apt-get >/dev/null || return 1
  if ((EUID != 0)); then
    command -v sudo >/dev/null || return 1
    sudo -n true 2>/dev/null || [[ -t 0 && -t 2 ]] || return 1
    as_root=(sudo)
  fi
  say "Installing $1, $2…"
  apt_install "$1" ${as_root[@]+"${as_root[@]}"}
}

# apt_install PACKAGE [SUDO]: installs with the current package lists, or else updates them first.
apt_install() {
  local package=$1
  shift
  local get=("$@" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  local install=("${get[@]}" install -y --no-install-recommends "$package")
  {
    "${install[@]}" >/dev/null 2>&1 || { "${get[@]}" update && "${install[@]}"; }
  } </dev/null >&2
}

# how_to_install DEBIAN FEDORA: prints the command that installs a package, by its names there.
how_to_install() {
  if command -v apt-get >/dev/null; then
    if command -v sudo >/dev/null; then
      printf 'sudo apt-get install %s' "$1"
    else
      printf 'apt-get install %s     (as root)' "$1"
    fi
  elif command -v dnf >/dev/null; then
    printf 'sudo dnf install %s' "$2"
  elif [[ $2 == *-devel ]]; then
    printf 'install the development files of %s' "${2%-devel}"
  else
    printf 'install %s' "$2"
  fi
}

# quietly WORDS COMMAND…: shows WORDS if it takes longer than two seconds, on a terminal with the last line of its
# output; shows all output only if it fails.
quietly() {
  local words=$1 log pid status=0 said=
  shift
  log=$(mktemp)
  "$@" >"$log" 2>&1 &
  pid=$!
  trap 'kill "$pid" 2>/dev/null; rm -f "$log"; exit 130' INT TERM
  local began=$SECONDS
  while kill -0 "$pid" 2>/dev/null; do
    if ((SECONDS - began >= 2)); then
      [[ -n $said || -t 2 ]] || say "$words…"
      said=yes
      show_progress "$words" "$log"
    fi
    sleep 0.1
  done
  wait "$pid" || status=$?
  trap - INT TERM
  [[ -z $said || ! -t 2 ]] || printf '\r\033[K' >&2
  ((status == 0)) || cat "$log" >&2
  rm -f "$log"
  return "$status"
}

show_progress() {
  [[ -t 2 ]] || return 0
  local line columns
  columns=$(tput cols 2>/dev/null || echo 80)
  line="$1… $(tail -n 1 "$2" | tr -d '\r\033')"
  printf '\r\033[K%s' "${line:0:columns - 1}" >&2
}

# Optional dependencies of tests. Tests without them are left out, by name; in CI that is a failure.
left_out=()
set_up_tests() {
  if ! has_chromium && ! install_chromium; then
    leave_out BrowserTests
  elif [[ ! -e $mermaid ]] && ! fetch_mermaid; then
    leave_out BrowserTests.MermaidTests
  fi
}

leave_out() {
  say "Tests are left out: $1"
  [[ -z ${CI:-} ]] || exit 1
  left_out+=(--skip "$1")
}

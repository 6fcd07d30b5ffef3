# shellcheck shell=bash
# Sourced by the other scripts: where the project is, and what it takes to build it.
# Everything here speaks on stderr; stdout belongs to the program that a script runs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Options that every `swift build` and `swift test` needs on this machine.
swift_options=(--package-path "$root")
# Exists while this folder is built without line editing, so that what was said and tried once is
# not said and tried each time, and all is built anew once the library is there.
without_editing=$root/.build/without-line-editing

say() {
  printf '%s\n' "$*" >&2
}

# Makes sure that the project can be built, as far as this machine allows.
set_up() {
  require_swift
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

# Whether a C program that uses libedit can be built.
has_libedit() {
  local compiler
  [[ $(uname -s) == Darwin ]] && return 0
  for compiler in clang cc gcc; do
    if command -v "$compiler" >/dev/null; then
      printf '#include <histedit.h>\nint main(void) { return el_init == 0; }\n' |
        "$compiler" -x c - -ledit -o /dev/null 2>/dev/null
      return
    fi
  done
  [[ -e /usr/include/histedit.h ]]
}

# Installs libedit by apt, where that is possible without asking in vain.
install_libedit() {
  local as_root=()
  if ! command -v apt-get >/dev/null; then
    how_to_install_libedit
    return 1
  fi
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [[ -t 0 && -t 2 ]]; }; then
      how_to_install_libedit
      return 1
    fi
    as_root=(sudo)
  fi
  say "Installing libedit-dev, which the prompt uses to edit lines…"
  if apt_install ${as_root[@]+"${as_root[@]}"} && has_libedit; then
    return 0
  fi
  say "That did not work."
  how_to_install_libedit
  return 1
}

# apt_install [SUDO]: with the package lists as they are, or else with new ones.
apt_install() {
  local get=("$@" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  local install=("${get[@]}" install -y --no-install-recommends libedit-dev)
  {
    "${install[@]}" >/dev/null 2>&1 || { "${get[@]}" update && "${install[@]}"; }
  } </dev/null >&2
}

how_to_install_libedit() {
  local command="install the development files of libedit"
  if command -v apt-get >/dev/null; then
    command="sudo apt-get install libedit-dev"
    command -v sudo >/dev/null || command="apt-get install libedit-dev     (as root)"
  elif command -v dnf >/dev/null; then
    command="sudo dnf install libedit-devel"
  fi
  say "libedit is missing, which the prompt uses to edit lines, and cannot be installed from here."
  say "To have it, type:"
  say "  $command"
}

# quietly WORDS COMMAND…: shows WORDS if it takes longer than two seconds, on a terminal with the
# command's last line beside them; shows all that it wrote only if it fails.
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

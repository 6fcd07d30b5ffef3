# shellcheck shell=bash disable=SC2154
# Sourced by scripts/release: the program, which needs only the C library, and its helper, which brings Swift's
# libraries along. Neither contains a path of this machine.

scratch=$root/.build/packing
# Folders before those of the system, with only static libraries, so that the linker takes these.
static=$scratch/static
static_libraries=(edit bsd md tinfo z stdc++)

# Swift 5 mode compiles the whole path of a file into messages. An option changes that, which Swift 6 mode refuses
# because it is the default there. Modules whose speed matters little are optimised for size, because an archive has at
# most 12 MB. SwiftPM has no options for single packages and modules, so a compiler between them decides.
write_compiler() {
  mkdir -p "$scratch"
  cat >"$scratch/swiftc" <<'END'
#!/usr/bin/env bash
[[ " $* " == *" -swift-version 6 "* ]] || set -- "$@" -enable-upcoming-feature ConciseMagicFile
for module in ArgumentParser Converting HTTPTypes Harness LineEditing MockHTTPServer Rehearsal RehearsalKit RemoteLoading Scenes \
  Script Timelines; do
  [[ " $* " != *" -module-name $module "* ]] || set -- "$@" -Osize
done
exec swiftc "$@"
END
  chmod +x "$scratch/swiftc"
}

# static_library NAME: the path of its archive.
static_library() {
  local path
  path=$(clang -print-file-name="lib$1.a")
  [[ -e $path ]] || fail 3 "the static library lib$1.a is missing" \
    "type: apt-get install libedit-dev libbsd-dev libmd-dev libncurses-dev zlib1g-dev libstdc++-12-dev"
  realpath "$path"
}

write_static_folder() {
  rm -rf "$static"
  mkdir -p "$static"
  local name path
  for name in "${static_libraries[@]}"; do
    path=$(static_library "$name")
    # libedit needs libraries that no target names. The linker reads this text as a list of libraries.
    case $name in
      edit | bsd | md | tinfo) printf 'INPUT(%s)\n' "$path" >>"$static/libedit.a" ;;
      *) ln -s "$path" "$static/lib$name.a" ;;
    esac
  done
}

# Options without which the bytes would depend on the folder of the clone.
neutral_options=(-Xswiftc -gnone -Xcc -g0 -Xswiftc -file-prefix-map -Xswiftc "$root=." -Xcc "-ffile-prefix-map=$root=."
  -Xcxx -g0 -Xcxx "-ffile-prefix-map=$root=.")

# build FOLDER PRODUCT OPTION…
build() {
  local folder=$1 product=$2
  shift 2
  SWIFT_EXEC=$scratch/swiftc quietly "Building $product: some minutes" swift build "${swift_options[@]}" \
    --scratch-path "$folder" -c release "$@" --product "$product" ||
    fail 3 "$product could not be built"
}

build_program() {
  [[ ! -e $without_editing ]] || fail 3 "libedit is missing, and a package without line editing is not made"
  write_compiler
  write_static_folder
  build "$scratch" rehearse "${release_options[@]}" "${neutral_options[@]}" -Xswiftc "-L$static" \
    -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
  program=$scratch/rehearse
  strip_program "$scratch/release/rehearse" "$program"
  check_paths "$program"
  local library
  while read -r library; do
    case $library in
      libc.so.6 | libm.so.6 | ld-linux-x86-64.so.2) ;;
      *) fail 3 "rehearse needs the shared library $library" "link it statically in scripts/packaging/build.sh" ;;
    esac
  done < <(needed_libraries "$program")
}

# strip_program FROM TO: keeps the names of functions that can call tested code or start its work, because messages name
# them, and because the names tell tested code from libraries. All others are taken for functions of libraries.
strip_program() {
  local modules module
  modules=$(for module in "$root"/Sources/*; do
    module=${module##*/}
    case $module in
      Timelines | Script | Harness | Converting | *-*) ;;
      *) printf '%d%s\n' "${#module}" "$module" ;;
    esac
  done | paste -sd'|')
  # Swift's functions with a module in their name, without those that the compiler makes for types, and functions of C.
  nm --defined-only "$1" | awk '$2 ~ /^[tTwW]$/ { print $3 }' |
    grep -E -e "^\\\$s.*($modules)" -e '^[^_$]' -e '^_[^Z]' | grep -Ev '(WO[a-z]|W[lLh]|M[a-z]|w[a-zA-Z]{2})$' |
    LC_ALL=C sort -u >"$scratch/symbols"
  grep -q '6Scenes' "$scratch/symbols" || fail 3 "the program has no names of functions"
  objcopy --strip-all "--keep-symbols=$scratch/symbols" "$1" "$2"
}

# The helper links Swift's shared libraries, which are copied into its package.
build_helper() {
  # shellcheck disable=SC2016  # The loader expands $ORIGIN.
  build "$scratch/helper" rehearse-fetch "${neutral_options[@]}" --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath \
    -Xlinker -rpath -Xlinker '$ORIGIN/../lib/rehearse'
  helper=$scratch/rehearse-fetch
  strip --strip-all -o "$helper" "$scratch/helper/release/rehearse-fetch"
  check_paths "$helper"
}

check_paths() {
  local found
  found=$(strings -a "$1" | grep -F -m 3 -e "$root/" -e "$HOME/") || return 0
  fail 3 "$(basename "$1") contains paths of this machine: $found"
}

needed_libraries() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'; }

# oldest_glibc FILE…: the version of the newest symbol that the files need, such as 2.34.
oldest_glibc() {
  local file
  for file in "$@"; do objdump -T "$file"; done | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -uV | tail -n 1
}

# swift_libraries FILE: the paths of the shared libraries of the toolchain that a program needs, directly or not.
swift_libraries() {
  local folder
  folder=$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")/lib/swift/linux
  LD_LIBRARY_PATH=$folder ldd "$1" | awk -v folder="$folder/" 'index($3, folder) == 1 { print $3 }' | LC_ALL=C sort
}

# linked_packages FOLDER PRODUCT: the Swift packages whose modules a product links, with their versions.
linked_packages() {
  local module package
  sed -n 's|.*/\([A-Za-z_-]*\)\.build/.*|\1|p' "$1/release/$2.product/Objects.LinkFileList" | LC_ALL=C sort -u |
    while read -r module; do
      [[ ! -d $root/Sources/$module && ! -d $root/Sources/${module//_/-} ]] || continue
      package=$(cd "$1/checkouts" && compgen -G "*/Sources/$module") || fail 3 "no package has the linked module $module"
      printf '%s\n' "${package%%/*}"
    done | LC_ALL=C sort -u
}

# shellcheck shell=bash disable=SC2154
# Sourced by scripts/release: lays out the files of a package, and packs them with a fixed order, time and owner.

# pack_program: the program with completions, manual page, pages, grammars and licences.
pack_program() {
  local tree=$scratch/tree/rehearse glibc
  glibc=$(oldest_glibc "$program")
  rm -rf "$tree"
  add "$program" "$tree/bin/rehearse" 755
  add_stdout "$tree/share/man/man1/rehearse.1" "$program" manual
  gzip -9n "$tree/share/man/man1/rehearse.1"
  add_stdout "$tree/share/bash-completion/completions/rehearse" "$program" completions bash
  add_stdout "$tree/share/zsh/site-functions/_rehearse" "$program" completions zsh
  add_stdout "$tree/share/fish/vendor_completions.d/rehearse.fish" "$program" completions fish
  local pages=$tree/share/doc/rehearse
  mkdir -p "$pages"
  cp -R "$root/README.md" "$root/CHANGELOG.md" "$root/docs" "$pages"
  local library path parts=()
  for library in "${static_libraries[@]}" gcc_eh; do
    path=$(static_library "$library")
    parts+=("$path")
  done
  add_licences "$pages" "$scratch" rehearse "${parts[@]}"
  pack_archive rehearse "$tree" "$glibc"
  mv "$tree/share/zsh/site-functions" "$tree/share/zsh/vendor-completions"
  pack_debian rehearse "$tree" "$glibc" "" \
    "tests of async Swift code in virtual time" \
    " Runs Swift concurrency code in virtual time, records sessions as transcripts," \
    " replays them as tests, and searches the orders of events for one that fails."
  pack_bundle
}

# pack_helper: the program that reaches real servers, with Swift's shared libraries.
pack_helper() {
  local tree=$scratch/tree/rehearse-fetch library files=("$helper") depends glibc
  rm -rf "$tree"
  add "$helper" "$tree/bin/rehearse-fetch" 755
  while read -r library; do
    add "$library" "$tree/lib/rehearse/$(basename "$library")" 644
    files+=("$library")
  done < <(swift_libraries "$helper")
  ((${#files[@]} > 5)) || fail 3 "Swift's shared libraries for rehearse-fetch were not found"
  add_licences "$tree/share/doc/rehearse-fetch" "$scratch/helper" rehearse-fetch
  # The text of ICU, which Foundation contains, comes from Debian's package of ICU.
  compgen -G '/usr/share/doc/libicu[0-9]*/copyright' >/dev/null ||
    fail 3 "the licence of ICU is missing" "type: apt-get install libicu-dev"
  cat /usr/share/doc/libicu[0-9]*/copyright >"$tree/share/doc/rehearse-fetch/licences/icu"
  glibc=$(oldest_glibc "${files[@]}")
  pack_archive rehearse-fetch "$tree" "$glibc"
  depends=$(debian_packages "${files[@]}")
  pack_debian rehearse-fetch "$tree" "$glibc" ", rehearse (= ${version/-/\~})$depends" \
    "real servers for rehearse" \
    " The helper of rehearse for requests over sockets and to real servers. It brings" \
    " Swift's shared libraries along."
}

# add FILE PATH MODE
add() {
  mkdir -p "$(dirname "$2")"
  cp -L "$1" "$2"
  chmod "$3" "$2"
}

# add_stdout PATH COMMAND…: a file with the output of a command.
add_stdout() {
  local path=$1
  shift
  mkdir -p "$(dirname "$path")"
  "$@" >"$path"
  [[ -s $path ]] || fail 3 "this printed nothing: $*"
}

# add_licences FOLDER SCRATCH PRODUCT LIBRARY…: the licences of all linked code, and 'built-with.txt'.
add_licences() {
  local folder=$1 licences=$1/licences scratch=$2 product=$3 name library linked
  shift 3
  linked=$(linked_packages "$scratch" "$product")
  mkdir -p "$licences"
  cp "$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")/share/swift/LICENSE.txt" "$licences/swift"
  {
    printf 'These licences cover the libraries that are linked into %s, or are in its package. They do not cover the\n' "$product"
    printf 'code of Rehearse.\n'
  } >"$licences/README"
  {
    printf 'commit %s\n' "$(git -C "$root" rev-parse HEAD)"
    swift --version 2>/dev/null | grep -m 1 -o 'Swift version.*'
    for name in $linked; do
      cat "$scratch/checkouts/$name"/LICENSE* >"$licences/$name"
      printf '%s %s\n' "$name" "$(git -C "$scratch/checkouts/$name" describe --tags)"
    done
  } >"$folder/built-with.txt"
  for library; do
    name=$(owner "$library")
    [[ ! -e $licences/$name ]] || continue
    cat "/usr/share/doc/$name/copyright" >"$licences/$name"
    printf '%s %s\n' "$name" "$(dpkg-query -W -f '${Version}' "$name")" >>"$folder/built-with.txt"
  done
}

# owner FILE: the Debian package that has a file. Files of the merged /usr may be listed without it.
owner() {
  local file line
  file=$(realpath "$1")
  line=$(dpkg -S "$file" 2>/dev/null || dpkg -S "${file#/usr}" 2>/dev/null) ||
    fail 3 "no package has the file $file, so its licence is unknown"
  printf '%s\n' "${line%%:*}"
}

# debian_packages FILE…: packages with the shared libraries that the files need, except those of libc6 and of the files.
debian_packages() {
  local file libraries library path name
  libraries=$(for file; do needed_libraries "$file"; done | LC_ALL=C sort -u)
  for library in $libraries; do
    [[ " $* " != *"/$library "* ]] || continue
    path=$(ldconfig -p | awk -v name="$library" '$1 == name { print $NF; exit }')
    name=$(owner "${path:-/$library}")
    [[ $name == libc6 ]] || printf ', %s\n' "$name"
  done | LC_ALL=C sort -u | tr -d '\n'
}

# settle_tree FOLDER: modes and times that do not depend on this machine.
settle_tree() {
  find "$1" -type d -exec chmod 755 {} +
  find "$1" -type f -perm /111 -exec chmod 755 {} +
  find "$1" -type f ! -perm /111 -exec chmod 644 {} +
  find "$1" -exec touch -h -d "@$epoch" {} +
}

# pack_archive NAME TREE GLIBC: a tar archive with a script that installs the tree.
pack_archive() {
  local name=$1 tree=$2 folder=$1-$version-linux-x86_64
  local top=$scratch/tree/$folder
  rm -rf "$top"
  cp -R "$tree" "$top"
  mkdir -p "$top/share/$name"
  sed -e "s/@NAME@/$name/" -e "s/@GLIBC@/$3/" "$root/scripts/packaging/install" >"$top/share/$name/install"
  chmod 755 "$top/share/$name/install"
  : >"$top/share/$name/files"
  (cd "$top" && find . -type f | sed 's|^\./||' | LC_ALL=C sort) >"$scratch/files"
  mv "$scratch/files" "$top/share/$name/files"
  ln -s "share/$name/install" "$top/install"
  settle_tree "$top"
  tar --create --directory "$scratch/tree" --sort=name --format=ustar --mtime="@$epoch" --owner=0 --group=0 \
    --numeric-owner "$folder" >"$scratch/$folder.tar"
  zopfli --i5 -c "$scratch/$folder.tar" >"$packages/$folder.tar.gz"
  rm "$scratch/$folder.tar"
}

# pack_debian NAME TREE GLIBC DEPENDS SUMMARY LINE…
pack_debian() {
  local name=$1 tree=$2 glibc=$3 depends=$4 summary=$5 top=$scratch/tree/$1.deb
  shift 5
  rm -rf "$top"
  mkdir -p "$top/DEBIAN"
  cp -R "$tree" "$top/usr"
  local doc=$top/usr/share/doc/$name
  cat "$doc"/licences/README "$doc"/licences/[!R]* >"$doc/copyright"
  [[ ! -e $doc/CHANGELOG.md ]] || gzip -9n <"$doc/CHANGELOG.md" >"$doc/changelog.gz"
  cat >"$top/DEBIAN/control" <<END
Package: $name
Version: ${version/-/\~}
Architecture: amd64
Maintainer: The developers of Rehearse <rehearse@invalid>
Installed-Size: $(du -sk --apparent-size "$top/usr" | cut -f1)
Depends: libc6 (>= $glibc)$depends
Section: devel
Priority: optional
Description: $summary
$(printf '%s\n' "$@")
END
  (cd "$top" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$top/DEBIAN/md5sums"
  settle_tree "$top"
  SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$top" \
    "$packages/${name}_${version/-/\~}_amd64.deb" >/dev/null
}

# pack_bundle: the program for plugins of SwiftPM. The times in a zip file are local ones, so Python writes fixed ones.
pack_bundle() {
  python3 - "$packages/rehearse-$version.artifactbundle.zip" "$version" "$program" "$scratch/tree/rehearse" <<'END'
import json, pathlib, sys, zipfile
target, version, program, tree = sys.argv[1:]
bundle = "rehearse.artifactbundle"
variant = {"path": "linux-x86_64/rehearse", "supportedTriples": ["x86_64-unknown-linux-gnu"]}
info = {"schemaVersion": "1.0",
        "artifacts": {"rehearse": {"type": "executable", "version": version, "variants": [variant]}}}
files = {"info.json": (json.dumps(info, indent=2).encode() + b"\n", 0o644),
         variant["path"]: (pathlib.Path(program).read_bytes(), 0o755)}
doc = pathlib.Path(tree, "share/doc/rehearse")
for path in [doc / "built-with.txt", *sorted((doc / "licences").iterdir())]:
    files[str(path.relative_to(doc))] = (path.read_bytes(), 0o644)
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for name, (content, mode) in files.items():
        entry = zipfile.ZipInfo(f"{bundle}/{name}", (1980, 1, 1, 0, 0, 0))
        entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16, 3
        archive.writestr(entry, content)
END
}

# shellcheck shell=bash
# Sourced by 'play' and 'explore'.

# run_parts FOLDER SHARDS COMMAND: runs a command for each part, where it has {} for the number of the part. Its output
# is the report of the part, so no file must be copied. The names must not end in .json, because parallel would then
# write its own JSON. With AGAIN=yes, only parts without a complete report run.
run_parts() {
  local folder=$1 shards=$2 command=$3 parts code=0
  mkdir -p "$folder"
  [[ ${AGAIN:-} == yes ]] || rm -f "$folder"/shard-*.jsonl*
  parts=$(unfinished "$folder" "$shards")
  [[ -n $parts ]] || return 0
  # shellcheck disable=SC2086  # Numbers.
  printf '%s\n' $parts |
    parallel --will-cite --halt never ${HOSTS:+--sshlogin "$HOSTS"} --results "$folder/shard-{}.jsonl" "$command" \
      >/dev/null || code=$?
  # A complete report has its failures.
  ((code < 254)) || exit 3
  parts=$(unfinished "$folder" "$shards")
  [[ -n $parts ]] || return 0
  {
    printf 'without a complete report: parts %s of %s\n' "$(paste -sd' ' <<<"$parts")" "$shards"
    printf "hint: '.err' beside each report may say why; AGAIN=yes runs only these parts\n"
  } >&2
  exit 3
}

# unfinished FOLDER SHARDS: the numbers of the parts whose report is missing or has no end.
unfinished() {
  local part
  for ((part = 1; part <= $2; part++)); do
    tail -n 1 "$1/shard-$part.jsonl" 2>/dev/null | grep -q '^{"type": "end"' || echo "$part"
  done
}

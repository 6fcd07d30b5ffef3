#!/bin/sh
# Bazel starts this in the folder of its runfiles, with the arguments of the rule. The part to search and the file that
# says that parts are understood come in variables that 'rehearse explore' reads. What was found is kept among the
# test's outputs, for 'rehearse report'; where something fails, the part is searched once more, for people.
set -eu
cd "$(dirname "$0")"
code=0
./rehearse explore --json "$@" >"$TEST_UNDECLARED_OUTPUTS_DIR/found.jsonl" || code=$?
[ "$code" -ne 1 ] || ./rehearse explore "$@" || true
exit "$code"

#!/usr/bin/env bash
# The full form of every proof in docs/promises.md, in a release build; one line each with its figure.
#
#   tests/hostile.sh [NAME …]        NAME: a test file without its .rs, for example hostile_exits; none: all of them
set -uo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- $(cd tests && ls hostile_*.rs | sed 's/\.rs$//')
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
for name in "$@"; do
  # One test at a time: they measure, and some stop and kill processes.
  if ! AERSCOPE_HOSTILE=full cargo test --locked --release --test "$name" -- --nocapture --test-threads 1 >"$log" 2>&1
  then failed=1; echo "$name: FAILED"; tail -n 40 "$log"; fi
  grep -a '^hostile ' "$log"
done
exit $failed

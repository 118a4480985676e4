#!/usr/bin/env bash
# Changes src/aer1 in one place at a time and asks whether a test notices: cargo mutants (27.1 or later) over a reduced
# copy of this crate, so that each mutant costs seconds.
#
#   tests/mutants.sh [OUT [cargo mutants options …]]      for example: tests/mutants.sh out -F 'src/aer1/anchor'
#
# The copy has the modules aer1, config, make and vectors and their unit tests: what verifies, and what our own vectors
# are made and run by. It has no console, no property test and no test of the program. docs/mutants.md has the results.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo mutants --version >/dev/null || { echo "cargo install cargo-mutants --locked" >&2; exit 2; }
out=${1:-$(mktemp -d)}
[ $# -gt 0 ] && shift
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$out" "$copy/src" "$copy/docs"
cp -r vectors Cargo.lock "$copy/"
cp docs/*.md "$copy/docs/"
for part in aer1 config make vectors; do
  cp -r src/$part* "$copy/src/"
done
printf '//! Reduced for mutants.\npub mod aer1;\npub mod config;\npub mod make;\npub mod vectors;\n' > "$copy/src/lib.rs"
{
  printf '[package]\nname = "aerscope"\nversion = "0.1.0"\nedition = "2024"\nrust-version = "1.95"\n\n'
  printf '[lib]\ndoctest = false\n\n[dependencies]\n'
  sed -n '/^\[dependencies\]/,/^$/p' Cargo.toml |
    grep -E '^(base64|memchr|rustix|serde|serde_json|sha2|simdutf8|thiserror|time|uuid) = '
  printf '\n[dev-dependencies]\n'
  grep -E '^tempfile = ' Cargo.toml
  printf '\n[profile.dev]\ndebug = 0\n\n[profile.dev.package."*"]\nopt-level = 2\n'
} > "$copy/Cargo.toml"
cargo mutants -d "$copy" -o "$out" -f 'src/aer1/**' -j "${JOBS:-2}" --timeout 20 --no-shuffle --colors never "$@" \
  -- --lib -- aer1 vectors:: make::corpus

#!/usr/bin/env bash
# Measures aerscope against public yardsticks, each in turn in one run, and prints a table with ratios.
#
#   benches/compare.sh                     the whole table
#   benches/compare.sh verify lines        some of it: verify lines large growth console keys arrivals idle receipt parts
#   RUNS=5 N=100000 BIG=200 WORK=DIR OUT=FILE MILLION=1 IDLE=300 benches/compare.sh
#
# RUNS: repetitions, of which the median counts. N: receipts in the folder. BIG: receipts of 10 MB. WORK: where the
# folders are made and kept (several GB; a temporary folder, removed at the end, when it is not given). OUT: a Markdown
# file for the table. MILLION=1: the rows about a million receipts too. IDLE: seconds of the idle row.
#
# The folders are made by aerscope itself, the same every time. The yardsticks are find, xargs, sha256sum, cat and the
# public verifier (pip install aer1-verify==0.2.19); what is missing is said, and its rows are left unmeasured.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo >/dev/null || PATH="$HOME/.cargo/bin:$PATH"
command -v python3 >/dev/null || { echo "python3 is needed to take the times" >&2; exit 1; }
if [ -z "${BIN:-}" ]; then
  cargo build --release --locked
  BIN=$PWD/target/release/aerscope
fi
export BIN
exec python3 benches/compare.py "$@"

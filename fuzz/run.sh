#!/usr/bin/env bash
# Runs the fuzz targets; needs a nightly toolchain and cargo-fuzz (cargo install cargo-fuzz --locked).
#
#   fuzz/run.sh TARGET RUNS        TARGET: json verify escape draw script
#
# Begins with our vectors and fuzz/seeds. A run over 1 s or beyond 512 MiB is a find; finds are put into
# fuzz/artifacts, and belong into fuzz/seeds/TARGET once they are fixed: tests/fuzz.rs runs those.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$1 runs=$2
mkdir -p "fuzz/corpus/$target"
find vectors "fuzz/seeds/$target" -type f -size -64k | while read -r file; do
  cp -n "$file" "fuzz/corpus/$target/$(sha256sum "$file" | cut -c1-40)"
done
exec cargo +nightly fuzz run --sanitizer none "$target" "fuzz/corpus/$target" -- \
  -runs="$runs" -timeout=1 -rss_limit_mb=512 -max_len=16384 -print_final_stats=1

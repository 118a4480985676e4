#!/usr/bin/env bash
# aerscope as the map step of GNU parallel and of Apache Spark, over partitioned receipts: the merged verdict lines must
# be those of a single process. See docs/scale.md.
#
#   tests/spark.sh [RECEIPTS]          200000 unless given
#
# AERSCOPE names the program (target/release/aerscope), PYTHON a Python with pyspark and duckdb (python3). Writes into a
# temporary folder only, about 5 kB a receipt, and removes it.
set -euo pipefail

receipts=${1:-200000}
parts=8
python=${PYTHON:-python3}
root=$(cd "$(dirname "$0")/.." && pwd)
aerscope=${AERSCOPE:-$root/target/release/aerscope}

missing=()
[ -x "$aerscope" ] || missing+=("aerscope at $aerscope (cargo build --release --locked, or set AERSCOPE)")
command -v parallel >/dev/null || missing+=("GNU parallel (Debian: apt install parallel)")
command -v java >/dev/null || missing+=("Java 17 or later, for Spark")
"$python" -c 'import pyspark' 2>/dev/null || missing+=("pyspark for $python (pip install pyspark)")
"$python" -c 'import duckdb' 2>/dev/null || missing+=("duckdb for $python (pip install duckdb)")
if [ ${#missing[@]} -gt 0 ]; then
  printf 'not run, missing: %s\n' "${missing[@]}" >&2
  exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export AERSCOPE=$aerscope SPARK_LOCAL_IP=127.0.0.1

# Verdicts are no failure of the engine: 0 all verified, 1 some fail, 3 some fall short. Anything else is.
cat > map <<'MAP'
#!/bin/sh
"$AERSCOPE" verify "$@"
status=$?
case $status in 0 | 1 | 3) exit 0 ;; *) exit "$status" ;; esac
MAP
chmod +x map

each=$(((receipts + parts - 1) / parts))
mkdir in lines
for part in $(seq "$parts"); do
  made=(make receipts --n "$each" --seed "$part" --median 300 --cap 20000 --bad 0.02)
  "$aerscope" "${made[@]}" --compact --out "in/$part"
  "$aerscope" "${made[@]}" --jsonl "lines/$part.jsonl"
done
find in -type f | LC_ALL=C sort > paths
echo "$(wc -l < paths) receipts in $parts parts"

timed() {
  local name=$1 began ended
  shift
  began=$(date +%s.%N)
  "$@"
  ended=$(date +%s.%N)
  awk -v n="$name" -v a="$began" -v b="$ended" 'BEGIN { printf "%-32s %6.1f s\n", n, b - a }'
}
single() { ./map --files-from paths --format jsonl > single.jsonl; }
over_paths() { parallel --will-cite --jobs 2 --pipe --block 8M -N "$each" ./map --files-from - --format jsonl < paths > parallel.jsonl; }
over_lines() { parallel --will-cite --jobs 2 ./map --stream {} ::: lines/*.jsonl > streams.jsonl; }

cat > spark.py <<'SPARK'
import json, os
from pyspark.sql import SparkSession

spark = (SparkSession.builder.master("local[2]").appName("aerscope")
         .config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())
spark.sparkContext.setLogLevel("ERROR")
here = os.getcwd()
for name, source, args in [("paths", "paths", "--files-from - --format jsonl"), ("stream", "lines", "--stream")]:
    given = spark.sparkContext.textFile(f"file://{here}/{source}", 8)
    lines = given.pipe(f"{here}/map {args}", {"AERSCOPE": os.environ["AERSCOPE"]}, checkCode=True)
    lines.saveAsTextFile(f"file://{here}/spark-{name}")
    verdicts = spark.read.schema("headline string, class string, id string").json(f"file://{here}/spark-{name}")
    verdicts.createOrReplaceTempView("verdicts")
    totals = spark.sql("""select headline, coalesce(class, '-') class, count(*) n, count(distinct id) ids
                          from verdicts group by 1, 2 order by 1, 2""").collect()
    with open(f"spark-{name}.totals", "w") as out:
        out.writelines(f"{t.headline} {t['class']} {t.n} {t.ids}\n" for t in totals)
SPARK
cat > totals.py <<'DUCK'
import duckdb, sys

source, out = sys.argv[1:]
rows = duckdb.sql(f"""select headline, coalesce(class, '-'), count(*), count(distinct id)
    from read_json('{source}', format = 'newline_delimited',
                   columns = {{headline: 'varchar', class: 'varchar', id: 'varchar'}})
    group by 1, 2 order by 1, 2""").fetchall()
with open(out, "w") as to:
    to.writelines(" ".join(map(str, row)) + "\n" for row in rows)
DUCK

timed "one process, list of paths" single
timed "GNU parallel, list of paths" over_paths
timed "GNU parallel, JSON Lines" over_lines
timed "Spark, both, with its start" "$python" spark.py 2> spark.err || { cat spark.err >&2; exit 1; }

for name in single parallel streams; do "$python" totals.py "$name.jsonl" "$name.totals"; done
"$python" totals.py 'spark-paths/part-*' spark-duckdb.totals
echo "headline class records ids:"
cat single.totals
[ "$(awk '{ n += $3 } END { print n }' single.totals)" = "$(wc -l < paths)" ]
for other in parallel streams spark-paths spark-stream spark-duckdb; do
  cmp single.totals "$other.totals" || { echo "the totals of $other differ" >&2; exit 1; }
done
# Over the same paths not only the totals but the lines are the same.
LC_ALL=C sort single.jsonl > a
LC_ALL=C sort parallel.jsonl | cmp a - || { echo "GNU parallel's lines differ" >&2; exit 1; }
cat spark-paths/part-* | LC_ALL=C sort | cmp a - || { echo "Spark's lines differ" >&2; exit 1; }
echo "every way gives the same totals, and the same lines for the same paths"

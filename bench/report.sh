#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/report.sh BUILD_BIN [CAMPAIGN]: how long `alltold report` takes for a campaign of 100,000 samples, and how
# large its page is. The campaign is a copy of CAMPAIGN (tests/golden/study.db) whose repetitions are taken again and
# again. Exit status 1 if it takes more than 5 s or 5 MB. Needs sqlite3.
set -euo pipefail
bin=$(cd "$1" && pwd) campaign=${2:-$(dirname "$0")/../tests/golden/study.db}
command -v sqlite3 >/dev/null || { echo "bench/report.sh: needs sqlite3" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$campaign" "$work/net.db"
chmod u+w "$work/net.db"
sqlite3 "$work/net.db" "
WITH RECURSIVE
    known (samples) AS (SELECT count(*) FROM sample),
    copy (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copy WHERE i < (SELECT 100000 / samples FROM known)),
    next (point, repetition) AS (SELECT point, max(repetition) + 1 FROM sample GROUP BY point)
INSERT INTO sample
    SELECT sample.point, sample.repetition + copy.i * next.repetition, session, time_s, warmup, taken_unix_s
    FROM sample JOIN next ON next.point = sample.point JOIN copy"
samples=$(sqlite3 "$work/net.db" "SELECT count(*) FROM sample")
from=$EPOCHREALTIME
"$bin/alltold" report "$work/net.db" -o "$work/net.html" >/dev/null
ms=$(((${EPOCHREALTIME/./} - ${from/./}) / 1000)) bytes=$(wc -c <"$work/net.html")
echo "$samples samples: $ms ms, $bytes bytes"
[ "$ms" -le 5000 ] && [ "$bytes" -le 5000000 ]

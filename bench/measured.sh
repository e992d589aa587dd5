#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/measured.sh [FOLDER] [--json]: how well calls of real clusters are predicted from those on fewer
# ranks, and what the choice among their algorithms loses (docs/results/measured.md). FOLDER
# (../shared/measured unless given) holds tables of medians with the columns below.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=../shared/measured
if [[ -n ${1:-} && $1 != --* ]]; then
    folder=$1
    shift
fi
[[ -d $folder ]] || { echo "bench/measured.sh: $folder: no such folder of measurements" >&2; exit 2; }
scripts/build release alltold bench_measured
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for table in "$folder"/*.csv; do
    grep -q '^system,' "$table" || continue
    build/release/bin/alltold import csv "$table" -o "$work/$(basename "$table" .csv).db" --columns \
        collective=collective,bytes=size_bytes,time_us=median_us,hosts=nodes,ranks_per_host=ranks_per_node,algorithm=algorithm,library=library >/dev/null
done
build/release/bin/bench_measured "$work"/*.db "$@"

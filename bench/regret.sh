#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/regret.sh [--half 1|2] [--lab NAME] [--json]: judges what alltold decides, by the times of all choices in
# the labs of bench/regret/corpus (docs/results/regret.md).
#   bench/regret.sh pack [--busy] FOLDER...  packs the labs of a series of bench/blind.sh --corpus into the corpus;
#                                            the folder's name is the seed; --busy: of a series made with --busy
#   bench/regret.sh make                     makes all labs again, which takes hours, and packs them
# Example: bench/regret.sh --half 1
# Environment: BUILD_BIN, where bench_regret and alltold are (build/release/bin).
# Needs xz; to pack, jq and sqlite3; to make, a lab (docs/lab.md).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=${BUILD_BIN:-$here/../build/release/bin} corpus=$here/regret/corpus unpacked=$here/../build/regret
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Calls with the times of all choices. Tenths of a microsecond are below what clocks agree on.
times='
    {options: $lab[0].options, $busy,
     calls: [.[] | select(.failed | not) | . as $run | .results | group_by(.size_bytes)[] |
        {collective: $run.collective, start: $run.start, clusters: $run.clusters, size_bytes: .[0].size_bytes,
         timed: map(
            {choice: (.algorithm +
                (if .segment_bytes > 0 then " segment=\(.segment_bytes)" else "" end) +
                (if .window > 0 then " window=\(.window)" else "" end) +
                (if .inter_cluster_window > 0 then " inter_cluster_window=\(.inter_cluster_window)" else "" end)),
             times_s: (.times_s | map(. * 1e7 | round / 1e7))} +
            (if .auto then {auto} else {} end) + (if .dropped_out then {dropped: true} else {} end))}]}'

pack_lab() { # NAME LAB_FOLDER BUSY
    local name=$1 lab=$2 busy=$3 to=$work/$1
    [ -s "$lab/summary.json" ] || { echo "$name: not finished, left out" && return; }
    [ -s "$lab/runs.json" ] || { echo "$name: the study or the runs failed, left out" && return; }
    busy=$(jq --argjson busy "$busy" '$busy or .too_busy' "$lab/summary.json")
    mkdir "$to"
    cp "$lab"/study/study.db* "$work" # the writer's log, if there is one, is part of the store
    # No fit reads predictions, nor when samples were taken.
    sqlite3 "$work/study.db" "DELETE FROM prediction; UPDATE sample SET taken_unix_s = 0; VACUUM INTO '$to/study.db'"
    rm -f "$work"/study.db*
    cp "$lab/study/truth.json" "$to"
    jq -c --argjson busy "$busy" --slurpfile lab "$lab/lab.json" "$times" "$lab/runs.json" >"$to/times.json"
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -c "$name" | xz -9e >"$work/packed"
    mv "$work/packed" "$corpus/$name.tar.xz"
    jq -r --arg name "$name" '[.[] | select(.failed)] | length |
        "\($name): packed" + if . > 0 then ", \(.) runs that failed left out" else "" end' "$lab/runs.json"
}

pack() { # [--busy] FOLDER...
    local busy=false series lab
    [ "${1:-}" != --busy ] || { busy=true && shift; }
    [ $# -gt 0 ] || { echo "bench/regret.sh pack: needs the folder of a series" >&2 && exit 2; }
    mkdir -p "$corpus"
    for series; do
        [ -d "$series" ] || { echo "bench/regret.sh pack: no folder $series" >&2 && exit 2; }
        for lab in "$series"/*/lab.json; do
            lab=$(dirname "$lab")
            pack_lab "$(basename "$series")-$(basename "$lab")" "$lab" $busy
        done
    done
    du -bc "$corpus"/*.tar.xz | tail -1 | awk '{ printf "%.2f MB in all\n", $1 / 1e6 }'
}

# Studies of 100 s, and twice as long for the choices, make ten labs an hour. Those of 9005 measured four collectives,
# and some labs choose for seven.
make_series() { # SEED COUNT [--seven]
    local folder=$here/../build/corpus/$1
    CHOICE_SECONDS=200 STUDY_BUDGET=100s "$here/blind.sh" --corpus "${@:3}" --keep "$folder" "$1" "$2" "$bin" ||
        [ $? -eq 1 ] # bars that are missed are none of the corpus's
    pack "$folder"
}

case ${1:-} in
pack) pack "${@:2}" ;;
make)
    make_series 9005 7
    make_series 9006 4
    make_series 9007 15 --seven
    make_series 9008 15 --seven
    ;;
*)
    if [[ " $* " != *" --help "* ]]; then
        rm -rf "$unpacked"
        mkdir -p "$unpacked"
        for packed in "$corpus"/*.tar.xz; do tar -C "$unpacked" -xJf "$packed"; done
    fi
    "$bin/bench_regret" "$@" "$unpacked"
    ;;
esac

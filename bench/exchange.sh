#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/exchange.sh BUILD_BIN OUT [LAB [START [BUDGET]]]: alltoall.paced, the choice of the profile's
# rules (auto), a plain exchange that posts sends first (alltoall.direct), all of the MPI library's all-to-alls, and LG
# as published, shuffled in one run per lab, and then Open MPI's default with an eager limit of 1 MiB: time
# over bound, over the library's default and its best, with intervals, and lost packets.
# Needs a lab (docs/lab.md).
#   LAB     flat: 12 hosts, 50 Mbit, 64 KiB per switch port           two: 6+6, 20 Mbit, 64 KiB; 80 Mbit, 10 ms, 256 KiB
#           many: 12+12, 20 Mbit, 64 KiB; 100 Mbit, 10 ms, 256 KiB  three: 4+8+4, 20 Mbit, 32 KiB; 60 Mbit, 5 ms, 128 KiB
#           small-flat, small-two, ...: the same with 8 B to 4 KiB
#           unseen-flat: 8 hosts, 20 Mbit, 128 KiB; unseen-two: 5+7, 20 Mbit, 48 KiB; 50 Mbit, 20 ms, 300 KiB:
#           labs on which nothing was tuned
#           calibrate-LAB: no comparison, LAB's profile from measure and tune, in under 3 minutes
#           table: no run, the table of all that OUT holds (default)
#   START   barrier (default), as programs loop, or silence: see docs/measuring.md
#   BUDGET  of one lab's run (120s); what is not timed by then is left out
# Each run writes OUT/LAB-START.json; runs may be done one by one, in any order, and again. auto takes part
# where OUT holds LAB's profile, OUT/LAB-START.profile/net.json (that of small-LAB is LAB's).
set -euo pipefail
bin=$(cd "$1" && pwd) out=$2 lab=${3:-table} start=${4:-barrier} budget=${5:-120s}
mkdir -p "$out"

table() {
    cd "$out"
    printf '| lab | start | m | algorithm | n | time/bound | 95 %% | / default | / best of library | packets lost |\n'
    printf '|---|---|---|---|---|---|---|---|---|---|\n'
    for file in *.json; do
        jq -r --arg file "${file%.json}" '
            def two: if . == null then "-" else . * 100 | round / 100 end;
            def size: if . >= 1024 then "\(. / 1024) KiB" else "\(.) B" end;
            .results | group_by(.size_bytes)[] | . as $rows |
            ([$rows[] | select((.algorithm | test("^mpi(\\.|$)")) and (.auto | not))] | min_by(.time_s.value)) as $best |
            $rows | sort_by(.time_s.value)[] |
            "| \($file | sub("-[a-z]*$"; "")) | \($file | sub(".*-"; "")) | \(.size_bytes | size)"
            + " | \(if .auto then "auto: " else "" end)\(.algorithm) | \(.times_s | length)"
            + " | \(.time_over_bound | two) | \(if .time_s.low and .bound_s then "\(.time_s.low / .bound_s | two) to \(.time_s.high / .bound_s | two)" else "-" end)"
            + " | \(.time_over_mpi | two) | \(.time_s.value / $best.time_s.value | two)"
            + " | \(.port_drops | two)\(if .backbone_drops > 0 then " + \(.backbone_drops | two)" else "" end) |"' "$file"
    done
}

case $lab in
unseen-flat) shape=(--clusters 8 --nic 20Mbit --buffer 128KiB) ranks=8 sizes=16KiB,64KiB,256KiB ;;
unseen-two) shape=(--clusters 5+7 --nic 20Mbit --buffer 48KiB --wan "50Mbit,20ms,300KiB") ranks=12 sizes=32KiB,128KiB ;;
*flat) shape=(--clusters 12 --nic 50Mbit --buffer 64KiB) ranks=12 sizes=16KiB,64KiB,256KiB ;;
*two) shape=(--clusters 6+6 --nic 20Mbit --buffer 64KiB --wan "80Mbit,10ms,256KiB") ranks=12 sizes=32KiB,128KiB ;;
*many) shape=(--clusters 12+12 --nic 20Mbit --buffer 64KiB --wan "100Mbit,10ms,256KiB") ranks=24 sizes=16KiB,64KiB ;;
*three) shape=(--clusters 4+8+4 --nic 20Mbit --buffer 32KiB --wan "60Mbit,5ms,128KiB") ranks=16 sizes=64KiB ;;
table) table && exit ;;
*) echo "bench/exchange.sh: '$lab' is none of flat, two, many, three, unseen-flat, unseen-two, small-..., calibrate-..., table" >&2 && exit 2 ;;
esac
if [[ $lab == calibrate-* ]]; then
    at=$(mkdir -p "$out/${lab#calibrate-}-$start.profile" && cd "$out/${lab#calibrate-}-$start.profile" && pwd)
    # What the paced exchange goes by: links, and pings that tell their latencies.
    # shellcheck disable=SC2016 # expanded inside the lab
    "$bin/alltold" lab "${shape[@]}" -- bash -c 'set -e; cd "$1"
        mpirun -n "$4" "$3" measure net.db --only p2p -m 1,1KiB,16KiB,128KiB --start "$2" --budget 12s
        mpirun -n "$4" "$3" measure net.db --only links --start "$2" --budget 28s
        mpirun -n "$4" "$3" tune net.db -o net.json --collective alltoall -n "$5" \
            -m 8,64,512,4KiB,16KiB,64KiB,256KiB --start "$2" --budget 80s' \
        - "$at" "$start" "$bin/alltold" "$ranks" "${shape[1]}" </dev/null >&2
    exit
fi
algorithms=alltoall.paced,alltoall.direct,mpi.linear,mpi.pairwise,mpi.modified_bruck,mpi.linear_sync profile=()
case $lab in
small-*) sizes=8,64,512,4KiB algorithms+=,alltoall.bruck,alltoall.rotated ;;
*two | *many) algorithms+=,alltoall.lg ;;
esac
known=$out/${lab#small-}-$start.profile/net.json
if [ -s "$known" ]; then
    algorithms+=,auto
    profile=(--profile "$(realpath "$known")")
fi
run=(mpirun -n "$ranks" "$bin/alltold" run alltoall -m "$sizes" --start "$start" --json)
# shellcheck disable=SC2016 # expanded inside the lab
"$bin/alltold" lab "${shape[@]}" -- timeout 175 bash -c 'candidates=("${@:1:$1}") && "${@:$1 + 1}" "${candidates[@]:1}" &&
    OMPI_MCA_btl_tcp_eager_limit=1048576 "${@:$1 + 1}" --algorithm mpi --budget 20s' \
    - $((${#profile[@]} + 5)) --algorithm "$algorithms" "${profile[@]}" --budget "$budget" "${run[@]}" </dev/null \
    >"$out/$lab-$start.json.new"
# The lab may say that this machine is busy, after the braces.
sed -n '/^{/,/^}/p' "$out/$lab-$start.json.new" | jq -s '.[0].results as $all | .[0] + {results: ($all + [.[1].results[] | . as $one |
    .algorithm += ", eager limit 1 MiB" |
    .time_over_mpi = ([$all[] | select(.algorithm == "mpi" and .size_bytes == $one.size_bytes)
        | $one.time_s.value / .time_s.value][0])])}' >"$out/$lab-$start.json"
rm "$out/$lab-$start.json.new"
table

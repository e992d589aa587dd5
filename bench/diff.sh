#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/diff.sh BUILD_BIN FOLDER [PAIRS]: what `alltold diff` says of PAIRS (20) pairs of campaigns of one lab, and of as many
# pairs after which the backbone is 15 % slower. Two clusters of 4 hosts, 100 Mbit/s; 40 Mbit/s across. Campaigns are
# kept in FOLDER; with the same folder the command continues where it ended. Exit status 1 if more than 1 of 20 pairs
# gives a false alarm, or fewer than 18 of 20 slower backbones are found. Needs a lab (docs/lab.md) and jq.
# Environment: THRESHOLD (10%), as diff's.
set -euo pipefail
bin=$(cd "$1" && pwd) pairs=${3:-20} threshold=${THRESHOLD:-10%}
mkdir -p "$2"
folder=$(cd "$2" && pwd)

take() { # RATE FILE
    [ ! -s "$2" ] || return 0
    rm -f "$folder"/part.db*
    "$bin/alltold" lab --clusters 4+4 --nic 100Mbit --buffer 64KiB --wan "$1,5ms,256KiB" -- timeout 200 mpirun -n 8 \
        "$bin/alltold" measure "$folder/part.db" --only collectives -n 4+4 --algorithm mpi --repetitions 5 \
        -m 16KiB,20KiB,24KiB,28KiB,32KiB,40KiB,48KiB,56KiB,64KiB --budget 90s </dev/null >"$2.log" 2>&1
    mv "$folder/part.db" "$2"
}
compared() { "$bin/alltold" diff "$@" --threshold "$threshold" --json || [ $? -eq 1 ]; }

alarms=0 found=0
for ((i = 1; i <= pairs; ++i)); do
    take 40Mbit "$folder/before-$i.db"
    take 40Mbit "$folder/after-$i.db"
    take 34Mbit "$folder/slower-$i.db"
    alarm=$(compared "$folder/before-$i.db" "$folder/after-$i.db" | jq '[.groups[].verdict] | any(. != "none")')
    slower=$(compared "$folder/before-$i.db" "$folder/slower-$i.db" | jq .regressed)
    [ "$alarm" = false ] || alarms=$((alarms + 1))
    [ "$slower" = false ] || found=$((found + 1))
    echo "pair $i: false alarm $alarm, slower backbone found $slower"
done
echo "$alarms false alarms, $found slower backbones found, of $pairs"
[ $((20 * alarms)) -le "$pairs" ] && [ $((20 * found)) -ge $((18 * pairs)) ]

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/trains.sh BUILD_BIN [TRAINS]: the time that trains of packets take from one host of a lab to another, beside
# what the links must take: (packets + 1) serialisations within a cluster, since its switch stores and
# forwards; across the backbone those of both hosts' links and the uplink, and the delay. Medians of
# TRAINS trains (100) by the kernel's timestamps, with the 10 % and 90 % quantiles. Needs a lab (docs/lab.md).
set -euo pipefail
bin=$(cd "$1" && pwd) trains=${2:-100}
[ -x "$bin/lab_trains" ] || { echo "bench/trains.sh: $bin has no lab_trains; build everything" >&2 && exit 2; }
shapes=(1x1514 2x1514 3x1514 10x1514 1x200 10x200)

# measure PLACE NIC WAN DELAY_MS TO LAB...: rates in Mbit/s
measure() {
    local place=$1 nic=$2 wan=$3 delay_ms=$4 to=$5
    shift 5
    "$bin/alltold" lab --nic "${nic}Mbit" "$@" -- bash -c '
        ssh "$2" "$1" sink 5001 & sleep 0.3
        ssh a1 "$1" source "$2" 5001 "$3" 40 "${@:4}"; wait' - "$bin/lab_trains" "$to" "$trains" "${shapes[@]}" |
        awk -v place="$place" -v nic="$nic" -v wan="$wan" -v delay_ms="$delay_ms" '{
            T = $2 * 8 / nic; W = wan ? $2 * 8 / wan : 0; slowest = W > T ? W : T
            must = 2 * T + W + delay_ms * 1000 + ($1 - 1) * slowest
            printf "| %s | %d x %d B | %.0f | %.0f | %.3f | %.3f to %.3f | %.3f | %d |\n", place, $1, $2,
                must, $6 * 1e6, $6 * 1e6 / must, $5 * 1e6 / must, $7 * 1e6 / must, $4 * 1e6 / must, $3 }'
}

echo '| lab | train | must, us | took, us | took/must | 10 % to 90 % | least | trains |'
echo '|---|---|---|---|---|---|---|---|'
for nic in 5 20 50; do
    measure "$nic Mbit" "$nic" 0 0 a2 --clusters 2
    measure "$nic Mbit, backbone 40 Mbit 3 ms" "$nic" 40 3 b1 --clusters 1+1 --wan 40Mbit,3ms,256KiB
done

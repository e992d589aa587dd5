#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/lg.sh BUILD_BIN SHAPE [DELAYS [BUDGET]]: where LG as published (Jeannot and Steffenel 2007) wins and
# where it loses, against the MPI library's default, plain exchanges and ours.
#   SHAPE    3+3, 6+6, 4+8: measured in a lab: 20 Mbit, 64 KiB a switch port, 80 Mbit across, 256 KiB
#            30+30, 20+40, ...: simulated on links: 1 Gbit; 2 Gbit across, and nothing is
#            ever lost: predict tells what links carry, not what queues drop
#   DELAYS   across, one way (1ms,10ms,50ms)      BUDGET  of each lab's run (30s)
# Needs what labs need (docs/lab.md) and jq.
set -euo pipefail
bin=$(cd "$1" && pwd) shape=$2 delays=${3:-1ms,10ms,50ms} budget=${4:-30s}
ranks=$((${shape//+/ + })) here=$(cd "$(dirname "$0")" && pwd)
lg=alltoall.lg plain=alltoall.direct,alltoall.pairwise ours=alltoall.paced
sizes=64,1KiB,8KiB,64KiB
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# rows of {m, algorithm, time_s}: LG's time over everyone else's, and in milliseconds
row() {
    jq -rs --arg delay "$1" '
        group_by(.m)[] | sort_by(.time_s) as $all | ($all[] | select(.algorithm == "alltoall.lg").time_s) as $lg |
        "| \($delay) | \($all[0].m) | \($lg * 1e5 | round / 100) ms | " + ([$all[] | select(.algorithm != "alltoall.lg") |
        "\(.algorithm | sub("alltoall."; "")) \($lg / .time_s * 100 | round / 100)"] | join(", ")) + " |"'
}

echo "| $shape, delay | m | LG | LG's time over that of |"
echo "|---|---|---|---|"
for delay in ${delays//,/ }; do
    if [ "$ranks" -le 16 ]; then
        "$bin/alltold" lab --clusters "$shape" --nic 20Mbit --buffer 64KiB --wan "80Mbit,$delay,256KiB" -- \
            timeout 100 mpirun -n "$ranks" "$bin/alltold" run alltoall --algorithm "$lg,$plain,$ours" \
            -m "$sizes" --start barrier --budget "$budget" --json </dev/null | sed -n '/^{/,/^}/p' |
            jq '.results[] | {m: .size_bytes, algorithm, time_s}' | row "$delay"
        continue
    fi
    jq -n --arg clusters "$shape" --argjson delay_ms "${delay%ms}" '{clusters: $clusters,
        nic: {goodput_byte_per_s: (1e9 / 8 * 1448 / 1514)}, switch: {port_buffer_bytes: 262144},
        wan: {goodput_byte_per_s: (2e9 / 8 * 1448 / 1514), one_way_delay_s: ($delay_ms / 1000),
              queue_bytes: 2097152}}' | jq -f "$here/truth_profile.jq" >"$work/profile.json"
    for algorithm in ${lg} ${plain//,/ } ${ours}; do
        "$bin/alltold" predict "$work/profile.json" alltoall --clusters "$shape" -m "$sizes" \
            --algorithm "$algorithm" --model links --json |
            jq --arg algorithm "$algorithm" '.predictions[] | {m: .size_bytes, algorithm: $algorithm, time_s}'
    done | row "$delay"
done

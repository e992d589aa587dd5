#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/lg.sh BUILD_BIN DIR SHAPE [DELAYS [ACROSS [BUDGET]]]: where LG as published (Jeannot and Steffenel 2007)
# wins and where it loses against the MPI library's default, plain exchanges and alltoall.paced, and whether
# `rank` predicts it from the true network. Raw results stay in DIR and are not measured again.
#   SHAPE    3+3, 6+6, 4+8: measured in a lab, 20 Mbit and 64 KiB per switch port, and predicted
#            30+30, 20+40, ...: predicted only, 1 Gbit and 256 KiB per switch port
#   DELAYS   across, one way (1ms,10ms,50ms)
#   ACROSS   rate and queue of the backbone (80Mbit,256KiB; predicted only: 2000Mbit,2048KiB)
#   BUDGET   of each lab's run (25s)
# Needs a lab (docs/lab.md) and jq.
set -euo pipefail
bin=$(cd "$1" && pwd) dir=$2 shape=$3 delays=${4:-1ms,10ms,50ms} budget=${6:-25s}
ranks=$((${shape//+/ + })) here=$(cd "$(dirname "$0")" && pwd) sizes=64,1KiB,8KiB,64KiB
[ "$ranks" -le 16 ] && across=${5:-80Mbit,256KiB} || across=${5:-2000Mbit,2048KiB}
rate=${across%,*} queue=${across#*,}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

# What one would measure of the network: 95.6 % of a link's rate are payload.
profile() { # DELAY
    local mbit=20 buffer_kib=64
    [ "$ranks" -le 16 ] || mbit=1000 buffer_kib=256
    jq -n --arg clusters "$shape" --argjson mbit $mbit --argjson buffer_kib $buffer_kib \
        --argjson wan_mbit "${rate%Mbit}" --argjson delay_ms "${1%ms}" --argjson queue_kib "${queue%KiB}" '
        def goodput: . * 1e6 / 8 * 1448 / 1514;
        {$clusters, nic: {goodput_byte_per_s: ($mbit | goodput)}, switch: {port_buffer_bytes: ($buffer_kib * 1024)},
         wan: {goodput_byte_per_s: ($wan_mbit | goodput), one_way_delay_s: ($delay_ms / 1000),
               queue_bytes: ($queue_kib * 1024)}}' | jq -f "$here/truth_profile.jq"
}

measure() { # DELAY PROFILE
    "$bin/alltold" lab --clusters "$shape" --nic 20Mbit --buffer 64KiB --wan "$rate,$1,$queue" -- \
        timeout 100 mpirun -n "$ranks" "$bin/alltold" run alltoall --profile "$2" -m "$sizes" \
        --algorithm alltoall.lg,alltoall.direct,alltoall.pairwise,alltoall.paced \
        --start barrier --budget "$budget" --json </dev/null | sed -n '/^{/,/^}/p'
}

predict() { # PROFILE
    for m in ${sizes//,/ }; do
        "$bin/alltold" rank "$1" alltoall --clusters "$shape" -m "$m" --json
    done | jq -s '{results: [.[] | .size_bytes as $m | .candidates[] | {size_bytes: $m, algorithm, time_s}]}'
}

echo "| $shape, $across, delay | m | LG, ms | LG's time over that measured of | dropped across, LG of default | LG's time over that predicted of |"
echo "|---|---|---|---|---|---|"
for delay in ${delays//,/ }; do
    name=$dir/$shape-$across-$delay
    profile "$delay" >"$name.profile.json"
    if [ "$ranks" -le 16 ] && [ ! -s "$name.json" ]; then
        measure "$delay" "$name.profile.json" >"$name.part"
        mv "$name.part" "$name.json"
    fi
    predict "$name.profile.json" >"$name.predicted.json"
    measured=$name.json
    [ -s "$measured" ] || measured=$name.predicted.json
    jq -nr --arg delay "$delay" --slurpfile measured "$measured" --slurpfile predicted "$name.predicted.json" '
        def short: sub("alltoall."; "");
        def over($all; $m): [$all.results[] | select(.size_bytes == $m)] as $here |
            ($here[] | select(.algorithm == "alltoall.lg").time_s.value) as $lg |
            [$here[] | select(.algorithm | IN("mpi", "alltoall.direct", "alltoall.pairwise", "alltoall.paced")) |
             "\(.algorithm | short) \($lg / .time_s.value * 100 | round / 100)"] | sort | join(", ");
        ([$measured[0].results[].size_bytes] | unique[]) as $m |
        [$measured[0].results[] | select(.size_bytes == $m)] as $here |
        def of(name): [$here[] | select(.algorithm == name)][0];
        of("alltoall.lg") as $lg |
        "| \($delay) | \($m) | \($lg.time_s.value * 1e5 | round / 100) | \(over($measured[0]; $m)) | " +
        "\($lg.backbone_drops // "-") of \(of("mpi").backbone_drops // "-") | \(over($predicted[0]; $m)) |"'
done

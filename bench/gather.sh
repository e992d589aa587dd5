#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/gather.sh BUILD_BIN [BUFFER [SIZES]]: the plain and the windowed gather (Tam and Wang 1999,
# section 5, Fig. 4 and 5) in a lab of 12 hosts whose switch ports hold BUFFER (32KiB): measured and
# predicted time with its interval, and the packets the ports dropped. Needs a lab (docs/lab.md).
set -euo pipefail
bin=$(cd "$1" && pwd) buffer=${2:-32KiB} sizes=${3:-4KiB,16KiB,64KiB,256KiB}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck disable=SC2016 # expanded inside the lab
there='
bin=$1 work=$2 sizes=$3
drops() { "$bin/alltold" lab counters | awk "/^to /{ sum += \$5 } END { print sum + 0 }"; }
mpirun -n 12 "$bin/alltold" measure "$work/net.db" --only p2p,plogp,cluster,links --budget 45s >&2
"$bin/alltold" fit "$work/net.db" -o "$work/profile.json" >&2
printf "%-28s %8s %12s %26s %8s\n" algorithm m "measured, ms" "predicted (90 %), ms" drops
for m in ${sizes//,/ }; do
    for algorithm in mpi gather.flat gather.windowed; do
        choice=$algorithm
        predicted=-
        if [ $algorithm != mpi ]; then
            predicted=$("$bin/alltold" predict "$work/profile.json" gather --algorithm $algorithm \
                -n 12 -m $m --model links --json)
            window=$(jq -r ".predictions[0].window // empty" <<<"$predicted")
            predicted=$(jq -r ".predictions[0].time_s | [.value, .low, .high] |
                map(1000 * . | tostring | .[0:6]) | \"\(.[0]) (\(.[1]) to \(.[2]))\"" <<<"$predicted")
            [ -z "$window" ] || choice="$algorithm window=$window"
        fi
        before=$(drops)
        measured=$(mpirun -n 12 "$bin/alltold" run gather --algorithm "$choice" -m $m \
            --repetitions 9 --json $([ $algorithm = mpi ] || echo --without-mpi) |
            jq -r ".results[0].time_s.value * 1000 | tostring | .[0:6]")
        printf "%-28s %8s %12s %26s %8s\n" "$choice" $m "$measured" "$predicted" \
            $(($(drops) - before))
    done
done'
exec "$bin/alltold" lab --clusters 12 --nic 50Mbit --buffer "$buffer" -- \
    bash -c "$there" - "$bin" "$work" "$sizes"

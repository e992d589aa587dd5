#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/prediction.sh BUILD_BIN [SHAPE [FOLDER [STEP...]]]: accuracy of predictions for collectives
# that were not measured, in a lab of SHAPE hosts: 12 or 6+6, and with three ranks per host 8x3 or
# 4x3+4x3. Steps write to FOLDER (default: a new one) and resume after an interruption:
#   calibrate   probes, and collectives on at most 8 hosts (4+4), or on half of those with three
#               ranks: what measure takes by default
#   bcast scatter gather alltoall   alltold's algorithms at held-out numbers of hosts and sizes
#   compare     fits the first, predicts the others: error, worst, share inside the 90 % intervals
# Without steps it runs all of them, in about eight minutes. Environment: LAB, the lab's options
# (--nic 50Mbit, of three ranks 20Mbit, --buffer 64KiB, with a backbone --wan 200Mbit,5ms,512KiB, of three ranks
# 60Mbit,5ms,256KiB); HELD_OUT (as measure -n) and SIZES, what is predicted. Needs a lab (docs/lab.md).
set -euo pipefail
bin=$(cd "$1" && pwd) shape=${2:-12} folder=${3:-$(mktemp -d)}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- calibrate bcast scatter gather alltoall compare
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
nic="--nic 50Mbit --buffer 64KiB" ranks=12
case $shape in
12) calibrated=5,8 held_out=${HELD_OUT:-6,10,12} wan="" probes=35s ;;
6+6) calibrated=2+3,4+4 held_out=${HELD_OUT:-3+3,5+5,6+6} wan="--wan 200Mbit,5ms,512KiB" probes=110s ;;
8x3) calibrated=2x3,4x3 held_out=${HELD_OUT:-6x3,8x3} wan="" probes=35s ;;
4x3+4x3) calibrated=1x3+1x3,2x3+2x3 held_out=${HELD_OUT:-3x3+3x3,4x3+4x3} wan="--wan 60Mbit,5ms,256KiB" probes=110s ;;
*) echo "bench/prediction.sh: SHAPE is 12, 6+6, 8x3 or 4x3+4x3, not '$shape'" >&2 && exit 2 ;;
esac
[[ $shape != *x3 ]] || nic="--nic 20Mbit --buffer 64KiB" ranks=24
# All algorithms at small sizes; at large ones without those that take seconds a call.
sizes=${SIZES:-8,512,4KiB,32KiB,128KiB}
quick_bcasts=bcast.binary,bcast.binomial,bcast.binomial_segmented,bcast.chain_segmented
quick_alltoalls=alltoall.pairwise,alltoall.rotated,alltoall.paced

in_lab() {
    # shellcheck disable=SC2086 # LAB is several options
    "$bin/alltold" lab --clusters "$shape" ${LAB:-$nic $wan} -- \
        timeout 300 mpirun -n $ranks "$bin/alltold" measure "$@" </dev/null >&2
}
hold_out() {
    in_lab "$folder/held_out.db" --only collectives --repetitions 3 -n $held_out \
        --collective "$1" --algorithm "${3:-all}" -m "$2" --budget 140s
}
for step; do
    echo "== $step" >&2
    case $step in
    calibrate)
        in_lab "$folder/net.db" --only p2p,plogp,links --budget $probes
        in_lab "$folder/net.db" --only collectives -n $calibrated --repetitions 3 \
            --budget 100s
        ;;
    bcast)
        hold_out bcast $sizes
        hold_out bcast 1MiB $quick_bcasts
        ;;
    scatter | gather) hold_out "$step" $sizes ;;
    alltoall)
        hold_out alltoall $sizes
        hold_out alltoall 512KiB $quick_alltoalls
        ;;
    compare)
        "$bin/alltold" fit "$folder/net.db" -o "$folder/net.json" >"$folder/fit.txt" ||
            [ $? = 1 ] # the signature may be refused
        "$bin/alltold" validate "$folder/held_out.db" "$folder/net.json"
        ;;
    *) echo "bench/prediction.sh: no step '$step'" >&2 && exit 2 ;;
    esac
done
echo "kept in $folder" >&2

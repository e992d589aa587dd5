#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What the choice loses against the best of everything: ours and every algorithm that the MPI library
# can be told to use, in labs. Resumable: what FOLDER holds is not measured again.
#
#   bench/choice.sh BUILD_BIN FOLDER calibrate LAB [START]            calibration and tune --verify
#   bench/choice.sh BUILD_BIN FOLDER everything LAB [START [N [COLLECTIVES [SIZES [SECONDS]]]]]
#   bench/choice.sh BUILD_BIN FOLDER loss                              the table and the bars
#
# LAB is 12 (50 Mbit), 6+6 or 4+8 (20 Mbit, backbone 80 Mbit, 10 ms, 256 KiB), all with 64 KiB a switch
# port. START is silence (default), barrier or back-to-back. `everything` ends after SECONDS (120).
# Choice and best come from one run; which is best is decided by every other repetition, and the loss
# judged by those between, so that luck does not make the best look better than it is. Needs what labs
# need (docs/lab.md), and jq.
set -euo pipefail
bin=$(cd "$1" && pwd) folder=$(mkdir -p "$2" && cd "$2" && pwd) what=$3
export bin

in_lab() { # LAB COMMAND...
    local lab=$1
    shift
    local shape=(--clusters "$lab" --buffer 64KiB)
    case $lab in
    12) shape+=(--nic 50Mbit) ;;
    *) shape+=(--nic 20Mbit --wan 80Mbit,10ms,256KiB) ;;
    esac
    "$bin/alltold" lab "${shape[@]}" -- "$@" </dev/null
}

calibrate() { # LAB START
    local at=$folder/$1-$2 began=$SECONDS
    mkdir -p "$at"
    # shellcheck disable=SC2016 # expanded inside the lab
    in_lab "$1" bash -c 'set -e; cd "$1"
        mpirun -n 12 "$bin/alltold" measure --store net.db --only p2p,plogp,links --start "$2" --budget 40s
        mpirun -n 12 "$bin/alltold" tune net.db --profile net.json --start "$2" --verify --budget 110s' \
        - "$at" "$2" >&2
    echo "calibration and tune --verify: $((SECONDS - began)) s (bar: 180)" | tee "$at/calibrate.txt"
}

everything() { # LAB START N COLLECTIVES SIZES SECONDS
    local at=$folder/$1-$2
    # shellcheck disable=SC2016
    in_lab "$1" bash -c 'cd "$1"
        for size in ${5//,/ }; do for n in ${3//,/ }; do for collective in ${4//,/ }; do
            to=$collective-$n-$size.json
            [ ! -s "$to" ] || continue
            [ $SECONDS -lt "$6" ] || { echo "out of time before $to; the same command goes on"; exit; }
            clusters=
            case $n in *+*) clusters="--clusters $n" ;; esac
            timeout 120 mpirun -n $((n)) "$bin/alltold" run "$collective" --algorithm everything,auto \
                --profile net.json --start "$2" -m "$size" $clusters --repetitions 6 --budget 40s \
                --json >"$to.new" && mv "$to.new" "$to"
        done; done; done' - "$at" "$2" "$3" "$4" "$5" "$6"
}

# One line a call: collective n size choice best loss over_mpi over_bound seconds.
calls() {
    jq -r '
        def odd: [range(0; length; 2) as $i | .[$i]];
        def even: [range(1; length; 2) as $i | .[$i]];
        def median: sort | (.[((length - 1) / 2) | floor] + .[(length / 2) | floor]) / 2;
        . as $all | [.results[] | select((.times_s | length) >= 2)] as $rows |
        ($rows[] | select(.auto)) as $auto |
        ($rows | min_by(.times_s | odd | median)) as $best |
        ($rows[] | select(.algorithm == "mpi" and (.auto | not))) as $mpi |
        ($auto.times_s | even | median) as $took |
        [.collective, .clusters, $auto.size_bytes, $auto.algorithm, $best.algorithm,
         ([$took / ($best.times_s | even | median) - 1, 0] | max),
         $took / ($mpi.times_s | even | median) - 1, ($auto.time_over_bound // 0),
         ([$rows[].times_s | add] | add)] | @tsv' "$@"
}

loss() {
    local file
    printf '%-10s %-6s %8s %-26s %-26s %7s %9s %6s\n' collective n bytes chosen best 'loss %' \
        'vs mpi %' bound
    for file in "$folder"/*/*-*-*.json; do calls "$file"; done | sort -k1,1 -k2,2 -k3,3n |
        awk -F'\t' '{
            printf "%-10s %-6s %8d %-26s %-26s %7.1f %9.1f %6.2f\n", $1, $2, $3, $4, $5, 100 * $6, 100 * $7, $8
            sum += $6; n++; spent += $9; if ($6 > worst) { worst = $6; where = $1 " " $2 " " $3 }
            if ($7 > slower) { slower = $7; there = $1 " " $2 " " $3 } }
        END { if (n) {
            printf "\n%d calls: mean loss %.1f %% (bar 2), worst %.1f %% at %s (bar 10), ", n, 100 * sum / n, 100 * worst, where
            printf "slower than mpi by at most %.1f %% at %s (bar 3)\n", 100 * slower, there
            printf "measuring everything took %.0f s of network time for these calls\n", spent } }'
    cat "$folder"/*/calibrate.txt 2>/dev/null || true
}

case $what in
calibrate) calibrate "$4" "${5:-silence}" ;;
everything)
    everything "$4" "${5:-silence}" "${6:-$([ "$4" = 12 ] && echo 12,8,4 || echo "$4")}" \
        "${7:-bcast,scatter,gather,alltoall}" "${8:-8,1KiB,16KiB,64KiB,256KiB,1MiB}" "${9:-120}"
    ;;
loss) loss ;;
*) echo "choice.sh: '$what' is none of calibrate, everything, loss" >&2 && exit 2 ;;
esac

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What the choice loses against the best of all algorithms, alltold's and the MPI library's, in labs.
# Resumable: results in FOLDER are not measured again.
#
#   bench/choice.sh BUILD_BIN FOLDER calibrate LAB [START [COLLECTIVES]]       calibration and tune
#   bench/choice.sh BUILD_BIN FOLDER everything LAB [START [N [COLLECTIVES [SIZES [SECONDS]]]]]
#   bench/choice.sh BUILD_BIN FOLDER loss                              the table and the bars
#
# LAB is 12 (50 Mbit), 6+6 or 4+8 (20 Mbit, backbone 80 Mbit, 10 ms, 256 KiB), all with 64 KiB per switch
# port. START is silence (default), barrier or loop. `everything` ends after SECONDS (120).
# Choice and best come from one run. Every other repetition decides which is best, the rest determine
# the loss, so that the best is not selected by luck; "+-" is the standard error of the loss. Algorithms
# slower than 1.5 times the fastest are dropped. Needs a lab (docs/lab.md) and jq.
set -euo pipefail
bin=$(cd "$1" && pwd) folder=$(mkdir -p "$2" && cd "$2" && pwd) what=$3
here=$(cd "$(dirname "$0")" && pwd)
export bin

in_lab() { # LAB COMMAND...
    local lab=$1
    shift
    local shape=(--clusters "$lab" --buffer 64KiB)
    case $lab in
    12) shape+=(--nic 50Mbit) ;;
    *) shape+=(--nic 20Mbit --wan "80Mbit,10ms,256KiB") ;;
    esac
    "$bin/alltold" lab "${shape[@]}" -- "$@" </dev/null
}

calibrate() { # LAB START COLLECTIVES
    local at=$folder/$1-$2 began=$SECONDS
    mkdir -p "$at"
    # On several clusters rank uses links, with latencies from ping-pongs. There a single timing of a
    # large call takes seconds.
    # shellcheck disable=SC2016 # expanded inside the lab
    in_lab "$1" bash -c 'set -e; cd "$1"
        on_all() { mpirun -n 12 "$bin/alltold" "$@" --start "$start"; }
        start=$2 tuning=115s collectives=$4
        case $3 in
        *+*)
            on_all measure net.db --only p2p -m 1,1KiB,16KiB,128KiB --budget 12s
            on_all measure net.db --only links --budget 50s
            tuning=240s
            ;;
        *) on_all measure net.db --only plogp,links --budget 40s ;;
        esac
        on_all tune net.db -o net.json --collective $collectives --budget $tuning --json >tune.json' \
        - "$at" "$2" "$1" "$3" >&2
    echo "$1: calibration and tune: $((SECONDS - began)) s (bar on 12: 180)" | tee "$at/calibrate.txt"
}

everything() { # LAB START N COLLECTIVES SIZES SECONDS
    local at=$folder/$1-$2
    # shellcheck disable=SC2016
    in_lab "$1" bash -c 'cd "$1"
        for size in ${5//,/ }; do for n in ${3//,/ }; do for collective in ${4//,/ }; do
            to=$collective-$n-$size.json
            [ ! -s "$to" ] || continue
            [ $SECONDS -lt "$6" ] || { echo "out of time before $to; run the same command to continue"; exit; }
            # Short calls scatter more and are cheap, except over a backbone.
            case $n/$size in
            *+*/8 | *+*/1KiB | *+*/16KiB | */64KiB) repetitions=8 ;;
            */8 | */1KiB) repetitions=60 ;; */16KiB) repetitions=12 ;;
            */256KiB) repetitions=4 ;; *) repetitions=3 ;;
            esac
            timeout 200 mpirun -n $((n)) "$bin/alltold" run "$collective" --algorithm everything,auto \
                --profile net.json --start "$2" -m "$size" --clusters "$n" --repetitions $repetitions \
                --keep-within 1.5 --budget 100s --json >"$to.new" && mv "$to.new" "$to"
        done; done; done' - "$at" "$2" "$3" "$4" "$5" "$6"
}

# One line a call: collective n size choice best loss error over_mpi over_bound seconds.
calls() {
    jq -r -L "$here/lib" '
        include "times";
        . as $all | .results | compared(2) |
        [$all.collective, $all.clusters, .auto.size_bytes, (.auto | name), (.best | name), .loss, .loss_error,
         .over_mpi,
         (if (.auto.bound_s // 0) > 0 then (.auto.times_s | median) / .auto.bound_s else 0 end),
         $all.elapsed_s] | @tsv' "$@"
}

loss() {
    local file
    printf '%-10s %-6s %8s %-27s %-27s %6s %6s %8s %6s\n' collective n bytes chosen best 'loss %' \
        '+- %' 'vs mpi %' bound
    for file in "$folder"/*/*-*-*.json; do calls "$file"; done | sort -k1,1 -k2,2 -k3,3n |
        awk -F'\t' '{
            printf "%-10s %-6s %8d %-27s %-27s %6.1f %6.1f %8.1f %6.2f\n", $1, $2, $3, $4, $5,
                100 * $6, 100 * $7, 100 * $8, $9
            sum += $6; n++; spent += $10; if ($6 > worst) { worst = $6; where = $1 " " $2 " " $3 }
            if ($8 > slower) { slower = $8; there = $1 " " $2 " " $3 } }
        END { if (n) {
            printf "\n%d calls: mean loss %.1f %% (bar 2), worst %.1f %% at %s (bar 10), ", n, 100 * sum / n, 100 * worst, where
            printf "slower than mpi by at most %.1f %% at %s (bar 3)\n", 100 * slower, there
            printf "measuring everything took %.0f s for these calls, hopeless ones given up\n", spent } }'
    cat "$folder"/*/calibrate.txt 2>/dev/null || true
}

usual=bcast,scatter,gather,alltoall
case $what in
calibrate) calibrate "$4" "${5:-silence}" "${6:-$usual}" ;;
everything)
    everything "$4" "${5:-silence}" "${6:-$([ "$4" = 12 ] && echo 12,8,4 || echo "$4")}" \
        "${7:-$usual}" "${8:-8,1KiB,16KiB,64KiB,256KiB,1MiB}" "${9:-120}"
    ;;
loss) loss ;;
*) echo "choice.sh: '$what' is none of calibrate, everything, loss" >&2 && exit 2 ;;
esac

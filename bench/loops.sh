#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/loops.sh BUILD_BIN OUT [NAME=VALUE...] [-- LAB OPTION...]: what loops of collectives take with the MPI library's
# own and with `alltold exec`: wall time per call of loops with equal numbers of calls, in a lab of its own.
#   LAB OPTIONs   of alltold lab (--clusters 8 --nic 20Mbit --buffer 48KiB)
#   variants      of library, profile (exec with the profile), progress (with ALLTOLD_PROGRESS=on too) and rules (exec with the
#                 rules): library,profile
#   profile=FILE  the profile (OUT/study/profile.json, by a default study if it is not there)
#   rules=RULES   what the variant rules runs, such as "bcast:any = bcast.chain"
#   collectives   bcast,reduce; also scatter, gather, alltoall, allgather, allreduce, reduce_scatter_block, scan, and nonblocking
#                 ibcast and so on, with the work between start and wait (their bound is that of the period without work)
#   sizes         bytes a block: 4096,65536
#   patterns      none, sync (an allreduce of 8 B after each call), or ms of work with each, equal or exponential (asleep) or busy
#                 (a fixed amount that takes about so long), or times what the library takes without work, such as 0.5x:
#                 none;3;3,exponential;sync
#   roots         fixed, moving (on by one each call): fixed
#   comm          world, or columns: as many communicators as a host has ranks, all in the loop at once, each with one rank
#                 of every host (no bound is known): world
#   seconds       of a loop with the library's own, from which the number of calls follows: 20
#   repeats       of each loop, every other one with the variants in reverse: 1
#   compare       ALLTOLD_COMPARE of the variants with exec, such as off
#   table=only    no loop, the table of what OUT/loops.json holds
# The defaults take about 15 minutes. OUT/loops.json gets a line for each loop; the same command goes on where it was
# ended. "saved" is what the log (ALLTOLD_LOG=explain) says over the difference of the wall times. Needs a lab
# (docs/lab.md), jq and mpicc. Timings are those of an idle machine only.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) bin=$(cd "$1" && pwd) out=$(mkdir -p "$2" && cd "$2" && pwd)
shift 2
declare -A of=([variants]='library,profile' [profile]=$out/study/profile.json [rules]='' [collectives]='bcast,reduce'
    [sizes]='4096,65536' [patterns]='none;3;3,exponential;sync' [roots]=fixed [comm]=world [seconds]=20 [repeats]=1 [compare]='' [table]='')
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    [[ $1 == *=* && -v of[${1%%=*}] ]] || { echo "bench/loops.sh: unknown option '$1'" >&2 && exit 2; }
    of[${1%%=*}]=${1#*=}
    shift
done
[ $# -le 1 ] && lab=(--clusters 8 --nic 20Mbit --buffer 48KiB) || lab=("${@:2}")
lines=$out/loops.json
touch "$lines"

# A row for each collective, size, pattern and root, and the geometric means of the ratios to the library.
table() {
    jq -rs '
        def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
        def mean: map(log) | add / length | exp;
        def places(n): . * pow(10; n) | round / pow(10; n);
        def size: if . >= 1024 then "\(. / 1024) KiB" else "\(.) B" end;
        def work_s: if .pattern == "none" or .pattern == "sync" then 0
                    else (.work_ms // (.pattern | split(",")[0] | tonumber)) / 1000 end;
        (map(select(.bound_s)) | map({key: "\(.collective) \(.bytes)", value: .bound_s}) | from_entries) as $bounds |
        [map(select(.wall_s)) | group_by([.collective, .bytes, .pattern, .root])[] |
         (map(select(.variant == "library") | .wall_s / .calls) | if . == [] then null else median end) as $library_s |
         (.[0] | [$bounds["\(.collective) \(.bytes)"] // 0, work_s] | max) as $bound_s |
         (map(.check) | unique | length) as $checks |
         group_by(.variant)[] | (map(.wall_s / .calls) | median) as $call_s |
         (if $library_s and .[0].variant != "library" then $library_s - $call_s else null end) as $less_s |
         .[0] + {$call_s, $bound_s, $checks, loops: length,
                 ratio: (if $less_s then $call_s / $library_s else null end),
                 saved: (if $less_s and $less_s != 0 and .[0].saved_s != null
                         then (map(.saved_s / .calls) | median) / $less_s else null end)}] |
        "| collective | m | pattern | root | variant | loops | calls | ms a call | bound of the period, ms | / bound | / library | saved | results |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        (.[] | "| \(.collective) | \(.bytes | size) | \(.pattern) | \(.root) | \(.variant) | \(.loops) | \(.calls) | " +
         "\(.call_s * 1000 | places(3)) | \(.bound_s * 1000 | places(3)) | " +
         "\(if .bound_s > 0 then .call_s / .bound_s | places(2) else "-" end) | \(.ratio // "-" | if . == "-" then . else places(3) end) | " +
         "\(.saved // "-" | if . == "-" then . else places(2) end) | \(if .checks == 1 then "equal" else "differ" end) |"),
        "", "| collective | variant | calls of a kind | / library, geometric mean | most |", "|---|---|---|---|---|",
        (map(select(.ratio)) | (group_by([.collective, .variant]) | map(. + [])) + (map(.collective = "all") | group_by(.variant)) |
         .[] | "| \(.[0].collective) | \(.[0].variant) | \(length) | \(map(.ratio) | mean | places(3)) | \(map(.ratio) | max | places(3)) |")
    ' "$lines"
}
[ -z "${of[table]}" ] || { table && exit; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mpicc -std=gnu11 -O2 -o "$work/loops" "$here/programs/loops.c" -lm
if [[ ,${of[variants]}, =~ ,(profile|progress), && ! -s ${of[profile]} ]]; then
    "$bin/alltold" study "${lab[@]}" --keep "$(dirname "${of[profile]}")" </dev/null >&2
fi
declare -p of bin work lines >"$work/options"

# Inside the lab, so that all loops have one network.
cat >"$work/inside" <<'INSIDE'
set -euo pipefail
source "$(dirname "$0")/options"
n=$ALLTOLD_LAB_RANKS
found() { # JSON: the first line with all of its members
    jq -ecn --argjson it "$1" 'first(inputs | select(. as $line | $it | to_entries | all(.value == $line[.key])))' "$lines"
}
pilot() { # COLLECTIVE BYTES PATTERN ROOT KEY: calls a second of the library's own
    found "$5" >/dev/null || mpirun -n "$n" "$work/loops" "$1" "$2" "$3" "$4" 0 "${of[comm]}" |
        jq -c --argjson key "$5" '$key + .' >>"$lines"
    found "$5" | jq .calls_per_s
}
loop() { # VARIANT RUN COLLECTIVE BYTES PATTERN ROOT CALLS WORK
    local with=() log=$work/log.json key
    local set=(env "ALLTOLD_LOG=explain:$log" "ALLTOLD_COMPARE=${of[compare]}")
    key=$(jq -nc --arg v "$1" --argjson r "$2" --arg c "$3" --argjson b "$4" --arg p "$5" --arg o "$6" \
        '{variant: $v, run: $r, collective: $c, bytes: $b, pattern: $p, root: $o}')
    found "$key" >/dev/null && return
    rm -f "$log"
    case $1 in
    profile) with=("${set[@]}" "$bin/alltold" exec --profile "${of[profile]}" --) ;;
    progress) with=("${set[@]}" ALLTOLD_PROGRESS=on "$bin/alltold" exec --profile "${of[profile]}" --) ;;
    rules) with=("${set[@]}" "$bin/alltold" exec --rules "${of[rules]}" --) ;;
    esac
    mpirun -n "$n" "${with[@]}" "$work/loops" "$3" "$4" "$8" "$6" "$7" "${of[comm]}" 2>"$work/errors" >"$work/result" ||
        { cat "$work/errors" >&2 && exit 1; }
    [ "$5" = "$8" ] || key=$(jq -nc --argjson key "$key" --argjson work "$8" '$key + {work_ms: $work}')
    jq -c --argjson key "$key" --slurpfile log <(cat "$log" 2>/dev/null || echo null) \
        '$key + . + {saved_s: ($log[0] | if any(.classes[]?; .saved_s) then .saved_s else null end)}' \
        "$work/result" >>"$lines"
    tail -n 1 "$lines" >&2
}
IFS=';' read -ra patterns <<<"${of[patterns]}"
IFS=, read -ra variants <<<"${of[variants]}"
for collective in ${of[collectives]//,/ }; do for bytes in ${of[sizes]//,/ }; do
    key="{\"collective\": \"$collective\", \"bytes\": $bytes"
    [ "${of[comm]}" != world ] || found "$key, \"what\": \"bound\"}" >/dev/null ||
        mpirun -n "$n" "$bin/alltold" run "${collective#i}" --algorithm mpi -m "$bytes" --start loop --repetitions 1 --json |
        jq -c --argjson key "$key, \"what\": \"bound\"}" '$key + {bound_s: .results[0].bound_s}' >>"$lines"
    for pattern in "${patterns[@]}"; do for root in ${of[roots]//,/ }; do
        what="\"root\": \"$root\", \"what\": \"pilot\"}" does=$pattern
        if [[ $pattern == *x ]]; then
            idle=$(pilot "$collective" "$bytes" none "$root" "$key, \"pattern\": \"none\", $what")
            does=$(jq -n --argjson per_s "$idle" --argjson times "${pattern%x}" '1e5 * $times / $per_s | round / 100')
        fi
        per_s=$(pilot "$collective" "$bytes" "$does" "$root" "$key, \"pattern\": \"$pattern\", $what")
        calls=$(jq -n --argjson per_s "$per_s" --argjson s "${of[seconds]}" '[$per_s * $s | round, 4] | max')
        for ((run = 0; run < of[repeats]; ++run)); do
            order=("${variants[@]}")
            ((run % 2 == 0)) || mapfile -t order < <(printf '%s\n' "${variants[@]}" | tac)
            for variant in "${order[@]}"; do
                loop "$variant" "$run" "$collective" "$bytes" "$pattern" "$root" "$calls" "$does"
            done
        done
    done; done
done; done
INSIDE
"$bin/alltold" lab "${lab[@]}" -- bash "$work/inside" </dev/null >&2
table

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/kills.sh SEED COUNT [BUILD_BIN]: COUNT times measure, tune or study in a lab, ended at a random
# time by SIGKILL, SIGTERM, SIGINT, SIGHUP or a stopped rank. Checks that every sample said or stored before is
# in the store once, that no process, namespace or file is left, and that some run of each of the three took
# samples. Exit status 1 if not.
# Needs a lab (docs/lab.md), jq and sqlite3.
set -uo pipefail
usage() { sed -n 's/^# \{0,1\}//; 3,7p' "$0" >&2 && exit 2; }
[[ $# -ge 2 && $1$2 =~ ^[0-9]+$ ]] || usage
seed=$1 count=$2 bin=$(cd "${3:-$(dirname "$0")/../build/release/bin}" && pwd) || exit 2
alltold=$bin/alltold
for program in jq sqlite3 "$alltold"; do
    command -v "$program" >/dev/null || { echo "bench/kills.sh: needs $program" >&2 && exit 2; }
done
# shellcheck source=bench/lib/samples.sh
. "$(dirname "$0")/lib/samples.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/tmp"
# A study asked to find settings spends its first seconds on them, before it has a store.
echo '{"collective": "alltoall", "start": "barrier", "recommended": "default", "results": []}' >"$folder/settings.json"
declare -A took=() # of each kind, runs that took samples
failures=0
fail() { echo "  $*" && failures=$((failures + 1)); }

# Processes that were started with our mark in their environment.
marked() {
    local environ
    for environ in /proc/[0-9]*/environ; do
        grep -qsz "^ALLTOLD_KILLS=$1$" "$environ" && basename "$(dirname "$environ")"
    done
}
namespaces_of() { # PID...: network namespaces that are not ours
    local pid own
    own=$(readlink /proc/self/ns/net)
    for pid in "$@"; do readlink "/proc/$pid/ns/net" 2>/dev/null; done | grep -vxF "$own" | sort -u
}
holders() { # NAMESPACE...
    local link name asked
    for link in /proc/[0-9]*/ns/net; do
        name=$(readlink "$link" 2>/dev/null) || continue
        for asked in "$@"; do [[ $name != "$asked" ]] || echo "$link"; done
    done
}

one() { # NUMBER
    local hash kind signal delay_ms store command pid pids namespaces alive left mark=$$.$1
    hash=$(printf '%s %s' "$seed" "$1" | sha256sum)
    kind=$((16#${hash:0:4} % 3)) signal=$((16#${hash:4:4} % 5))
    local kinds=(measure tune study) signals=(KILL TERM INT HUP STOP) spread_ms=(6500 6500 40000)
    delay_ms=$((1500 + 16#${hash:8:4} * spread_ms[kind] / 65536)) # a study has several parts
    kind=${kinds[$kind]} signal=${signals[$signal]}
    [[ $kind != tune || -s $folder/measure.db ]] || kind=measure # tune times what a store's models cannot decide
    store=$folder/$kind.db
    command=("$alltold" lab --clusters 2+1 -- mpirun -n 3 "$alltold")
    case $kind in
    measure) command+=(measure "$store" --json --budget 60s --repetitions 1000) ;;
    tune) command+=(tune "$store" -o "$folder/tune.json" --budget 60s -m 1KiB,64KiB) ;;
    study) command=("$alltold" study --clusters 2+1 --keep "$folder/study" --budget 40s --settings "$folder/settings.json")
        store=$folder/study/study.db ;;
    esac
    if [[ $kind = tune && ! -s $store ]]; then
        sqlite3 "$folder/measure.db" ".backup '$store'" >/dev/null
    fi
    echo "$1: $kind, SIG$signal after $delay_ms ms"
    samples "$store" >"$folder/before"
    TMPDIR=$folder/tmp ALLTOLD_KILLS=$mark "${command[@]}" >"$folder/out" 2>"$folder/err" &
    pid=$!
    sleep "$(printf '%d.%03d' $((delay_ms / 1000)) $((delay_ms % 1000)))"
    mapfile -t pids < <(marked "$mark")
    mapfile -t namespaces < <(namespaces_of "${pids[@]}")
    if [ "$signal" = STOP ]; then # one rank; then the user gives up
        local rank
        rank=$(for p in "${pids[@]}"; do
            grep -qsz '^OMPI_COMM_WORLD_RANK=1$' "/proc/$p/environ" && echo "$p"
        done | tail -1)
        [ -n "$rank" ] && kill -STOP "$rank"
        sleep 2
        signal=TERM
    fi
    kill -"$signal" "$pid" 2>/dev/null
    for ((i = 0; i < 300; ++i)); do
        mapfile -t alive < <(marked "$mark")
        [ ${#alive[@]} -eq 0 ] && break
        sleep 0.1
    done
    if [ ${#alive[@]} -gt 0 ]; then
        fail "left processes: $(ps -o pid=,stat=,args= -p "$(IFS=,; echo "${alive[*]}")" | cut -c1-100 | tr '\n' ';')"
        kill -KILL "${alive[@]}" 2>/dev/null
    fi
    wait "$pid" 2>/dev/null
    left=$(holders "${namespaces[@]}")
    [ -z "$left" ] || fail "namespaces held by $left"
    left=$(find "$folder/tmp" -mindepth 1 | head -3)
    [ -z "$left" ] || fail "left files: $left"
    rm -rf "$folder/tmp" && mkdir "$folder/tmp"
    left=$(ls -A "$folder" | grep -vxE '(measure|tune)\.db(-wal|-shm|-lock|-journal)?|tune\.json|study|settings\.json|tmp|before|after|out|err|said')
    [ -z "$left" ] || fail "left files: $left"
    [ -s "$store" ] || return 0
    samples "$store" >"$folder/after"
    while read -r left; do fail "$left"; done < <(store_faults "$store" "$folder/before")
    if [ "$kind" = measure ]; then # every whole line said is stored
        grep '}$' "$folder/out" | jq -r 'select(.time_s != null and .repetition != null) |
            [.probe, .algorithm, .clusters, .size_bytes, .repetition] | join("|")' 2>/dev/null | sort -u >"$folder/said"
        left=$(comm -23 "$folder/said" <(awk -F'|' -v OFS='|' '{print $1, $2, $3, $4, $8}' "$folder/after" | sort -u) | wc -l)
        [ "$left" -eq 0 ] || fail "$left samples said but not stored"
        echo "  $(wc -l <"$folder/said") samples said"
    fi
    cmp -s "$folder/before" "$folder/after" || took[$kind]=$((${took[$kind]:-0} + 1))
    echo "  $(wc -l <"$folder/before") samples before, $(wc -l <"$folder/after") after"
}

for ((n = 1; n <= count; ++n)); do one "$n"; done
for kind in measure tune study; do # otherwise nothing is known of it
    [[ ${took[$kind]:-0} -gt 0 ]] || fail "no run of $kind took samples"
    echo "$kind: ${took[$kind]:-0} runs took samples"
done
echo "$count runs ended, $failures failures"
[ "$failures" -eq 0 ]

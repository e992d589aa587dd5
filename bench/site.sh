#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/site.sh BUILD_BIN OUT [NAME=VALUE...]: jobs one after the other with one site folder and no study: wall time of each
# without alltold and under `alltold exec`, which finds the folder by itself (docs/site.md). Each job is a loop of one
# collective on a lab of its own, drawn at random: hosts, ranks on each, clusters, collective, size, what is between calls, and
# the hosts' names, among 400 that the site has: node1 to node160, node161 to node300 and node301 to node400 are its clusters.
#   jobs=30 seed=1
#   seconds=15    of a job without alltold, from which its number of calls follows
#   hosts=12      the most of a job (at least 3)
#   ranks=16      the most of a job
#   network=...   options of alltold lab: --nic 20Mbit --buffer 48KiB --wan 60Mbit,2ms,128KiB
#   table=only    no job, the table of what OUT/jobs.json holds
# The defaults take about 25 minutes. OUT/jobs.json gets a line for each job, OUT/site is the folder; the same command goes
# on where it was ended. Needs a lab (docs/lab.md), jq and mpicc. Timings are those of an idle machine only.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) bin=$(cd "$1" && pwd) out=$(mkdir -p "$2" && cd "$2" && pwd)
shift 2
declare -A of=([jobs]=30 [seed]=1 [seconds]=15 [hosts]=12 [ranks]=16 [table]=''
    [network]='--nic 20Mbit --buffer 48KiB --wan 60Mbit,2ms,128KiB')
for word in "$@"; do
    [[ $word == *=* && -v of[${word%%=*}] ]] || { echo "bench/site.sh: unknown option '$word'" >&2 && exit 2; }
    of[${word%%=*}]=${word#*=}
done
lines=$out/jobs.json
touch "$lines"

table() {
    jq -rs '
        def places(n): . * pow(10; n) | round / pow(10; n);
        def row(name): "| \(name) | \(length) | \(map(.without_s) | add | places(1)) | \(map(.with_s) | add | places(1)) | " +
            "\((map(.with_s) | add) / (map(.without_s) | add) | places(3)) | \(map(.with_s / .without_s) | max | places(3)) | " +
            "\((map([.with_s - .without_s, 0] | max) | add) / (map(.without_s) | add) * 100 | places(2)) % |";
        sort_by(.job) | (length / 3 | ceil) as $third |
        "| jobs | number | without, s | with, s | ratio | worst job | losses of slower jobs |", "|---|---|---|---|---|---|---|",
        (.[:$third] | row("first third")), (.[$third:2 * $third] | select(length > 0) | row("second third")),
        (.[2 * $third:] | select(length > 0) | row("last third")), row("all"),
        (group_by(.collective)[] | row(.[0].collective))' "$lines"
}
[ -z "${of[table]}" ] || { table && exit; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mpicc -std=gnu11 -O2 -o "$work/loops" "$here/programs/loops.c" -lm
export ALLTOLD_SITE=$out/site
mkdir -p "$ALLTOLD_SITE/network"
first=(1 161 301) last=(160 300 400)
for cluster in 0 1 2; do
    printf '# cluster: rack%d\nnode[%d-%d]\n' "$cluster" "${first[cluster]}" "${last[cluster]}"
done >"$ALLTOLD_SITE/network/hosts"
# named PROGRAM [ARGUMENT...]: runs it on a host that has the job's name for it, and knows of no lab's clusters.
cat >"$work/named" <<NAMED
#!/bin/sh
name=\$(sed -n "s/^\$(hostname) //p" $work/names)
exec unshare --uts sh -c 'hostname "\$0" && unset ALLTOLD_HOSTFILE ALLTOLD_CLUSTERS && exec "\$@"' "\$name" "\$@"
NAMED
chmod +x "$work/named"

RANDOM=${of[seed]}
pick() { # WORD...: one of them, in $picked; in no subshell, which would draw the same again
    local words=("$@")
    picked=${words[RANDOM % $#]}
}
read -ra network <<<"${of[network]}"
for ((job = 1; job <= of[jobs]; ++job)); do
    hosts=$((3 + RANDOM % (of[hosts] - 2))) per_host=$((1 + RANDOM % 3)) clusters=$((1 + RANDOM % 3))
    while ((hosts * per_host > of[ranks])); do
        ((per_host > 1)) && per_host=$((per_host - 1)) || hosts=$((hosts - 1))
    done
    layout=
    : >"$work/names"
    for ((cluster = 0; cluster < clusters; ++cluster)); do
        in_cluster=$(((hosts + cluster) / clusters)) number=${first[cluster]} letters=(a b c)
        layout+=+${in_cluster}x$per_host
        for ((host = 1; host <= in_cluster; ++host)); do # a random subset, in order: steps that leave enough for the rest
            number=$((number + RANDOM % ((last[cluster] - number) / (in_cluster - host + 1))))
            echo "${letters[cluster]}$host node$((number++))" >>"$work/names"
        done
    done
    layout=${layout:1}
    pick bcast reduce allreduce allgather alltoall && collective=$picked
    pick 4096 65536 && bytes=$picked
    pick none 3 sync && pattern=$picked
    swapped=$((RANDOM % 2))
    grep -q "\"job\":$job," "$lines" && continue
    cat >"$work/inside" <<INSIDE
set -euo pipefail
n=\$ALLTOLD_LAB_RANKS
calls=\$(mpirun -n \$n $work/loops $collective $bytes $pattern fixed 0 | jq '[.calls_per_s * ${of[seconds]} | round, 4] | max')
without() { mpirun -n \$n $work/named $work/loops $collective $bytes $pattern fixed \$calls >$work/without; }
with() { mpirun -n \$n $work/named $bin/alltold exec -- $work/loops $collective $bytes $pattern fixed \$calls >$work/with; }
if [ $swapped = 1 ]; then with && without; else without && with; fi
INSIDE
    "$bin/alltold" lab --clusters "$layout" "${network[@]}" -- bash "$work/inside" </dev/null >&2
    jq -nc --argjson job "$job" --arg layout "$layout" --arg collective "$collective" --argjson bytes "$bytes" \
        --arg pattern "$pattern" --slurpfile without "$work/without" --slurpfile with "$work/with" \
        '{job: $job, layout: $layout, collective: $collective, bytes: $bytes, pattern: $pattern, calls: $with[0].calls,
          without_s: $without[0].wall_s, with_s: $with[0].wall_s, equal: ($without[0].check == $with[0].check)}' >>"$lines"
    tail -n 1 "$lines" >&2
done
table

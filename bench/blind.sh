#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/blind.sh [--busy] [--corpus] [--seven] [--grid] [--from LAB] [--keep FOLDER] SEED COUNT [BUILD_BIN]: draws COUNT networks from SEED,
# runs the default study in a lab of each, and compares what it says with the truth: links, held-out calls, and
# the loss of the choice in a fresh lab (docs/results/blind.md). Exit status 1 if a bar is missed.
#   --list  only prints the options of the labs      --busy  keeps one core busy during each study
#   --from  leaves out the labs before LAB
#   --corpus  labs for bench/regret.sh, with more choices timed   --seven  there: seven collectives in all labs
#   --grid  clusters with different links, and pairs of them with their own backbones
#   --keep  folder for parameters, JSON, profile and log of each lab (build/blind-SEED[-busy]); with the
#           same folder the command continues where it ended
# Environment: CHOICE_SECONDS, what the timing of choices in one lab may take (120; on several clusters 180 and 12
# for each millisecond of the backbone's delay, of which every repetition takes several); STUDY_BUDGET, what a study may
# take (its default).
# Needs a lab (docs/lab.md) and jq.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) list=no busy=no corpus=0 seven=0 grid=0 from=1 folder=""
usage() { sed -n 's/^# \{0,1\}//; 3,15p' "$0" >&2 && exit 2; }
while [ $# -gt 0 ]; do
    case $1 in
    --list) list=yes ;;
    --busy) busy=yes ;;
    --corpus) corpus=1 ;;
    --seven) seven=1 ;;
    --grid) grid=1 ;;
    --from) from=${2:?--from needs the number of a lab} && shift ;;
    --keep) folder=${2:?--keep needs a folder} && shift ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done
[[ $# -ge 2 && $1$2$from =~ ^[0-9]+$ && $from -ge 1 && $from -le $2 ]] || usage
seed=$1 count=$2 build_bin=${3:-$here/../build/release/bin}

draw() { # NUMBER; each lab has a stream of its own, so COUNT does not change what is drawn
    local hash
    hash=$(printf '%s %s' "$seed" "$1" | sha256sum)
    awk -v state=$((16#${hash:0:7} + 1)) -v corpus=$corpus -v seven=$seven -v grid=$grid -f "$here/blind/draw.awk"
}
if [ $list = yes ]; then
    for ((i = from; i <= count; i++)); do draw $i | jq -r .options; done
    exit
fi

bin=$(cd "$build_bin" && pwd)
for program in alltold bench_truth; do
    [ -x "$bin/$program" ] || { echo "bench/blind.sh: no $program in $bin; build it first" >&2 && exit 2; }
done
[ -n "$folder" ] || folder=$here/../build/blind-$seed$([ $busy = no ] || echo -busy)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

spinning=""
stop_spinning() { [ -z "$spinning" ] || kill "$spinning" 2>/dev/null || true; }
trap stop_spinning EXIT

study() { # LAB_FOLDER; a study that was interrupted begins again
    rm -rf "$1/study"
    [ $busy = no ] || { while :; do :; done & spinning=$!; }
    # shellcheck disable=SC2046 # several options
    timeout 600 "$bin/alltold" study $(jq -r .options "$1/lab.json") \
        --collective "$(jq -r '.collectives | join(",")' "$1/lab.json")" ${STUDY_BUDGET:+--budget "$STUDY_BUDGET"} --keep "$1/study" --json \
        </dev/null >"$1/study.new" 2>"$1/study.log" || [ $? -eq 1 ] && jq -e .profile "$1/study.new" >/dev/null &&
        mv "$1/study.new" "$1/study.json" || echo "  the study failed: $1/study.log" >&2
    stop_spinning
    spinning=""
}

# The COUNT best by `rank` without the library's own, which is timed anyway; rank says itself why there are none.
best() { # COUNT PROFILE COLLECTIVE START CLUSTERS SIZE
    timeout 20 "$bin/alltold" rank "$2" "$3" --start "$4" --clusters "$5" -m "$6" --json |
        jq -r --argjson count "$1" '[.candidates[].choice | select(. != "mpi")][:$count][]' || true
}

# One line a run: collective, start, clusters, ranks, hosts, and what is best at any of the sizes under the profile
# and under the lab's true links. The latter is there since a wrong profile does not rank first what it should have
# chosen. For the corpus all-to-alls also follow a barrier, and broadcasts and reductions one another in a loop.
plan() { # LAB_FOLDER
    local collective clusters ranks hosts size start starts
    jq -f "$here/truth_profile.jq" "$1/study/truth.json" >"$1/true_profile.json"
    for collective in $(jq -r '.collectives[]' "$1/lab.json"); do
        case $corpus$collective in
        1alltoall) starts="silence barrier" ;;
        1bcast | 1reduce) starts="silence loop" ;;
        *) starts=silence ;;
        esac
        while IFS=$'\t' read -r clusters ranks hosts; do
            for start in $starts; do
                for size in $(jq -r '.sizes_bytes[]' "$1/lab.json"); do
                    best 3 "$1/study/profile.json" $collective $start "$clusters" "$size"
                    best 1 "$1/true_profile.json" $collective $start "$clusters" "$size"
                done | sort -u | paste -sd, >"$1/best"
                printf '%s\t%s\t%s\t%s\t%s\t%s\n' $collective $start "$clusters" "$ranks" "$hosts" "$(cat "$1/best")"
            done
        done < <(jq -r '.layouts[] | [.clusters, .ranks, (.hosts | join(","))] | @tsv' "$1/lab.json")
    done
    rm -f "$1/best"
}

choices() { # LAB_FOLDER
    local seconds=${CHOICE_SECONDS:-$(jq '.wan.one_way_delay_s // null |
        if . then 180 + 12e3 * . | floor else 120 end' "$1/study/truth.json")}
    plan "$1" >"$1/plan.tsv" 2>"$1/choices.log"
    # shellcheck disable=SC2016 # expanded inside the lab
    local there='
        bin=$1 folder=$2 seconds=$3 sizes=$4 repetitions=$5 left=$(wc -l <"$2/plan.tsv")
        # A run that ends early leaves its time to the next ones.
        while IFS=$(printf "\t") read -r collective start clusters ranks hosts algorithms; do
            share=$(((seconds - SECONDS) / left--))
            timeout 100 env OMPI_MCA_orte_execute_quiet=1 mpirun -n "$ranks" --host "$hosts" "$bin/alltold" run "$collective" \
                --start "$start" \
                --algorithm "mpi,auto${algorithms:+,$algorithms}" --profile "$folder/study/profile.json" \
                --clusters "$clusters" -m "$sizes" --repetitions "$repetitions" --keep-within 1.5 \
                --budget $((share > 5 ? share - 3 : 2))s --json </dev/null >"$folder/run.json" &&
                cat "$folder/run.json" ||
                echo "{\"collective\": \"$collective\", \"clusters\": \"$clusters\", \"failed\": true}"
        done <"$folder/plan.tsv"'
    # shellcheck disable=SC2046 # several options
    "$bin/alltold" lab $(jq -r .options "$1/lab.json") -- bash -c "$there" - "$bin" "$1" "$seconds" \
        "$(jq -r '.sizes_bytes | join(",")' "$1/lab.json")" $((8 - 2 * corpus)) </dev/null >"$1/runs.new" 2>>"$1/choices.log" &&
        jq -s . "$1/runs.new" >"$1/runs.json" || echo "  timing the choices failed: $1/choices.log" >&2
    rm -f "$1/runs.new" "$1/run.json"
}

filters=$(cat "$here/lib/times.jq" "$here/blind/blind.jq")
summary() { # NUMBER LAB_FOLDER
    at() { [ -s "$1" ] && echo "$1" || echo /dev/null; }
    jq -n --argjson number "$1" --slurpfile lab "$2/lab.json" \
        --slurpfile study "$(at "$2/study.json")" --slurpfile links "$(at "$2/links.json")" \
        --slurpfile runs "$(at "$2/runs.json")" --slurpfile truth "$(at "$2/study/truth.json")" \
        "$filters"' summary($number; $lab[0]; $study[0]; $links[0]; $runs[0]; $truth[0])' >"$2/summary.json"
}

summaries=()
for ((i = from; i <= count; i++)); do
    lab=$folder/$i drawn=$(draw "$i")
    mkdir -p "$lab"
    [ ! -s "$lab/lab.json" ] || [ "$drawn" = "$(cat "$lab/lab.json")" ] ||
        { echo "bench/blind.sh: $lab holds another lab; use another folder" >&2 && exit 2; }
    echo "$drawn" >"$lab/lab.json"
    [ -s "$lab/study.json" ] || study "$lab"
    if [ -s "$lab/study.json" ]; then
        "$bin/bench_truth" compare "$lab/study/truth.json" "$lab/study/profile.json" >"$lab/links.json"
        [ -s "$lab/runs.json" ] || choices "$lab"
    fi
    summary "$i" "$lab"
    summaries+=("$lab/summary.json")
    jq -r "$filters lab_text" "$lab/summary.json"
done
jq -s "$filters over_all" "${summaries[@]}" >"$folder/over_all.json"
jq -r .text "$folder/over_all.json"
jq -e .met "$folder/over_all.json" >/dev/null

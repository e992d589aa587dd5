#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/hostile.sh BUILD SEED COUNT [FOUND]: COUNT trials drawn from SEED of what the user's surroundings may hold: profiles
# whose fields were edited, files cut off or with flipped bytes, site folders, host files, files of other kinds, wrong
# variables, and limits of the shell, each before a command that meets it, some under a launcher with the preload library.
# Every command must end by itself within LIMIT_S seconds of processor time (default 20), and ten times as many of any kind,
# with status 0 to 3, with one line where that is 2 or 3, and without control characters in what it prints. Prints the
# trials that do not; their files are kept in FOUND. No trial begins after END_S seconds.
# Needs jq; tests/bad_inputs has other kinds.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
[[ $# -ge 3 ]] || { echo "usage: bench/hostile.sh BUILD SEED COUNT [FOUND]" >&2; exit 2; }
build=$(cd "$1" && pwd) seed=$2 count=$3 found=${4:-}
[[ -z $found ]] || { mkdir -p "$found" && found=$(cd "$found" && pwd); }
alltold=$build/bin/alltold program=$build/bin/preload_some limit_s=${LIMIT_S:-20}
good=$(mktemp -d) work=$(mktemp -d)
trap 'rm -rf "$good" "$work"' EXIT
export HOME=$work/home LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME "${!ALLTOLD_@}"

# A store, its profile with rules, a study's folder, a site, and what else commands read.
mkdir "$good/study" "$good/home"
"$alltold" import osu "$here/tests/fuzz/corpus/import/osu" --clusters 8 -o "$good/study.db" >/dev/null 2>&1
jq '.rules = ["bcast:any = bcast.binomial", "alltoall:1KiB- = alltoall.direct"]' \
    "$here/tests/fuzz/corpus/profile/signature.json" >"$good/profile.json"
cp "$good/study.db" "$good/profile.json" "$good/study"
"$alltold" site init "$good/site" "$good/study" >/dev/null 2>&1
printf '# cluster: a\nh1 slots=2\nh2\n# cluster: b\nh3\n' >"$good/hosts"
printf 'bcast:any = bcast.binomial\nalltoall:1KiB- = alltoall.direct | mpi loop=1.1\n' >"$good/rules"
printf '0 64 1\n2 0 3\n4 5 0\n' >"$good/matrix"
printf '[[0, 64], [64, 0]]\n' >"$good/digraph"
printf '{"alltold_lab": 1, "clusters": "2"}\n' >"$good/truth.json"

RANDOM=$seed
pick() { # WORD...: one of them, in $picked
    local words=("$@")
    picked=${words[RANDOM * 32768 + RANDOM > 0 ? (RANDOM * 32768 + RANDOM) % $# : 0]}
}
nasty() { # A value that nothing expects, in $nasty.
    local values=("" " " "-" "-1" "0" "nan" "1e999" "99999999999999999999" $'\e[31mred\e[0m' $'\e]0;title\a' $'a\rb' $'two\nlines'
        $'\xff\xfe' $'\xe2\x80\xaeright to left' "../../../etc/passwd" "/dev/zero" "/dev/full" "/proc/self/mem" "$work/pipe"
        "$work" "$work/circle" "@none" "@gigabit-ethernet-2007" "%s%n%d" '$(reboot)' "a=b" "any = " "alltoall:any = alltoall.direct"
        "bcast:any = bcast.binomial segment=1" "6+6" "1x1" "1000000x1000000" "off" "all" "explain" "profile:$work/pipe"
        "explain:$work/none/file" "$(printf '%*s' 5000 '' | tr ' ' x)" "$(printf '%*s' 20000 '' | tr ' ' '[')" "$work/profile.json"
        "$work/study.db" "$work/hosts" "$work/site" "$work/large")
    pick "${values[@]}"
    nasty=$picked
}
damage() { # FILE: cuts it off, or changes, repeats or adds bytes.
    local size at
    size=$(stat -c %s "$1")
    at=$(((RANDOM * 32768 + RANDOM) % (size + 1)))
    case $((RANDOM % 5)) in
    0) truncate -s "$at" "$1" ;;
    1) for ((i = 0; i <= RANDOM % 4; ++i)); do
        printf "\\x$(printf %02x $((RANDOM % 256)))" |
            dd of="$1" bs=1 seek=$(((RANDOM * 32768 + RANDOM) % (size + 1))) conv=notrunc status=none
    done ;;
    2) head -c "$at" "$1" >>"$1.part" && cat "$1.part" >>"$1" && rm "$1.part" ;;
    3) truncate -s +$((RANDOM * 100)) "$1" ;;
    4) nasty && printf '%s' "$nasty" >>"$1" ;;
    esac
}
edit_json() { # FILE: another value at a random place, or a member more or fewer.
    local values=(null true '"text"' '"\u001b[31m"' '""' -1 0 1e308 -1e308 99999999999999999999 '[]' '{}' '[[]]' '{"value":1}'
        '["\u001b[2J"]' '"\u202e"' 1e-320 0.5 2000000000)
    pick "${values[@]}"
    local how=". as \$all | [paths] | .[$((RANDOM * 32768 + RANDOM)) % length] as \$at | \$all"
    case $((RANDOM % 4)) in
    0) how+=" | delpaths([\$at])" ;;
    *) how+=" | setpath(\$at; $picked)" ;;
    esac
    jq "$how" "$1" >"$1.new" 2>/dev/null && mv "$1.new" "$1"
}
other_kind() { # FILE: something else at its place.
    rm -rf "$1"
    case $((RANDOM % 7)) in
    0) mkfifo "$1" ;;
    1) mkdir "$1" ;;
    2) ln -s "$1" "$1" ;;
    3) ln -s /dev/zero "$1" ;;
    4) truncate -s 3G "$1" ;;
    5) : >"$1" ;;
    6) ;;
    esac
}
inputs=(profile.json study.db hosts rules matrix digraph truth.json study/profile.json study/study.db site/*/hosts site/*/*.json)
launch=("$here/tests/mpi_launch" mpirun 2)
commands() { # FILE: a command that reads it, in $command.
    local readers=()
    case $1 in
    profile.json | study/profile.json) readers=("predict $1 alltoall -n 4 -m 1KiB" "rank $1 bcast -n 4 -m 1KiB"
        "export simgrid $1" "export openmpi $1" "diff $1 profile.json" "validate study.db $1" "exec --profile $1 -- true"
        "run-program $1") ;;
    study.db | study/study.db) readers=("export csv $1" "export csv $1" "export csv $1" "export csv $1" "export csv $1" "fit $1 -o out.json" "fit $1 -o out.json"
        "report $1 -o out.html" "diff $1 study.db") ;;
    hosts) readers=("exec --hostfile $1 -- true" "run-program profile.json") ;;
    rules) readers=("exec --rules $1 -- true" "lint $1" "run-program profile.json") ;;
    matrix) readers=("predict profile.json alltoallv -n 3 --matrix $1") ;;
    digraph) readers=("predict profile.json exchange --digraph $1") ;;
    truth.json) readers=("rank profile.json bcast -n 4 -m 1KiB") ;;
    site*) readers=("site show" "site show" "run-program") ;;
    esac
    pick "${readers[@]}"
    read -ra command <<<"$picked"
}
variables=(ALLTOLD_PROFILE ALLTOLD_RULES ALLTOLD_CLUSTERS ALLTOLD_HOSTFILE ALLTOLD_LOG ALLTOLD_LOG_FILE ALLTOLD_COMPARE ALLTOLD_SITE
    ALLTOLD_LAB_TRUTH OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK SLURM_PROCID SLURM_TOPOLOGY_ADDR HOME XDG_CONFIG_HOME TMPDIR
    COLUMNS TERM LC_ALL)
draw() { # A trial: the files, variables in $setting, $command and $limit.
    rm -rf "${work:?}"
    cp -r "$good" "$work"
    mkfifo "$work/pipe"
    ln -s circle "$work/circle"
    truncate -s 100M "$work/large"
    setting=() limit=()
    pick "${inputs[@]}"
    local file=$picked files=("$work"/$picked)
    commands "$file"
    kind=$((RANDOM % 6))
    case $kind in
    0 | 1) [[ $file == *.json ]] && edit_json "${files[0]}" || damage "${files[0]}" ;;
    2) damage "${files[0]}" ;;
    3) other_kind "${files[0]}" ;;
    4) nasty && pick "${variables[@]}" && setting=("$picked=$nasty") ;;
    5) pick "-f 1" "-f 8" "-n 8" "-v 300000" "-s 512" && read -ra limit <<<"$picked" ;;
    esac
    [[ $file != site* || $kind == 4 ]] || setting=("ALLTOLD_SITE=$work/site")
    case ${command[0]} in
    run-program) # a launcher has its own ways with limits
        limit=()
        [[ ${#command[@]} -eq 1 || $kind == 4 ]] || setting+=("ALLTOLD_PROFILE=$work/${command[1]}")
        [[ $file != hosts && $file != rules || $kind == 4 ]] || setting+=("ALLTOLD_${file^^}=$work/$file")
        setting=("${setting[@]/ALLTOLD_HOSTS=/ALLTOLD_HOSTFILE=}")
        command=("${launch[@]}" env "${setting[@]}" "$alltold" exec -- "$program" 4) setting=() ;;
    *) command=("$alltold" "${command[@]}") ;;
    esac
}
failed=0
for ((trial = 1; trial <= count && SECONDS < ${END_S:-1000000}; ++trial)); do
    draw
    (cd "$work" && { [[ ${#limit[@]} -eq 0 ]] || ulimit "${limit[@]}"; } &&
        ulimit -t "$limit_s" && timeout -k 2 $((10 * limit_s)) env "${setting[@]}" "${command[@]}" >"$good/out" 2>"$good/err" </dev/null)
    status=$? wrong=""
    [[ $status -le 3 ]] || wrong="status $status"
    if [[ $status -ge 2 && ${command[0]} == "$alltold" && ${command[1]} != exec ]]; then
        [[ $(wc -l <"$good/err") -eq 1 && $(head -c 9 "$good/err") == "alltold: " ]] || wrong+=" not one line"
    fi
    if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]' "$good/out" "$good/err"; then
        wrong+=" control characters"
    fi
    [[ -z $wrong ]] && continue
    failed=$((failed + 1))
    printf 'trial %s: %s: %q' "$trial" "$wrong" "$(basename "${command[0]}")"
    printf ' %q' "${setting[@]:0}" "${limit[@]:0}" "${command[@]:1}" | cut -c1-600
    echo
    head -c 600 "$good/err" | cat -v | head -4
    [[ -z $found ]] || { rm -rf "$found/$trial" && cp -r "$work" "$found/$trial" 2>/dev/null; }
done
echo "$((trial - 1)) trials of seed $seed: $failed failed, $SECONDS s"
[[ $failed -eq 0 ]]

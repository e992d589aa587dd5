#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/advance.sh BUILD_BIN SOURCE OUT [LAB [SIZES [SECONDS]]]: all-to-alls among several ranks per host: the variants
# of MPI Advance, the MPI library's and alltold's, shuffled in one program (bench/advance.cpp) per lab and size, right
# after a barrier: the fastest of each, median times and repetitions. Needs a lab (docs/lab.md), cmake and jq.
#   SOURCE   a checkout of github.com/mpi-advance/locality_aware, which is built in OUT
#   LAB      eight: 8x3, 20 Mbit, 64 KiB per switch port    two: 4x3+4x3, 20 Mbit, 64 KiB; 60 Mbit, 5 ms, 256 KiB
#            table: no run, the table of all that OUT holds (default)
#   SIZES    bytes of a block (64,1024,8192,65536)
#   SECONDS  for each size (80). Runs of one lab and size add up.
# ALGORITHMS names alltold's, separated by commas.
set -euo pipefail
bin=$(cd "$1" && pwd) source=$(cd "$2" && pwd) out=$3 lab=${4:-table} sizes=${5:-64,1024,8192,65536} seconds=${6:-80}
here=$(dirname "$(readlink -f "$0")")
algorithms=${ALGORITHMS:-alltoall.direct,alltoall.host_leader,alltoall.host_leaders,alltoall.host_shared,alltoall.paced}
mkdir -p "$out" && out=$(cd "$out" && pwd)

# A variant that was dropped after few calls is not among the best.
table() {
    printf '| lab | m | MPI Advance, fastest | time | n | MPI_Alltoall | n | alltold, fastest | time | n'
    printf ' | alltold / MPI Advance | alltold / MPI_Alltoall |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n'
    cat "$out"/*.run.json | jq -rs -L "$here/lib" '
        include "times";
        def two: . * 100 | round / 100;
        def size: if . >= 1024 then "\(. / 1024) KiB" else "\(.) B" end;
        def time: if . >= 1 then "\(two) s" else "\(. * 1000 | two) ms" end;
        group_by([.lab, .size_bytes])[] | .[0] as $first |
        [[.[].results[]] | group_by(.name)[] | {name: .[0].name, times_s: [.[].times_s[]]} | select(.times_s != [])
            | . + {n: (.times_s | length), time_s: (.times_s | median)}] |
        ([.[].n] | max) as $most |
        ([.[] | select(.n * 2 >= $most and (.name | startswith("advance.")))] | min_by(.time_s)) as $advance |
        ([.[] | select(.n * 2 >= $most and (.name | startswith("alltoall.")))] | min_by(.time_s)) as $alltold |
        ([.[] | select(.name == "mpi")][0]) as $mpi |
        select($mpi and $advance and $alltold) |
        "| \($first.lab) | \($first.size_bytes | size)"
        + " | `\($advance.name | ltrimstr("advance."))` | \($advance.time_s | time) | \($advance.n)"
        + " | \($mpi.time_s | time) | \($mpi.n)"
        + " | `\($alltold.name | ltrimstr("alltoall."))` | \($alltold.time_s | time) | \($alltold.n)"
        + " | \($alltold.time_s / $advance.time_s | two) | \($alltold.time_s / $mpi.time_s | two) |"'
}

build() {
    [ -e "$out/locality_aware/liblocality_aware.a" ] || {
        CC=mpicc.openmpi CXX=mpicxx.openmpi cmake -S "$source" -B "$out/locality_aware" -DCMAKE_BUILD_TYPE=Release \
            -DBENCHMARKS=OFF -DENABLE_UNIT_TESTS=OFF
        cmake --build "$out/locality_aware" -j2 --target locality_aware
    } >&2
    [ "$out/advance" -nt "$here/advance.cpp" ] ||
        mpicxx.openmpi -std=c++20 -O2 -w -I"$source/include" -I"$here/../include" "$here/advance.cpp" \
            "$out/locality_aware/liblocality_aware.a" -L"$bin/../lib" -Wl,-rpath,"$bin/../lib" -lalltold \
            -o "$out/advance"
}

case $lab in
eight) shape=(--clusters 8x3 --nic 20Mbit --buffer 64KiB) clusters=24 ;;
two) shape=(--clusters 4x3+4x3 --nic 20Mbit --buffer 64KiB --wan "60Mbit,5ms,256KiB") clusters=12+12 ;;
table) table && exit ;;
*) echo "bench/advance.sh: '$lab' is none of eight, two, table" >&2 && exit 2 ;;
esac
build
export ALLTOLD_PROFILE=$out/$lab.profile.json
# shellcheck disable=SC2016 # expanded inside the lab
inside='
    jq -f "$1" "$ALLTOLD_LAB_TRUTH" >"$ALLTOLD_PROFILE"
    for size in ${4//,/ }; do
        timeout $(($5 + 60)) mpirun -x ALLTOLD_PROFILE -n 24 "$2" "$3" "$size" "$5" ${6//,/ } </dev/null
    done'
"$bin/alltold" lab "${shape[@]}" -- bash -c "$inside" - "$here/truth_profile.jq" "$out/advance" "$clusters" "$sizes" \
    "$seconds" "$algorithms" </dev/null >"$out/$lab.new"
for size in ${sizes//,/ }; do # the lab may say that this machine is busy, after the braces
    sed -n '/^{/,/}$/p' "$out/$lab.new" | jq -es --arg lab "${shape[1]}" --argjson size "$size" \
        '.[] | select(.size_bytes == $size) | {lab: $lab} + .' >"$out/$lab-$size-$(date +%s).run.json"
done
table

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/torture.sh BUILD MPIEXEC RANKS SEEDS [CALLS [THREADS]]: tests/preload/torture under the preload library
# of BUILD with each seed of SEEDS (first-last), CALLS random calls each (default 1000), one line a seed.
# A seed that differs, fails or takes more than SEED_S seconds (default 300) is said with its output, and the
# others go on. No seed begins after LIMIT_S seconds (default: none). 100,000 calls on 5 ranks:
#   bench/torture.sh build/release mpirun 5 1-100
# MPICH: MPI=mpich bench/torture.sh build/mpich mpirun.mpich 3 1-100
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) launcher=$2 ranks=$3 first=${4%-*} last=${4#*-} calls=${5:-1000} threads=${6:-1}
preload=$build/lib/alltold/${MPI:-openmpi}/liballtold-preload.so
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
right=() wrong=()
for ((seed = first; seed <= last && SECONDS < ${LIMIT_S:-1000000}; ++seed)); do
    begun=$SECONDS
    if output=$(timeout "${SEED_S:-300}" "$here/../tests/preload/torture/run" "$launcher" "$ranks" \
        "${ALLTOLD:-$build/bin/alltold}" "$preload" "$build/bin/torture" "$seed" "$calls" "$threads" 2>&1); then
        right+=("$seed")
        echo "seed $seed: right, $((SECONDS - begun)) s"
    else
        wrong+=("$seed")
        printf 'seed %s: wrong or too slow, %s s\n%s\n' "$seed" $((SECONDS - begun)) "$output"
    fi
done
echo "$ranks ranks, $calls calls of $threads threads each: ${#right[@]} seeds right ($((${#right[@]} * calls * threads)) calls)," \
    "${#wrong[@]} wrong${wrong[*]:+: ${wrong[*]}}, seeds $first to $((seed - 1)), $SECONDS s"
((${#wrong[@]} == 0))

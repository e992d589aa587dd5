#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/torture.sh BUILD MPIEXEC RANKS SEEDS [CALLS [THREADS [FORMS]]]: tests/preload/torture under the preload library
# of BUILD with each seed of SEEDS (first-last), CALLS random calls each (default 1000), of all FORMS or of blocking ones
# only, one line a seed. A seed that differs, fails or takes more than SEED_S seconds (default 300) runs once more without
# the preload library: if the MPI library alone fails too, it is skipped and counted, else it is said with its output, and
# the others go on. No seed begins after LIMIT_S seconds (default: none). 100,000 calls on 5 ranks:
#   bench/torture.sh build/release mpirun 5 1-100
# MPICH, whose build or that for Open MPI will do:
#   MPI=mpich bench/torture.sh build/release mpirun.mpich 5 1-100 1000 1 blocking
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) launcher=$2 ranks=$3 first=${4%-*} last=${4#*-} calls=${5:-1000} threads=${6:-1} forms=${7:-all}
preload=$build/lib/alltold/${MPI:-openmpi}/liballtold-preload.so torture=$build/bin/torture
[ ! -x "${torture}_${MPI:-}" ] || torture+=_$MPI
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:verify_asan_link_order=0}
[ ! -e "$build/tests/libnapping.so" ] || export NAPPING=${NAPPING-$build/tests/libnapping.so}
right=() wrong=() skipped=()

run() { # PRELOAD: one seed
    timeout "${SEED_S:-300}" "$here/../tests/preload/torture/run" "$launcher" "$ranks" "${ALLTOLD:-$build/bin/alltold}" "$1" \
        "$torture" "$seed" "$calls" "$threads" "$forms" 2>&1
}

for ((seed = first; seed <= last && SECONDS < ${LIMIT_S:-1000000}; ++seed)); do
    begun=$SECONDS
    if output=$(run "$preload"); then
        right+=("$seed")
        echo "seed $seed: right, $((SECONDS - begun)) s"
    elif ! run "" >/dev/null; then
        skipped+=("$seed")
        echo "seed $seed: the MPI library alone is wrong or too slow, $((SECONDS - begun)) s"
    else
        wrong+=("$seed")
        printf 'seed %s: wrong or too slow, %s s\n%s\n' "$seed" $((SECONDS - begun)) "$output"
    fi
done
echo "$ranks ranks, $calls calls of $threads threads each: ${#right[@]} seeds right ($((${#right[@]} * calls * threads)) calls)," \
    "${#skipped[@]} skipped${skipped[*]:+: ${skipped[*]}}, ${#wrong[@]} wrong${wrong[*]:+: ${wrong[*]}}," \
    "seeds $first to $((seed - 1)), $SECONDS s"
((${#wrong[@]} == 0))

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/reductions.sh BUILD_BIN OUT [LAB [COLLECTIVE [BUDGET]]]: allgather, the reductions and barrier: all of alltold's
# algorithms and the MPI library's shuffled in one run per lab, right after a barrier: time over the bound, over the
# library's default and its best, and lost packets. Needs a lab (docs/lab.md).
#   LAB         one: 12 hosts, 50 Mbit, 64 KiB per switch port    slow: the same with 20 Mbit, where two processors keep up
#               two: 6+6, unequal: 3+7; both 20 Mbit and 64 KiB, joined by 80 Mbit, 10 ms, 256 KiB
#               table: no run, the table of all that OUT holds (default)
#   COLLECTIVE  allreduce (default), allgather, reduce, reduce_scatter_block, scan, exscan, barrier
#   BUDGET      of the run (60s)
set -euo pipefail
bin=$(cd "$1" && pwd) out=$2 lab=${3:-table} collective=${4:-allreduce} budget=${5:-60s}
mkdir -p "$out"
. "$(dirname "$(readlink -f "$0")")/lib/run_table.sh"

case $lab in
one) shape=(--clusters 12 --nic 50Mbit --buffer 64KiB) ranks=12 between= ;;
slow) shape=(--clusters 12 --nic 20Mbit --buffer 64KiB) ranks=12 between= ;;
two) shape=(--clusters 6+6 --nic 20Mbit --buffer 64KiB --wan 80Mbit,10ms,256KiB) ranks=12 between=1 ;;
unequal) shape=(--clusters 3+7 --nic 20Mbit --buffer 64KiB --wan 80Mbit,10ms,256KiB) ranks=10 between=1 ;;
table) table "$out" && exit ;;
*) echo "bench/reductions.sh: '$lab' is none of one, slow, two, unequal, table" >&2 && exit 2 ;;
esac
case $collective in
barrier)
    algorithms=flat,binomial,dissemination,recursive_doubling${between:+,clustered}
    library=linear,recursive_doubling,tree sizes=()
    ;;
allgather)
    algorithms=ring,bruck,direct,neighbor_exchange${between:+,clustered}
    library=linear,bruck,ring,neighbor sizes=(-m 64,8KiB,64KiB)
    ;;
allreduce)
    algorithms=flat,recursive_doubling,circulant,ring${between:+,clustered,clustered_short}
    library=basic_linear,recursive_doubling,ring,rabenseifner sizes=(-m 8,8KiB,64KiB,1MiB)
    ;;
reduce)
    algorithms=binomial,circulant,chain_segmented${between:+,clustered,clustered_short}
    library=linear,pipeline,binomial,rabenseifner sizes=(-m 8,8KiB,64KiB,1MiB)
    ;;
reduce_scatter_block)
    algorithms=ring,circulant${between:+,clustered}
    library=basic_linear,recursive_halving,butterfly sizes=(-m 64,8KiB,64KiB)
    ;;
scan | exscan) algorithms=recursive_doubling,chain_segmented library=linear,recursive_doubling sizes=(-m 8,8KiB,64KiB,1MiB) ;;
*) echo "bench/reductions.sh: '$collective' is no allgather, reduction or barrier" >&2 && exit 2 ;;
esac
algorithms=$collective.${algorithms//,/,$collective.},mpi,mpi.${library//,/,mpi.}
"$bin/alltold" lab "${shape[@]}" -- timeout 145 mpirun -n "$ranks" "$bin/alltold" run "$collective" \
    --algorithm "$algorithms" "${sizes[@]}" --keep-within 3 --start barrier --budget "$budget" --json </dev/null |
    sed -n '/^{/,/^}/p' >"$out/$lab-$collective.new" # the lab may say that this machine is busy, after the braces
mv "$out/$lab-$collective.new" "$out/$lab-$collective.json"
table "$out"

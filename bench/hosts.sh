#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/hosts.sh BUILD_BIN OUT [LAB [COLLECTIVE [BUDGET]]]: collectives with several ranks per host, alltold's
# algorithms and the MPI library's shuffled in one run per lab, right after a barrier: time over the bound of the
# hosts' ports, over the library's default and its best, and lost packets. Needs a lab (docs/lab.md).
#   LAB         eight: 8x3, 20 Mbit, 64 KiB per switch port    two: 4x3+4x3, 20 Mbit, 64 KiB; 60 Mbit, 5 ms, 256 KiB
#               unequal: 1x4/1x3/1/1x4, 20 Mbit, 64 KiB        table: no run, the table of all that OUT holds (default)
#   COLLECTIVE  alltoall (default), bcast, scatter, gather
#   BUDGET      of the run (100s)
set -euo pipefail
bin=$(cd "$1" && pwd) out=$2 lab=${3:-table} collective=${4:-alltoall} budget=${5:-100s}
mkdir -p "$out"

. "$(dirname "$(readlink -f "$0")")/lib/run_table.sh"

case $lab in
eight) shape=(--clusters 8x3 --nic 20Mbit --buffer 64KiB) ranks=24 ;;
two) shape=(--clusters 4x3+4x3 --nic 20Mbit --buffer 64KiB --wan "60Mbit,5ms,256KiB") ranks=24 ;;
unequal) shape=(--clusters 1x4/1x3/1/1x4 --nic 20Mbit --buffer 64KiB) ranks=12 ;;
table) table "$out" && exit ;;
*) echo "bench/hosts.sh: '$lab' is none of eight, two, unequal, table" >&2 && exit 2 ;;
esac
case $collective in
alltoall)
    algorithms=alltoall.host_leader,alltoall.host_leaders,alltoall.host_shared,alltoall.paced,mpi,mpi.linear,mpi.pairwise,mpi.modified_bruck,mpi.linear_sync
    sizes=64,1KiB,8KiB,64KiB
    ;;
bcast) algorithms=bcast.host_chain,bcast.host_binomial,bcast.circulant,mpi,mpi.binomial,mpi.pipeline sizes=64,64KiB,1MiB ;;
scatter | gather) algorithms=$collective.hosts,$collective.flat,$collective.binomial,mpi sizes=64,8KiB,64KiB ;;
*) echo "bench/hosts.sh: '$collective' is none of alltoall, bcast, scatter, gather" >&2 && exit 2 ;;
esac
"$bin/alltold" lab "${shape[@]}" -- timeout 145 mpirun -n "$ranks" "$bin/alltold" run "$collective" \
    --algorithm "$algorithms" -m "$sizes" --start barrier --budget "$budget" --json </dev/null |
    sed -n '/^{/,/^}/p' >"$out/$lab-$collective.new" # the lab may say that this machine is busy, after the braces
mv "$out/$lab-$collective.new" "$out/$lab-$collective.json"
table "$out"

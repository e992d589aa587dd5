#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/reductions.sh BUILD_BIN OUT [LAB [COLLECTIVE [BUDGET]]]: allgather, the reductions and barrier: all of alltold's
# algorithms and the MPI library's shuffled in one run per lab, right after a barrier: time over the bound, over the
# library's default and its best, and lost packets. Needs a lab (docs/lab.md).
#   LAB         one: 12 hosts, 50 Mbit, 64 KiB per switch port    two: 6+6, unequal: 3+7; both 20 Mbit and 64 KiB, joined
#               by 80 Mbit, 10 ms    table: no run, the table of all that OUT holds (default)
#   COLLECTIVE  allreduce (default), allgather, reduce, reduce_scatter_block, scan, exscan, barrier
#   BUDGET      of the run (100s)
set -euo pipefail
bin=$(cd "$1" && pwd) out=$2 lab=${3:-table} collective=${4:-allreduce} budget=${5:-100s}
mkdir -p "$out"
. "$(dirname "$(readlink -f "$0")")/lib/run_table.sh"

case $lab in
one) shape=(--clusters 12 --nic 50Mbit --buffer 64KiB) ranks=12 ;;
two) shape=(--clusters 6+6 --nic 20Mbit --buffer 64KiB --wan "80Mbit,10ms") ranks=12 ;;
unequal) shape=(--clusters 3+7 --nic 20Mbit --buffer 64KiB --wan "80Mbit,10ms") ranks=10 ;;
table) table "$out" && exit ;;
*) echo "bench/reductions.sh: '$lab' is none of one, two, unequal, table" >&2 && exit 2 ;;
esac
case $collective in
barrier) sizes=() ;;
allgather | reduce_scatter_block) sizes=(-m 64,8KiB,64KiB) ;;
allreduce | reduce | scan | exscan) sizes=(-m 8,8KiB,64KiB,1MiB) ;;
*) echo "bench/reductions.sh: '$collective' is no allgather, reduction or barrier" >&2 && exit 2 ;;
esac
"$bin/alltold" lab "${shape[@]}" -- timeout 145 mpirun -n "$ranks" "$bin/alltold" run "$collective" \
    --algorithm everything "${sizes[@]}" --keep-within 3 --start barrier --budget "$budget" --json </dev/null |
    sed -n '/^{/,/^}/p' >"$out/$lab-$collective.new" # the lab may say that this machine is busy, after the braces
mv "$out/$lab-$collective.new" "$out/$lab-$collective.json"
table "$out"

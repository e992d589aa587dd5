#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/order.sh BUILD_BIN [START [SIZES]]: what the order of posting is worth. Two hosts by hand
# (bench_order), then all-to-alls of alltold, which posts sends first, beside the MPI library's own, right
# after a barrier (START: barrier or silence) on 12 hosts with 64 KiB per switch port and on 4 with 256 KiB, and
# the library's with a larger eager limit: time over the bound. Needs a lab (docs/lab.md).
set -euo pipefail
bin=$(cd "$1" && pwd) start=${2:-barrier} sizes=${3:-64KiB,256KiB}

"$bin/alltold" lab --clusters 2 --nic 50Mbit -- mpirun -n 2 "$bin/bench_order" </dev/null
algorithms=alltoall.direct,alltoall.rotated,alltoall.pairwise,alltoall.paced,"alltoall.paced segment=1MiB",mpi
printf '| hosts | m | algorithm | time/bound | packets lost |\n|---|---|---|---|---|\n'
timed() { # HOSTS BUFFER ALGORITHMS SECONDS LABEL
    "$bin/alltold" lab --clusters "$1" --nic 50Mbit --buffer "$2" -- mpirun -n "$1" \
        "$bin/alltold" run alltoall --algorithm "$3" -m "$sizes" --start "$start" --budget "$4s" --json </dev/null |
        sed -n '/^{/,/^}/p' | # the lab may say that this machine is busy, after the braces
        jq -r --arg hosts "$1" --arg setting "$5" '
            def two: . * 100 | round / 100;
            def more($name; $value; $unit): if ($value // 0) > 0 then " \($name)=\($value)\($unit)" else "" end;
            .results | sort_by(.size_bytes, .algorithm)[] |
            "| \($hosts) | \(.size_bytes / 1024) KiB | \(.algorithm)\(more("segment"; (.segment_bytes // 0) / 1024; "KiB"))" +
            "\(more("window"; .window; ""))\($setting) | \(.time_over_bound | two) | \(.port_drops | two) |"'
}
for lab in "12 64KiB" "4 256KiB"; do
    read -r hosts buffer <<<"$lab"
    timed "$hosts" "$buffer" "$algorithms" 40 ""
    OMPI_MCA_btl_tcp_eager_limit=1048576 timed "$hosts" "$buffer" mpi 10 ", eager limit 1 MiB"
done

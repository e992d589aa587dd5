#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/growth.sh BUILD_BIN [RATE [BUDGET]]: whether alltoall.paced's time over bound stays constant as
# the work grows: 4, 12 and 16 hosts at 64 and 256 KiB per pair, and 64 KiB to 1 MiB on 8 hosts, links of RATE
# (50Mbit), 64 KiB per switch port, BUDGET for each lab (12s). Needs a lab (docs/lab.md).
set -euo pipefail
bin=$(cd "$1" && pwd) rate=${2:-50Mbit} budget=${3:-12s}
take() { # hosts sizes
    "$bin/alltold" lab --clusters "$1" --nic "$rate" --buffer 64KiB -- timeout 100 mpirun -n "$1" \
        "$bin/alltold" run alltoall --algorithm alltoall.paced --without-mpi -m "$2" --start barrier \
        --budget "$budget" --json </dev/null 2>/dev/null | sed -n '/^{/,/^}/p' |
        jq -r '.ranks as $n | .results[] | "\($n) hosts, \(.size_bytes / 1024) KiB: time/bound " +
               "\(.time_over_bound * 1000 | round / 1000), lost \(.port_drops * 10 | round / 10)"'
}
for hosts in 4 12 16; do take $hosts 64KiB,256KiB; done
take 8 64KiB,128KiB,256KiB,512KiB,1MiB

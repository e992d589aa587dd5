#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/overlap.sh BUILD_BIN OUT [NAME=VALUE...] [-- LAB OPTION...]: how much of nonblocking collectives hides behind work: wall
# time of start, work without MPI, wait, with the MPI library's own, with `alltold exec` and with its thread
# (ALLTOLD_PROGRESS=on), beside the longer of work and bound. Options and OUT are those of bench/loops.sh, with other defaults:
# nine collectives of 1 to 256 KiB, with work of 0.5, 1 and 2 times what the library takes without work, 10 s a loop (3 hours).
#   bench/overlap.sh build/release/bin out collectives=ialltoall sizes=65536 patterns=300
set -euo pipefail
exec "$(dirname "$0")/loops.sh" "$1" "$2" variants=library,profile,progress \
    collectives=ibcast,iscatter,igather,ialltoall,iallgather,ireduce,iallreduce,ireduce_scatter_block,iscan \
    sizes=1024,4096,16384,65536,262144 'patterns=0.5x;1x;2x' seconds=10 "${@:3}"

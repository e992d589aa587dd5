#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/turns.sh BUILD_BIN [NIC [HOSTS [SIZES]]]: in which order messages leave a host that hands them over at once.
# Rank 0 of a lab scatters blocks by scatter.flat; the repetition of median time is shown. A row per size:
# when each block had arrived, in order, as multiples of the time one message takes on a link. Messages that leave one
# after the other arrive at 1, 2, 3, ... and a little; connections that take turns at nearly the same time.
#   NIC    rate of the hosts' links (10Mbit)
#   HOSTS  in one cluster (5)
#   SIZES  bytes of a block (1400,2800,5000,10000,20000,65536)
set -euo pipefail
bin=$(cd "$1" && pwd) nic=${2:-10Mbit} hosts=${3:-5} sizes=${4:-1400,2800,5000,10000,20000,65536}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bit_per_s=$(($(numfmt --from=si "${nic%bit}")))
for size in ${sizes//,/ }; do
    "$bin/alltold" lab --clusters "$hosts" --nic "$nic" --buffer 256KiB -- env OMPI_MCA_orte_execute_quiet=1 mpirun -n "$hosts" \
        "$bin/alltold" run scatter.flat -m "$size" --repetitions 20 --without-mpi --trace "$dir/trace" >"$dir/log" ||
        { cat "$dir/log" >&2; exit 1; }
    jq -r --argjson rate "$bit_per_s" --argjson size "$size" '
        # Frames of 1514 bytes with 1448 of TCP payload, 48 of a message before its data.
        (($size + 48 + 66 * ((($size + 48) / 1448) | ceil)) * 8 / $rate) as $one_s |
        [.traceEvents[] | select(.name == "receive") | (.ts + .dur) / 1e6 / $one_s] | sort |
        "\($size) B: " + (map(. * 100 | round / 100 | tostring) | join(" "))' "$dir/trace"
done

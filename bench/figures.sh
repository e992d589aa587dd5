#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/figures.sh BUILD_BIN: figures of the papers reproduced in a lab of 12 hosts, as tables of
# measurements and predictions from single messages. Needs a lab (docs/lab.md).
#   BM04 Fig. 5: broadcasts under pLogP    BM04 Fig. 9: scatters under pLogP
#   TW99 Fig. 2: broadcast under LogP and under the cluster model (a binomial tree of one packet)
#   TW99 Fig. 4 and 5: bench/gather.sh
set -euo pipefail
bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck disable=SC2016 # expanded inside the lab
there='
bin=$1 work=$2
take() { mpirun -n 12 "$bin/alltold" measure "$work/net.db" "$@" >&2; }
take --only p2p,plogp,cluster,links --budget 60s
take --only collectives --collective bcast -n 4,12 -m 1KiB,16KiB,64KiB,256KiB,1MiB \
    --algorithm "bcast.flat,bcast.binomial,bcast.chain,bcast.chain_segmented segment=8KiB,bcast.binomial_segmented segment=8KiB" \
    --repetitions 10 --budget 60s
take --only collectives --collective scatter -n 4,12 -m 1KiB,16KiB,64KiB,256KiB \
    --algorithm "scatter.flat,scatter.chain,scatter.binomial" --repetitions 10 --budget 45s
"$bin/alltold" fit "$work/net.db" -o "$work/profile.json" >&2
for model in plogp cluster; do
    printf "\nunder %s\n" $model
    "$bin/alltold" validate "$work/net.db" "$work/profile.json" --algorithm-model $model
done'
exec "$bin/alltold" lab --clusters 12 --nic 50Mbit --buffer 64KiB -- \
    bash -c "$there" - "$bin" "$work"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/discovery.sh BUILD_BIN [FROM [TO]]: starts twenty labs of different shapes, or those numbered
# FROM to TO, and finds the clusters of each by probing. Exit status 1 if any result is wrong. Needs a lab (docs/lab.md).
set -uo pipefail
bin=$(cd "$1" && pwd) from=${2:-1} to=${3:-20}

# clusters, NIC, backbone (rate, one-way delay, queue), how ranks are placed
labs=(
    "2       50Mbit  200Mbit,5ms,512KiB    ordered"
    "3       20Mbit  200Mbit,5ms,512KiB    ordered"
    "5       100Mbit 200Mbit,5ms,512KiB    ordered"
    "8       20Mbit  200Mbit,5ms,512KiB    ordered"
    "12      50Mbit  200Mbit,5ms,512KiB    ordered"
    "6+6     50Mbit  200Mbit,5ms,512KiB    ordered"
    "6+6     50Mbit  200Mbit,5ms,512KiB    in-turn"
    "6+6     100Mbit 200Mbit,1ms,512KiB    in-turn"
    "2+2     20Mbit  50Mbit,10ms,256KiB    in-turn"
    "1+5     50Mbit  200Mbit,5ms,512KiB    ordered"
    "5+1     20Mbit  100Mbit,20ms,512KiB   ordered"
    "3+7     50Mbit  200Mbit,10ms,512KiB   in-turn"
    "3+7     100Mbit 100Mbit,1ms,512KiB    ordered"
    "4+8     20Mbit  80Mbit,20ms,512KiB    in-turn"
    "4+8+4   50Mbit  200Mbit,5ms,512KiB    in-turn"
    "2+2+2   20Mbit  100Mbit,2ms,256KiB    in-turn"
    "1+1+4   50Mbit  200Mbit,10ms,512KiB   ordered"
    "6+6     50Mbit  20Mbit,200us,512KiB   in-turn"
    "4+4     100Mbit 20Mbit,0ms,512KiB     in-turn"
    "3+4+5   50Mbit  50Mbit,1ms,512KiB     in-turn"
)

# Dealt out like cards: a1 b1 a2 b2 ...
# shellcheck disable=SC2016 # expanded inside the lab
find_there='
hosts=/dev/shm/lab/openmpi-hosts
if [ "$1" = in-turn ]; then
    hosts=/dev/shm/lab/in-turn
    awk "{ print substr(\$1, 2), \$0 }" /dev/shm/lab/openmpi-hosts | sort -n -s |
        cut -d" " -f2- >"$hosts"
fi
exec timeout 60 env OMPI_MCA_orte_execute_quiet=1 mpirun --hostfile "$hosts" -n "$ALLTOLD_LAB_HOSTS" "$2"'

right=0 all=0
for ((i = from; i <= to; ++i)); do
    read -r clusters nic wan placed <<<"${labs[i - 1]}"
    all=$((all + 1))
    printf '%2d  %-6s %-8s %-20s %-8s ' "$i" "$clusters" "$nic" "$wan" "$placed"
    if "$bin/alltold" lab --clusters "$clusters" --nic "$nic" --wan "$wan" -- \
        sh -c "$find_there" sh "$placed" "$bin/bench_discovery" </dev/null 2>"${TMPDIR:-/tmp}/discovery.$$"; then
        right=$((right + 1))
    else
        cat "${TMPDIR:-/tmp}/discovery.$$"
    fi
    rm -f "${TMPDIR:-/tmp}/discovery.$$"
done
echo "$right of $all right"
[ "$right" = "$all" ]

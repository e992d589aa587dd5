#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/mismeasured.sh BUILD_BIN CASE [START [BUDGET]]: alltoall.paced and the library's default in a
# network that differs from the profile. Needs a lab (docs/lab.md), jq and,
# for traffic, python3.
#   CASE   buffer: 12 hosts, 50 Mbit, switch ports of 32 KiB; the profile has 64 KiB
#          backbone: 6+6, 20 Mbit, 64 KiB; 20 Mbit across, 10 ms, 256 KiB; the profile has 80 Mbit
#          traffic, traffic-two: as in the profile (12; 6+6 with 80 Mbit), but every host also sends
#          UDP to its neighbour at a fifth of its link's rate
#   START  barrier (default) or silence    BUDGET  of the run (60s)
set -euo pipefail
bin=$(cd "$1" && pwd) case=$2 start=${3:-barrier} budget=${4:-60s} here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flat=(--clusters 12 --nic 50Mbit) two=(--clusters 6+6 --nic 20Mbit --buffer 64KiB) mbit=0
case $case in
buffer) said=("${flat[@]}" --buffer 64KiB) is=("${flat[@]}" --buffer 32KiB) sizes=16KiB,64KiB,256KiB ;;
backbone) said=("${two[@]}" --wan "80Mbit,10ms,256KiB") is=("${two[@]}" --wan "20Mbit,10ms,256KiB") sizes=32KiB,128KiB ;;
traffic) said=("${flat[@]}" --buffer 64KiB) is=("${said[@]}") sizes=16KiB,64KiB,256KiB mbit=10 ;;
traffic-two) said=("${two[@]}" --wan "80Mbit,10ms,256KiB") is=("${said[@]}") sizes=32KiB,128KiB mbit=4 ;;
*) echo "bench/mismeasured.sh: '$case' is none of buffer, backbone, traffic, traffic-two" >&2 && exit 2 ;;
esac

# shellcheck disable=SC2016 # expanded inside the lab
"$bin/alltold" lab "${said[@]}" -- sh -c 'cat "$ALLTOLD_LAB_TRUTH"' | sed -n '/^{/,/^}/p' |
    jq -f "$here/truth_profile.jq" >"$work/profile.json"
cat >"$work/send.py" <<'PYTHON'
import socket, sys, time
to, rate = (sys.argv[1], 9), float(sys.argv[2]) * 1e6 / 8
out, packet, sent, start = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), bytes(1472), 0, time.time()
while True:
    while sent < rate * (time.time() - start):
        try:
            out.sendto(packet, to)
        except OSError:
            pass  # refused: no one listens there
        sent += 1514
    time.sleep(0.002)
PYTHON
# shellcheck disable=SC2016 # expanded inside the lab
there='
bin=$1 work=$2 sizes=$3 start=$4 budget=$5 mbit=$6 here=$7
if [ "$mbit" != 0 ]; then
    jq -r ".hosts | . as \$all | range(length) | \"\(\$all[.].name) \(\$all[(. + 1) % (\$all | length)].address)\"" \
        "$ALLTOLD_LAB_TRUTH" | while read -r host neighbour; do
        ssh $host python3 "$work/send.py" $neighbour "$mbit" </dev/null &
    done
    sleep 1
fi
timeout 145 mpirun -n 12 "$bin/alltold" run alltoall --algorithm alltoall.paced -m $sizes \
    --profile "$work/profile.json" --goodput $(jq .nic.rate_bit_per_s "$ALLTOLD_LAB_TRUTH")bit \
    --start $start --budget $budget </dev/null'
echo "$case, $start"
"$bin/alltold" lab "${is[@]}" -- bash -c "$there" - "$bin" "$work" "$sizes" "$start" "$budget" "$mbit" "$here"

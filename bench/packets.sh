#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/packets.sh BUILD_BIN DIR [SIZES [HOSTS [QUEUES [SEEDS [LIMIT]]]]]: where LG (Jeannot and Steffenel 2007)
# gains over a plain exchange once packets are lost. Simulates alltoall.direct and alltoall.lg across two clusters packet
# by packet, in SimGrid on its ns-3 model, beside what `rank` predicts from the same links. Raw results stay in DIR
# and are not simulated again.
#   SIZES    bytes per pair (65536,524288,16777216)
#   HOSTS    a side (2,5,10,20,30)
#   QUEUES   packets in front of every port and of the backbone (100,10000)
#   SEEDS    of the instants at which ranks enter (1)
#   LIMIT    seconds after which a simulation is given up; its row says so (600)
# Hosts at 1 Gbit/s, 50 us from their switch; the backbone carries 10 Gbit/s and takes 10 ms.
# Needs bench_packets, which is built where CMake finds SimGrid (Debian: libsimgrid-dev), and jq.
set -euo pipefail
bin=$(cd "$1" && pwd) dir=$2 sizes=${3:-65536,524288,16777216} hosts=${4:-2,5,10,20,30} queues=${5:-100,10000}
seeds=${6:-1} limit=${7:-600} here=$(cd "$(dirname "$0")" && pwd)
packet_bytes=1502 payload_bytes=1448
mkdir -p "$dir"
[ -x "$bin/bench_packets" ] || { echo "packets.sh: no $bin/bench_packets: install libsimgrid-dev, build again" >&2; exit 3; }

platform() { # HOSTS: two switches, and one link for each route between neighbours, as ns-3 wants it
    local i ranks=$((2 * $1))
    echo '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
    echo '<platform version="4.1"><zone id="all" routing="Floyd">'
    for ((i = 0; i < ranks; i++)); do echo "<host id=\"host$i\" speed=\"1Gf\"/>"; done
    echo '<router id="switch0"/><router id="switch1"/><link id="backbone" bandwidth="10Gbps" latency="10ms"/>'
    for ((i = 0; i < ranks; i++)); do echo "<link id=\"port$i\" bandwidth=\"1Gbps\" latency=\"50us\"/>"; done
    for ((i = 0; i < ranks; i++)); do
        echo "<route src=\"host$i\" dst=\"switch$((i >= $1))\"><link_ctn id=\"port$i\"/></route>"
    done
    echo '<route src="switch0" dst="switch1"><link_ctn id="backbone"/></route></zone></platform>'
}

simulate() { # HOSTS BYTES ALGORITHM QUEUE SEED: seconds, or nothing where they would take too long
    local kept=$dir/$1-$2-$3-$4-$5
    if [ ! -e "$kept" ]; then
        platform "$1" >"$dir/$1.xml"
        # A buffer shorter than a flow would stall it; Linux waits for no less than 200 ms.
        local buffer_bytes=67108864
        NS_ATTRIBUTE_DEFAULT="ns3::DropTailQueue<Packet>::MaxSize=$4p;ns3::TcpSocketBase::MinRto=200ms;\
ns3::TcpSocket::SndBufSize=$buffer_bytes;ns3::TcpSocket::RcvBufSize=$buffer_bytes" \
            timeout "$limit" "$bin/bench_packets" "$dir/$1.xml" "$1" "$1" "$2" "$3" "$5" \
            --cfg=network/model:ns-3 --log=root.thresh:error >"$kept.part" ||
            { [ $? = 124 ] && : >"$kept.part"; } || { echo "packets.sh: $kept failed" >&2; return 0; }
        mv "$kept.part" "$kept"
    fi
    cat "$kept"
}

predict() { # HOSTS BYTES QUEUE: {algorithm: seconds} on the same links
    jq -n --arg clusters "$1+$1" --argjson queue $(($3 * packet_bytes)) \
        --argjson payload $payload_bytes --argjson packet $packet_bytes '
        ($payload / $packet) as $share |
        {$clusters, nic: {goodput_byte_per_s: (125e6 * $share)}, switch: {port_buffer_bytes: $queue},
         wan: {goodput_byte_per_s: (1250e6 * $share), one_way_delay_s: 0.01, queue_bytes: $queue}}' |
        jq -f "$here/truth_profile.jq" >"$dir/profile.json"
    "$bin/alltold" rank "$dir/profile.json" alltoall --clusters "$1+$1" -m "$2" --json |
        jq -c '[.candidates[] | {(.algorithm): .time_s.value}] | add'
}

echo "| queue, packets | m, bytes | hosts a side | packets: direct, s | lg, s | direct / lg | links model: direct, s | lg, s | direct / lg |"
echo "|---|---|---|---|---|---|---|---|---|"
for queue in ${queues//,/ }; do for m in ${sizes//,/ }; do for n in ${hosts//,/ }; do
    for seed in ${seeds//,/ }; do for algorithm in alltoall.direct alltoall.lg; do
        jq -n --arg algorithm $algorithm --arg time "$(simulate "$n" "$m" $algorithm "$queue" "$seed")" '{$algorithm, $time}'
    done; done | jq -sr --arg row "| $queue | $m | $n |" --argjson links "$(predict "$n" "$m" "$queue")" '
        def shown: if . == null then "-" else . * 1e4 | round / 1e4 | tostring end;
        def ratio($a; $b): if $a == null or $b == null then "-" else $a / $b * 100 | round / 100 | tostring end;
        def median: sort | .[length / 2 | floor];
        . as $all | def of($name): [$all[] | select(.algorithm == $name and .time != "").time | tonumber] | median;
        of("alltoall.direct") as $direct | of("alltoall.lg") as $lg |
        $links["alltoall.direct"] as $d | $links["alltoall.lg"] as $l |
        "\($row) \($direct | shown) | \($lg | shown) | \(ratio($direct; $lg)) | \($d | shown) | \($l | shown) | \(ratio($d; $l)) |"'
done; done; done

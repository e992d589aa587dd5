// SPDX-License-Identifier: BSD-3-Clause
// The tables of probes and of kinds. A new probe is a file in probes/ and a row here.
#include <algorithm>
#include <array>
#include <cassert>

#include "campaign/probe.hpp"
#include "campaign/probes/collectives.hpp"
#include "campaign/probes/copy.hpp"
#include "campaign/probes/crowd.hpp"
#include "campaign/probes/flood.hpp"
#include "campaign/probes/pingpong.hpp"
#include "campaign/probes/plogp.hpp"
#include "campaign/probes/receive.hpp"
#include "campaign/probes/send.hpp"

namespace alltold::measure {

std::span<const Kind> kinds() {
    static constexpr std::array all{
        Kind{"p2p", 2, "ping-pongs between pairs of hosts"},
        Kind{"plogp", 2, "costs of a send call, a receive call and a train of messages"},
        Kind{"links", 3,
             "link rates, switch buffers and the backbone: trains, concurrent flows, UDP floods"},
        Kind{"cluster", 2,
             "TW99's cluster model: overheads, gaps, concurrent pairs, memory copies"},
        Kind{"collectives", 9, "collectives on several numbers of hosts"},
    };
    return all;
}

std::span<const Probe> probes() {
    static const std::array all{
        pingpong_probe(),
        plogp_send_probe(),
        plogp_receive_probe(),
        plogp_gap_probe(),
        plogp_round_trip_probe(),
        send_call_probe(),
        send_overhead_probe(),
        train_probe(),
        fetch_probe(),
        background_probe(),
        converge_probe(),
        pairs_probe(),
        copy_probe(),
        flood_probe(),
        flows_probe(),
        backbone_flood_probe(),
        bcast_probe(),
        scatter_probe(),
        gather_probe(),
        alltoall_probe(),
    };
    return all;
}

const Probe& probe_of(const Point& point) {
    const auto all = probes();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Probe& probe) { return probe.name == point.probe; });
    assert(found != all.end());
    return *found;
}

} // namespace alltold::measure

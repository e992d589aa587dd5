// SPDX-License-Identifier: BSD-3-Clause
// The tables of probes and of kinds. A new probe is a file in probes/ and a row here.
#include <algorithm>
#include <array>
#include <cassert>

#include "measure/probe.hpp"
#include "measure/probes/alltoall.hpp"
#include "measure/probes/pingpong.hpp"

namespace alltold::measure {

std::span<const Kind> kinds() {
    static constexpr std::array all{
        Kind{"p2p", 2, "ping-pongs between pairs of hosts"},
        Kind{"collectives", 3, "collectives on several sets of hosts"},
    };
    return all;
}

std::span<const Probe> probes() {
    static const std::array all{
        pingpong_probe(),
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

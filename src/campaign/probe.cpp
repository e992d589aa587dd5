// SPDX-License-Identifier: BSD-3-Clause
// The tables of probes, which CMake fills from the names of files in probes/, and of kinds.
#include <iterator>

#include "campaign/probe.hpp"

namespace alltold::campaign {

#define ALLTOLD_PROBES(file) std::vector<Probe> file##_probes();
#include "probe_rows.inc"
#undef ALLTOLD_PROBES

std::span<const Kind> kinds() {
    static constexpr std::array all{
        Kind{"p2p", 2, "ping-pongs between pairs of hosts, and between ranks on one host", true},
        Kind{"plogp", 2, "costs of a send call, a receive call and a train of messages", true},
        Kind{"links", 3,
             "link rates, switch buffers and the backbone: trains, concurrent flows, UDP floods",
             true},
        Kind{"cluster", 2,
             "TW99's cluster model: overheads, gaps, concurrent pairs, memory copies"},
        Kind{"collectives", 9, "collectives on several numbers of hosts"},
    };
    return all;
}

std::span<const Probe> probes() {
    static const auto all = [] {
        std::vector<Probe> rows;
#define ALLTOLD_PROBES(file) std::ranges::move(file##_probes(), std::back_inserter(rows));
#include "probe_rows.inc"
#undef ALLTOLD_PROBES
        return rows;
    }();
    return all;
}

const Probe& probe_of(const Point& point) {
    const auto all = probes();
    const auto collective = CollectiveProbe::parse(point.probe);
    const auto name = collective ? name_of(collective->collective) : point.probe;
    const auto found = std::ranges::find(all, name, &Probe::name);
    assert(found != all.end());
    return *found;
}

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// Segments follow each other along a chain of hosts and along a chain within each host.
#include "schedule/algorithms/host_tree.hpp"
#include "schedule/segment.hpp"

namespace alltold::bcast_host_chain {
namespace {

// Within a host a chain as well: each rank copies every segment once, so no leader that also has
// its host's port to serve copies it for all the others.
Schedule generate(const Task& task) {
    return segmented(broadcast_by_hosts(task, chain_tree, chain_tree),
                     task.parameters.segment_bytes);
}

} // namespace

extern const Algorithm row{
    .name = "bcast.host_chain",
    .collective = Collective::bcast,
    .wins = "long messages to several ranks per host: every host's port carries every byte once "
            "each way",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .hosts = Algorithm::Use::must,
};

} // namespace alltold::bcast_host_chain

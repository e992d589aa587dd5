// SPDX-License-Identifier: BSD-3-Clause
// Hosts reduce to one rank each; these send what they have to the host of the root.
#include "schedule/algorithms/through_heads.hpp"

namespace alltold::reduce_hosts_short {
namespace {

Schedule generate(const Task& task) {
    return reduce_through_heads(task, Level::host);
}

} // namespace

extern const Algorithm row{
    .name = "reduce.hosts_short",
    .collective = Collective::reduce,
    .wins = "short vectors, several ranks per host: one latency between hosts, one message from "
            "each",
    .generate = generate,
    .hosts = Algorithm::Use::must,
    .in_order = true,
};

} // namespace alltold::reduce_hosts_short

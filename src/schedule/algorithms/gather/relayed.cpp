// SPDX-License-Identifier: BSD-3-Clause
// Binomial gathers in all clusters, then one message from the first rank of each to the root.
#include "schedule/algorithms/relayed.hpp"

namespace alltold::gather_relayed {
namespace {

Schedule generate(const Task& task) {
    return relayed_gather(task, Level::cluster, "gather.binomial");
}

} // namespace

extern const Algorithm row{
    .name = "gather.relayed",
    .collective = Collective::gather,
    .wins = "short messages from many ranks in clusters: trees, then one message per cluster",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::gather_relayed

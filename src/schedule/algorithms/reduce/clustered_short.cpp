// SPDX-License-Identifier: BSD-3-Clause
// Clusters reduce to one rank each; these send what they have to the cluster of the root.
#include "schedule/algorithms/through_heads.hpp"

namespace alltold::reduce_clustered_short {
namespace {

Schedule generate(const Task& task) {
    return reduce_through_heads(task, Level::cluster);
}

} // namespace

extern const Algorithm row{
    .name = "reduce.clustered_short",
    .collective = Collective::reduce,
    .wins = "short vectors on clusters: one latency between clusters",
    .generate = generate,
    .clusters = Algorithm::Use::must,
    .in_order = true,
};

} // namespace alltold::reduce_clustered_short

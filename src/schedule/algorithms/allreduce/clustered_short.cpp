// SPDX-License-Identifier: BSD-3-Clause
// Clusters reduce to one rank each; these exchange what they have and spread the result.
#include "schedule/algorithms/through_heads.hpp"

namespace alltold::allreduce_clustered_short {
namespace {

Schedule generate(const Task& task) {
    return through_heads(task, Level::cluster, Heads::direct);
}

} // namespace

extern const Algorithm row{
    .name = "allreduce.clustered_short",
    .collective = Collective::allreduce,
    .wins = "short vectors on clusters: one latency between clusters, both ways at once",
    .generate = generate,
    .clusters = Algorithm::Use::must,
    .in_order = true,
};

} // namespace alltold::allreduce_clustered_short

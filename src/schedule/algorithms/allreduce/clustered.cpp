// SPDX-License-Identifier: BSD-3-Clause
// Clusters reduce to shares, exchange these at once, and spread the results.
#include "schedule/algorithms/by_groups.hpp"

namespace alltold::allreduce_clustered {
namespace {

Schedule generate(const Task& task) {
    return allreduce_by_groups(task, Level::cluster);
}

} // namespace

extern const Algorithm row{
    .name = "allreduce.clustered",
    .collective = Collective::allreduce,
    .wins = "long vectors on clusters: all ranks share the backbone, which carries every byte once "
            "each way",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::allreduce_clustered

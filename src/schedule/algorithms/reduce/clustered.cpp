// SPDX-License-Identifier: BSD-3-Clause
// Clusters reduce to shares, which cross to the cluster of the root and along a chain to it.
#include "schedule/algorithms/by_groups.hpp"

namespace alltold::reduce_clustered {
namespace {

Schedule generate(const Task& task) {
    return reduce_by_groups(task, Level::cluster);
}

} // namespace

extern const Algorithm row{
    .name = "reduce.clustered",
    .collective = Collective::reduce,
    .wins = "long vectors on clusters: all ranks of a cluster share the backbone, no port carries "
            "a byte twice",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::reduce_clustered

// SPDX-License-Identifier: BSD-3-Clause
// Blocks are combined in each cluster and cross once to the cluster of their rank.
#include "schedule/algorithms/by_groups.hpp"

namespace alltold::reduce_scatter_block_clustered {
namespace {

Schedule generate(const Task& task) {
    return reduce_scatter_block_by_groups(task, Level::cluster);
}

} // namespace

extern const Algorithm row{
    .name = "reduce_scatter_block.clustered",
    .collective = Collective::reduce_scatter_block,
    .wins = "clusters: combined before they cross, over all ranks at once",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::reduce_scatter_block_clustered

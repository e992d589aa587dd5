// SPDX-License-Identifier: BSD-3-Clause
// Binomial gathers in all clusters, then one message from the first rank of each to the root.
#include "schedule/algorithms/embedding.hpp"
#include "schedule/algorithms/local_cluster.hpp"

namespace alltold::gather_relayed {
namespace {

Schedule generate(const Task& task) {
    Builder builder;
    if (task.size_bytes == 0)
        return std::move(builder).finish();
    const LocalCluster cluster(task);
    const Region own{Buffer::send, 0, task.size_bytes};
    Region blocks = cluster.blocks(Buffer::receive);
    if (task.rank == task.root)
        for (const int other : cluster.others())
            builder.receive(cluster.blocks(Buffer::receive, other), cluster.head(other));
    else if (cluster.is_head())
        blocks = builder.scratch(blocks.size_bytes);
    const auto there =
        embed(builder, cluster.schedule("gather.binomial"), {cluster.first(), own, blocks});
    if (cluster.is_head() && !cluster.has_root())
        builder.send(blocks, task.root, {there});
    return std::move(builder).finish();
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

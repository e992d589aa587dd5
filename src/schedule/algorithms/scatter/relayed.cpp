// SPDX-License-Identifier: BSD-3-Clause
// One message to the first rank of each cluster, then binomial scatters in all clusters.
#include "schedule/algorithms/embedding.hpp"
#include "schedule/algorithms/local_cluster.hpp"

namespace alltold::scatter_relayed {
namespace {

// Messages to other clusters leave first. The blocks of a cluster are contiguous in the root's
// buffer, so the root copies nothing.
Schedule generate(const Task& task) {
    Builder builder;
    if (task.size_bytes == 0)
        return std::move(builder).finish();
    const LocalCluster cluster(task);
    const Region own{Buffer::receive, 0, task.size_bytes};
    Step here = no_step;
    Region blocks = cluster.blocks(Buffer::send);
    if (task.rank == task.root)
        for (const int other : cluster.others())
            builder.send(cluster.blocks(Buffer::send, other), cluster.head(other));
    else if (cluster.is_head()) {
        blocks = builder.scratch(blocks.size_bytes);
        here = builder.receive(blocks, task.root);
    }
    embed(builder, cluster.schedule("scatter.binomial"), {cluster.first(), blocks, own}, here);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "scatter.relayed",
    .collective = Collective::scatter,
    .wins = "short messages to many ranks in clusters: one message per cluster, then trees",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::scatter_relayed

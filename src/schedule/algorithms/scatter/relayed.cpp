// SPDX-License-Identifier: BSD-3-Clause
// One message to each cluster, to its first rank, and binomial scatters in all of them.
#include "schedule/algorithms/cluster_part.hpp"
#include "schedule/algorithms/embedding.hpp"

namespace alltold {
namespace {

// What must go far leaves first. A cluster's blocks are neighbours in the root's buffer, so that
// nothing is copied there.
Schedule generate(const Task& task) {
    Builder builder;
    if (task.size_bytes == 0)
        return std::move(builder).finish();
    const ClusterPart part(task);
    const Region own{Buffer::receive, 0, task.size_bytes};
    Step here = no_step;
    Region blocks = part.blocks(Buffer::send);
    if (task.rank == task.root)
        for (const int other : part.others())
            builder.send(part.blocks(Buffer::send, other), part.head(other));
    else if (part.is_head()) {
        blocks = builder.scratch(blocks.size_bytes);
        here = builder.receive(blocks, task.root);
    }
    embed(builder, part.schedule("scatter.binomial"), {part.first(), blocks, own}, here);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm scatter_relayed{
    .name = "scatter.relayed",
    .collective = Collective::scatter,
    .wins = "short messages to many ranks in clusters: one crossing per cluster, then trees",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Binomial gathers in all clusters, and one message from each, from its first rank, to the root.
#include "schedule/algorithms/cluster_part.hpp"
#include "schedule/algorithms/embedding.hpp"

namespace alltold {
namespace {

Schedule generate(const Task& task) {
    Builder builder;
    if (task.size_bytes == 0)
        return std::move(builder).finish();
    const ClusterPart part(task);
    const Region own{Buffer::send, 0, task.size_bytes};
    Region blocks = part.blocks(Buffer::receive);
    if (task.rank == task.root)
        for (const int other : part.others())
            builder.receive(part.blocks(Buffer::receive, other), part.head(other));
    else if (part.is_head())
        blocks = builder.scratch(blocks.size_bytes);
    const auto there =
        embed(builder, part.schedule("gather.binomial"), {part.first(), own, blocks});
    if (part.is_head() && !part.has_root())
        builder.send(blocks, task.root, {there});
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm gather_relayed{
    .name = "gather.relayed",
    .collective = Collective::gather,
    .wins = "short messages from many ranks in clusters: trees, then one crossing per cluster",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold

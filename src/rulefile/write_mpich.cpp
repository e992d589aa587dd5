// SPDX-License-Identifier: BSD-3-Clause
// Puts bands of ranks before the decisions that MPICH has built in.
#include <fmt/format.h>

#include "rulefile/exported.hpp"
#include "rulefile/mpich_tree.hpp"

namespace alltold::rulefile {
namespace {

MpichNode algorithm_node(Collective collective, std::string_view name) {
    const auto where = name == "nb" ? "allcomm" : "intra";
    return {fmt::format("algorithm={}{}_{}", mpich_prefix(name_of(collective)), where, name)};
}

/// One communicator size up to the next: the sizes of the band, or the decisions built in.
void add_band(MpichNode& into, const ExportedBand& band, const MpichNode& built_in) {
    into.branches.push_back({fmt::format("comm_size<={}", band.to_ranks)});
    auto& sizes = into.branches.back();
    for (std::size_t i = 0; i < band.rules.size(); ++i) {
        const bool last = i + 1 == band.rules.size();
        MpichNode node{last ? "avg_msg_size=any"
                            : fmt::format("avg_msg_size<={}", band.rules[i + 1].from_bytes - 1)};
        const auto& choice = band.rules[i].choice;
        if (choice.is_default())
            node.branches = built_in.branches;
        else
            node.branches.push_back(algorithm_node(band.collective, choice.library));
        sizes.branches.push_back(std::move(node));
    }
}

} // namespace

std::string mpich_json(const Exported& exported, const Target& target) {
    auto tree = mpich_defaults(target);
    for (const auto collective : {Collective::bcast, Collective::alltoall}) {
        auto* node = &tree.branch(fmt::format("collective={}", name_of(collective)))
                          .branch("comm_type=intra");
        if (collective == Collective::alltoall)
            node = &node->branch("is_sendbuf_inplace=no");
        const MpichNode built_in = *node;
        MpichNode bands{node->key};
        int next = 2;
        for (const auto& band : exported.bands) {
            if (band.collective != collective)
                continue;
            if (band.from_ranks > next)
                bands.branches.push_back(
                    {fmt::format("comm_size<={}", band.from_ranks - 1), built_in.branches});
            add_band(bands, band, built_in);
            next = band.to_ranks + 1;
        }
        if (bands.branches.empty())
            continue;
        bands.branches.push_back({"comm_size=any", built_in.branches});
        *node = std::move(bands);
    }
    return text_of(tree);
}

} // namespace alltold::rulefile

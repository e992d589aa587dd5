// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts along one tree of all ranks, in one message each, in segments, or after a request and
// a reply.
#include <bit>

#include "schedule/algorithms/tree.hpp"
#include "schedule/segments.hpp"

namespace alltold::bcast_trees {
namespace {

/// Level by level: a place p of a level of L places has the children p + L and p + 2 L.
TreeNode interleaved_tree(int place, int ranks) {
    const std::int64_t level = std::bit_floor(static_cast<std::uint32_t>(place) + 1);
    TreeNode node;
    if (place > 0)
        node.parent = static_cast<int>(place - (place < 3 * level / 2 - 1 ? level / 2 : level));
    for (const auto child : {place + level, place + 2 * level})
        if (child < ranks)
            node.children.push_back(static_cast<int>(child));
    return node;
}

/// Place p's parent is p without its highest bit; its children are p + 2^k for every 2^k above p.
TreeNode doubling_tree(int place, int ranks) {
    TreeNode node;
    std::int64_t step = 1;
    for (; step <= place; step *= 2)
        node.parent = static_cast<int>(place - step);
    for (; place + step < ranks; step *= 2)
        node.children.push_back(static_cast<int>(place + step));
    return node;
}

constexpr std::int64_t radix = 4;

/// Place p's parent is p with its lowest digit that is not 0 cleared; its children are
/// p + d radix^k for 0 < d < radix and every radix^k below that digit.
TreeNode knomial_tree(int place, int ranks) {
    TreeNode node;
    std::int64_t unit = 1;
    while (place > 0 ? place / unit % radix == 0 : unit < ranks)
        unit *= radix;
    if (place > 0)
        node.parent = static_cast<int>(place - place / unit % radix * unit);
    for (unit /= radix; unit > 0; unit /= radix)
        for (std::int64_t child = place + unit;
             child < std::min<std::int64_t>(place + radix * unit, ranks); child += unit)
            node.children.push_back(static_cast<int>(child));
    return node;
}

constexpr TreeStyle one_by_one{}, at_once{.one_by_one = false};
constexpr TreeStyle one_by_one_when_ready{.rendezvous = true};
constexpr TreeStyle at_once_when_ready{.one_by_one = false, .rendezvous = true};

template <Tree tree, TreeStyle style>
Schedule whole(const Task& task) {
    return broadcast_along(task, tree, style);
}

template <Tree tree, TreeStyle style>
Schedule in_segments(const Task& task) {
    return segmented(broadcast_along(task, tree, style), task.parameters.segment_bytes);
}

constexpr Algorithm table[]{
    // A binary tree (Barchet-Steffenel and Mounie 2004, table 1).
    {
        .name = "bcast.binary",
        .wins = "many ranks and medium messages, where no rank should send more than twice",
        .generate = whole<binary_tree, one_by_one>,
    },
    // A binary tree whose levels interleave their subtrees: Open MPI's binary tree.
    {
        .name = "bcast.binary_interleaved",
        .wins = "medium messages, as bcast.binary; other pairs of ranks exchange them, which "
                "matters over several clusters",
        .generate = whole<interleaved_tree, at_once>,
    },
    // A binomial tree, largest subtree first (Barchet-Steffenel and Mounie 2004, table 1).
    {
        .name = "bcast.binomial",
        .wins = "short messages to many ranks: log2 n rounds, in which every rank that has the "
                "data sends",
        .generate = whole<binomial_tree, one_by_one>,
    },
    // A binomial tree whose distances double from the root on: Open MPI's binomial broadcast.
    {
        .name = "bcast.binomial_doubling",
        .wins = "short messages to many ranks where start-ups are short: log2 n levels, and every "
                "rank sends to all its children at once",
        .generate = whole<doubling_tree, at_once>,
    },
    // The binomial tree with a request and a reply before each message (Barchet-Steffenel and
    // Mounie 2004).
    {
        .name = "bcast.binomial_rendezvous",
        .wins = "as binomial, where receivers must be ready before a long message arrives",
        .generate = whole<binomial_tree, one_by_one_when_ready>,
    },
    // The binomial tree with messages cut into segments that pipeline (Barchet-Steffenel and Mounie
    // 2004).
    {
        .name = "bcast.binomial_segmented",
        .wins = "medium messages to many ranks, long enough to be worth pipelining",
        .generate = in_segments<binomial_tree, one_by_one>,
        .segment = Algorithm::Use::must,
    },
    // Every rank passes the message to the next one (Barchet-Steffenel and Mounie 2004, table 1).
    {
        .name = "bcast.chain",
        .wins = "two or three ranks; otherwise the baseline for chain_segmented",
        .generate = whole<chain_tree, one_by_one>,
    },
    // The chain with a request and a reply before each hop (Barchet-Steffenel and Mounie 2004).
    {
        .name = "bcast.chain_rendezvous",
        .wins = "as chain, where the next rank must be ready before a long message arrives",
        .generate = whole<chain_tree, one_by_one_when_ready>,
    },
    // The pipeline: a chain whose segments follow each other (Barchet-Steffenel and Mounie 2004).
    {
        .name = "bcast.chain_segmented",
        .wins = "long messages: every link carries every byte once, whatever the number of ranks",
        .generate = in_segments<chain_tree, one_by_one>,
        .segment = Algorithm::Use::must,
    },
    // The root sends to every rank itself (Barchet-Steffenel and Mounie 2004, table 1).
    {
        .name = "bcast.flat",
        .wins = "few ranks and short messages: one latency, but the root sends all bytes",
        .generate = whole<flat_tree, at_once>,
    },
    // The flat tree with a request and a reply before each message (Barchet-Steffenel and Mounie
    // 2004).
    {
        .name = "bcast.flat_rendezvous",
        .wins = "few ranks that must be ready before a long message arrives",
        .generate = whole<flat_tree, at_once_when_ready>,
    },
    // The flat tree with messages cut into segments (Barchet-Steffenel and Mounie 2004).
    {
        .name = "bcast.flat_segmented",
        .wins = "few ranks on a network that handles long messages badly, such as by overrunning "
                "buffers",
        .generate = in_segments<flat_tree, at_once>,
        .segment = Algorithm::Use::must,
    },
    // A k-nomial tree of radix 4, largest subtree first: Open MPI's knomial.
    {
        .name = "bcast.knomial",
        .wins = "short messages to many ranks where a latency is several gaps: log4 n levels, up "
                "to 3 messages per rank and level",
        .generate = whole<knomial_tree, at_once>,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::bcast_trees

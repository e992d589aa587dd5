// SPDX-License-Identifier: BSD-3-Clause
// Reductions send the bytes, and take the rounds, that the papers count.
#include <algorithm>
#include <bit>

#include <gtest/gtest.h>

#include "powers.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/matching.hpp"

using namespace alltold;
using test::ceil_log2;
using test::is_power_of_two;

namespace {

struct ReductionCounts {
    int rounds = 0;                  ///< of at most one message per rank and direction
    std::vector<std::uint64_t> sent; ///< bytes per rank
    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const auto bytes : sent)
            sum += bytes;
        return sum;
    }
    std::uint64_t most() const { return *std::ranges::max_element(sent); }
    std::uint64_t least() const { return *std::ranges::min_element(sent); }
};

/// The rounds that messages take where each rank sends one at a time and receives one at a time, in
/// the order of its operations.
class PortRounds {
  public:
    explicit PortRounds(const std::vector<Schedule>& schedules)
        : schedules_(schedules), matching_(schedules) {
        EXPECT_FALSE(matching_.pair_up());
        rounds_.resize(static_cast<std::size_t>(matching_.size()), unknown);
    }

    int last() {
        int most = 0;
        for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(schedules_.size()); ++rank)
            for (std::int32_t step = 0; step < of(rank).size(); ++step)
                most = std::max(most, done({rank, step}));
        return most;
    }

  private:
    static constexpr int unknown = -1, asked = -2;
    const Schedule& of(int rank) const { return schedules_[static_cast<std::size_t>(rank)]; }

    /// The round after which an operation is complete.
    int done(Place at) {
        auto& round = rounds_[static_cast<std::size_t>(matching_.index(at.rank, at.step))];
        if (round == asked)
            ADD_FAILURE() << "rank " << at.rank << ", step " << at.step << " waits for itself";
        if (round != unknown)
            return round;
        round = asked;
        int most = started(at);
        if (of(at.rank)[at.step].is_message())
            most = 1 + std::max(most, started(matching_.partner(at.rank, at.step)));
        return round = most;
    }
    int started(Place at) {
        int most = 0;
        for (const auto earlier : of(at.rank).after(at.step))
            most = std::max(most, done({at.rank, earlier}));
        const auto kind = of(at.rank)[at.step].kind;
        if (kind != Kind::send && kind != Kind::receive)
            return most;
        for (auto step = at.step; step-- > 0;)
            if (of(at.rank)[step].kind == kind)
                return std::max(most, done({at.rank, step}));
        return most;
    }

    const std::vector<Schedule>& schedules_;
    Matching matching_;
    std::vector<int> rounds_; ///< per operation
};

constexpr Reduction elements{.unit_bytes = 4, .commutative = true};
constexpr Reduction ordered{.unit_bytes = 4, .commutative = false};

ReductionCounts reduction_counts_of(const char* name, int ranks, std::uint64_t size, int root = 0,
                                    const Reduction& reduction = elements) {
    const auto& algorithm = **find_algorithm(name);
    const auto spec = Specification::of(algorithm.collective, ranks, root, size, reduction);
    const Parameters parameters{.segment_bytes =
                                    algorithm.segment == Algorithm::Use::must ? size : 0};
    EXPECT_TRUE(accepts(algorithm, algorithm.collective, ranks, -1, parameters, reduction));
    const auto schedules = schedules_of(algorithm, spec, parameters);
    const auto fault = check(spec, schedules);
    EXPECT_FALSE(fault) << name << ", " << ranks << " ranks: " << fault->text();
    ReductionCounts counts{PortRounds(schedules).last(), {}};
    for (const auto& schedule : schedules) {
        counts.sent.push_back(0);
        for (const auto& operation : schedule.operations())
            if (operation.kind == Kind::send)
                counts.sent.back() += operation.region.size_bytes;
    }
    return counts;
}

class EveryCount : public testing::TestWithParam<int> {
  protected:
    int n = GetParam();
    int q = ceil_log2(n);
    std::uint64_t part = 12;
    std::uint64_t size = part * static_cast<std::uint64_t>(n);
    std::uint64_t others = static_cast<std::uint64_t>(n - 1);
};

TEST_P(EveryCount, ReduceSendsEveryVectorOnce) {
    for (const int root : {0, n / 2, n - 1})
        for (const auto* name : {"reduce.flat", "reduce.binomial", "reduce.binary_segmented",
                                 "reduce.chain_segmented", "reduce.circulant"}) {
            const auto counts = reduction_counts_of(name, n, size, root);
            EXPECT_EQ(counts.total(), others * size) << name << ", root " << root;
            EXPECT_EQ(counts.sent[static_cast<std::size_t>(root)], 0) << name;
        }
}

TEST_P(EveryCount, ReduceTakesItsRounds) {
    for (int root = 0; root < n; ++root) {
        EXPECT_EQ(reduction_counts_of("reduce.flat", n, size, root).rounds, n - 1);
        EXPECT_EQ(reduction_counts_of("reduce.binomial", n, size, root).rounds, q);
        EXPECT_EQ(reduction_counts_of("reduce.binomial", n, size, root, ordered).rounds, q);
        EXPECT_EQ(reduction_counts_of("reduce.circulant", n, size, root).rounds, q);
        EXPECT_EQ(reduction_counts_of("reduce.chain_segmented", n, size, root).rounds, n - 1);
        EXPECT_LE(reduction_counts_of("reduce.binary_segmented", n, size, root).rounds, 2 * q);
    }
}

TEST_P(EveryCount, ReduceInOrderAlongAChainUsesEveryPortOnce) {
    for (int root = 1; root < n; ++root) {
        const auto counts = reduction_counts_of("reduce.chain_segmented", n, size, root, ordered);
        EXPECT_EQ(counts.rounds, n);
        EXPECT_EQ(counts.most(), size);
        EXPECT_EQ(counts.least(), size);
    }
}

TEST_P(EveryCount, ReduceByHalvingSendsLessThanTwoVectors) {
    for (int root = 0; root < n; ++root) {
        const auto counts = reduction_counts_of("reduce.rabenseifner", n, size, root);
        EXPECT_LE(counts.rounds, is_power_of_two(n) ? 2 * q : 3 * q) << root;
        EXPECT_LT(counts.most(), 2 * size) << root;
        EXPECT_EQ(counts.sent[static_cast<std::size_t>(root)], others * part) << root;
    }
}

TEST_P(EveryCount, AllreduceByPartsSendsThemTwice) {
    for (const auto* name : {"allreduce.ring", "allreduce.circulant"}) {
        const auto counts = reduction_counts_of(name, n, size);
        EXPECT_EQ(counts.most(), 2 * others * part) << name;
        EXPECT_EQ(counts.least(), 2 * others * part) << name;
    }
    EXPECT_EQ(reduction_counts_of("allreduce.ring", n, size).rounds, 2 * (n - 1));
    EXPECT_EQ(reduction_counts_of("allreduce.circulant", n, size).rounds, 2 * q);
    const auto halving = reduction_counts_of("allreduce.rabenseifner", n, size);
    EXPECT_LE(halving.rounds, is_power_of_two(n) ? 2 * q : 4 * q);
    EXPECT_EQ(halving.total(), 2 * others * size);
    if (is_power_of_two(n)) {
        EXPECT_EQ(halving.most(), 2 * others * part);
    }
}

TEST_P(EveryCount, AllreduceOfWholeVectorsTakesItsRounds) {
    for (const auto& reduction : {elements, ordered}) {
        const auto doubling =
            reduction_counts_of("allreduce.recursive_doubling", n, size, 0, reduction);
        const int floor = std::bit_width(static_cast<unsigned>(n)) - 1;
        EXPECT_EQ(doubling.rounds, is_power_of_two(n) ? q : floor + 2);
        EXPECT_LE(doubling.most(), static_cast<std::uint64_t>(doubling.rounds) * size);
        const auto chain = reduction_counts_of("allreduce.chain_segmented", n, size, 0, reduction);
        EXPECT_EQ(chain.rounds, 2 * (n - 1));
        EXPECT_EQ(chain.total(), 2 * others * size);
        EXPECT_LE(chain.most(), 2 * size);
        const auto flat = reduction_counts_of("allreduce.flat", n, size, 0, reduction);
        EXPECT_EQ(flat.rounds, 2 * (n - 1));
        EXPECT_EQ(flat.total(), 2 * others * size);
        EXPECT_EQ(flat.sent.front(), others * size);
    }
}

TEST_P(EveryCount, ReduceScatterSendsEveryBlockOnce) {
    const char* halving = "reduce_scatter_block.recursive_halving"; // two may give to one rank
    for (const auto& [name, rounds] : {std::pair("reduce_scatter_block.ring", n - 1),
                                       {"reduce_scatter_block.pairwise", n - 1},
                                       {"reduce_scatter_block.circulant", q},
                                       {halving, q}}) {
        const auto counts = reduction_counts_of(name, n, part);
        const bool uneven = name == halving && !is_power_of_two(n);
        EXPECT_LE(counts.rounds, uneven ? 2 * rounds : rounds) << name;
        EXPECT_GE(counts.rounds, rounds) << name;
        EXPECT_EQ(counts.most(), others * part) << name;
        EXPECT_EQ(counts.least(), others * part) << name;
    }
}

TEST_P(EveryCount, ScansTakeTheirRounds) {
    EXPECT_EQ(reduction_counts_of("scan.recursive_doubling", n, size, 0, ordered).rounds, q);
    int rounds = n > 1;
    for (int covered = 1; covered < n - 1; covered = covered == 1 ? 3 : 2 * covered)
        ++rounds;
    EXPECT_EQ(reduction_counts_of("exscan.recursive_doubling", n, size, 0, ordered).rounds, rounds);
    for (const auto* name : {"scan.chain_segmented", "exscan.chain_segmented"}) {
        const auto counts = reduction_counts_of(name, n, size, 0, ordered);
        EXPECT_EQ(counts.rounds, n - 1) << name;
        EXPECT_EQ(counts.total(), others * size) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Reductions, EveryCount, testing::Range(1, 34));

} // namespace

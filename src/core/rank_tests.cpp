// SPDX-License-Identifier: BSD-3-Clause
// Exact distributions by counting, normal ones beyond.
#include "core/rank_tests.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace alltold {
namespace {

constexpr std::size_t most_exact_signs = 60;
constexpr std::size_t most_exact_sums = 40;
/// The pairwise means of more would fill memory; the median of so many is as good.
constexpr std::size_t most_pairs_of = 1500;

/// Twice each value's midrank, which is a whole number, by `less` on the absolute values or not.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<std::size_t> ranks(values.size());
    for (std::size_t from = 0; from < order.size();) {
        auto to = from;
        while (to < order.size() && values[order[to]] == values[order[from]])
            ++to;
        for (auto i = from; i < to; ++i)
            ranks[order[i]] = from + 1 + to; // 2 * mean of from+1 .. to
        from = to;
    }
    return ranks;
}

/// Both tails of a normal variable, with a correction of half a step for continuity.
double two_sided(double distance, double sd, double half_step) {
    if (!(sd > 0))
        return 1;
    const double z = std::max(0., std::abs(distance) - half_step) / sd;
    return std::min(1., 2 * normal_probability(-z));
}

/// Share of equally likely outcomes that are at least as far from the middle as `sum`; `counts`
/// holds how many give each sum, `whole` all of them.
double share_as_far(const std::vector<double>& counts, double middle, double sum) {
    const double distance = std::abs(sum - middle);
    double as_far = 0, whole = 0;
    for (std::size_t at = 0; at < counts.size(); ++at) {
        whole += counts[at];
        if (std::abs(static_cast<double>(at) - middle) >= distance - 1e-9)
            as_far += counts[at];
    }
    return std::min(1., as_far / whole);
}

/// How many subsets of the doubled ranks have each sum.
std::vector<double> subset_sums(const std::vector<std::size_t>& ranks) {
    std::vector<double> counts(std::accumulate(ranks.begin(), ranks.end(), std::size_t{0}) + 1);
    counts[0] = 1;
    std::size_t reach = 0;
    for (const auto rank : ranks) {
        reach += rank;
        for (auto at = reach; at >= rank; --at)
            counts[at] += counts[at - rank];
    }
    return counts;
}

/// The same of subsets with `size` members.
std::vector<double> subset_sums(const std::vector<std::size_t>& ranks, std::size_t size) {
    const auto most = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
    std::vector<std::vector<double>> counts(size + 1, std::vector<double>(most + 1));
    counts[0][0] = 1;
    for (const auto rank : ranks)
        for (auto members = size; members >= 1; --members)
            for (auto at = most; at >= rank; --at)
                counts[members][at] += counts[members - 1][at - rank];
    return counts[size];
}

std::vector<double> mean_ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from;
        while (to < order.size() && values[order[to]] == values[order[from]])
            ++to;
        for (std::size_t i = from; i < to; ++i)
            ranks[order[i]] = static_cast<double>(from + to - 1) / 2;
        from = to;
    }
    return ranks;
}

} // namespace

double signed_rank_p(std::span<const double> values) {
    std::vector<double> sizes;
    std::vector<bool> positive;
    for (const double value : values)
        if (value != 0) {
            sizes.push_back(std::abs(value));
            positive.push_back(value > 0);
        }
    if (sizes.empty())
        return 1;
    const auto ranks = doubled_ranks(sizes);
    double sum = 0, all = 0, squares = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto rank = static_cast<double>(ranks[i]);
        sum += positive[i] ? rank : 0;
        all += rank;
        squares += rank * rank;
    }
    if (sizes.size() <= most_exact_signs)
        return share_as_far(subset_sums(ranks), all / 2, sum);
    return two_sided(sum - all / 2, std::sqrt(squares) / 2, 1);
}

double rank_sum_p(std::span<const double> one, std::span<const double> other) {
    if (one.empty() || other.empty())
        return 1;
    std::vector<double> all(one.begin(), one.end());
    all.insert(all.end(), other.begin(), other.end());
    const auto ranks = doubled_ranks(all);
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
        sum += static_cast<double>(ranks[i]);
    const auto n = static_cast<double>(one.size()), m = static_cast<double>(other.size());
    const double middle = n * (n + m + 1);
    if (all.size() <= most_exact_sums)
        return share_as_far(subset_sums(ranks, one.size()), middle, sum);
    double spread = 0;
    for (const auto rank : ranks)
        spread += std::pow(static_cast<double>(rank) - (n + m + 1), 2);
    return two_sided(sum - middle, std::sqrt(n * m * spread / ((n + m) * (n + m - 1))), 1);
}

Estimate symmetric_centre(std::span<const double> values, double level) {
    const auto count = values.size();
    if (count > most_pairs_of)
        return median_interval(values, level);
    std::vector<double> means;
    means.reserve(count * (count + 1) / 2);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i; j < count; ++j)
            means.push_back((values[i] + values[j]) / 2);
    std::ranges::sort(means);
    // How many means may lie outside at each end: the largest rank sum that is too unlikely.
    const double tail = (1 - level) / 2;
    std::size_t outside = 0;
    if (count <= most_exact_signs) {
        std::vector<std::size_t> ranks(count);
        std::iota(ranks.begin(), ranks.end(), 1U);
        const auto counts = subset_sums(ranks);
        const double whole = std::pow(2., static_cast<double>(count));
        double below = 0;
        while (outside < counts.size() && (below += counts[outside]) / whole <= tail)
            ++outside;
    } else {
        const auto n = static_cast<double>(count);
        const double sd = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
        outside =
            static_cast<std::size_t>(std::max(0., n * (n + 1) / 4 + normal_quantile(tail) * sd));
    }
    const double centre = median(means);
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    return outside == 0 ? Estimate{centre, -unbounded, unbounded}
                        : Estimate{centre, means[outside - 1], means[means.size() - outside]};
}

double kendall_upward_probability(std::span<const double> values) {
    assert(!values.empty() && values.size() <= 170);
    std::size_t inversions = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = i + 1; j < values.size(); ++j)
            inversions += values[j] <= values[i];
    // share[d] of all permutations have d inversions: the next item can be put before 0..k-1 others
    std::vector<double> share{1};
    for (std::size_t k = 2; k <= values.size(); ++k) {
        std::vector<double> next(share.size() + k - 1);
        for (std::size_t d = 0; d < share.size(); ++d)
            for (std::size_t before = 0; before < k; ++before)
                next[d + before] += share[d] / static_cast<double>(k);
        share = std::move(next);
    }
    return std::accumulate(share.begin(),
                           share.begin() + static_cast<std::ptrdiff_t>(inversions) + 1, 0.0);
}

double spearman_upward_probability(std::span<const double> x, std::span<const double> y) {
    assert(x.size() == y.size() && x.size() >= 3);
    const auto a = mean_ranks(x);
    const auto b = mean_ranks(y);
    const double middle = static_cast<double>(x.size() - 1) / 2;
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - middle) * (b[i] - middle);
        aa += (a[i] - middle) * (a[i] - middle);
        bb += (b[i] - middle) * (b[i] - middle);
    }
    if (aa == 0 || bb == 0)
        return 1;
    const double z = ab / std::sqrt(aa * bb) * std::sqrt(static_cast<double>(x.size() - 1));
    return 1 - normal_probability(z);
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Kendall's and Spearman's tests against an upward trend.
#include "core/trend.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/normal.hpp"

namespace alltold {
namespace {

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

// SPDX-License-Identifier: BSD-3-Clause
// Growth of the effective gamma with the number of processes.
#include "network/signature/saturation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold {
namespace {

/// Growth is d log gamma / d log n. At 0.1 gamma grows by 7 % when n doubles: below that a
/// signature carries over as well as the papers' did (error under 10 %).
constexpr double tolerated_growth = 0.1;
/// Growth that cannot be distinguished from less than this counts as none.
constexpr double clear_growth = 0.2;
constexpr double two_sided_95 = 1.96;

/// Sizes at which the start-up time is at most this share of a message's time tell of bandwidth.
constexpr double largest_startup_share = 0.5;

double effective_gamma(const Cell& cell, int n, const Hockney& network) {
    return (cell.centre_s / (n - 1) - network.alpha_s) /
           (cell.size_bytes * network.beta_s_per_byte);
}

struct Comparison {
    int sizes = 0;
    double from_bytes = 0;
    double gamma_before = 0; ///< geometric means over the sizes
    double gamma_reference = 0;
    double growth = 0;
    double growth_error = 0;
};

/// Relative variance of the effective gamma: alpha, taken off, leaves the error to a smaller
/// number.
double gamma_variance(const Cell& cell, int n, const Hockney& network) {
    const double message_s = cell.centre_s / (n - 1);
    return std::pow(cell.relative_error * message_s / (message_s - network.alpha_s), 2);
}

bool ruled_by_bandwidth(const Cell& cell, int n, const Hockney& network) {
    return network.alpha_s <= largest_startup_share * cell.centre_s / (n - 1);
}

std::optional<Comparison> compare(int n, const std::vector<Cell>& before, int reference_n,
                                  const std::vector<Cell>& reference, const Hockney& network) {
    std::vector<double> logs_before;
    std::vector<double> logs_reference;
    double variance = 0;
    Comparison result;
    for (const Cell& there : reference)
        for (const Cell& here : before) {
            if (here.size_bytes != there.size_bytes || !ruled_by_bandwidth(here, n, network) ||
                !ruled_by_bandwidth(there, reference_n, network))
                continue;
            if (logs_before.empty())
                result.from_bytes = here.size_bytes;
            logs_before.push_back(std::log(effective_gamma(here, n, network)));
            logs_reference.push_back(std::log(effective_gamma(there, reference_n, network)));
            variance +=
                gamma_variance(here, n, network) + gamma_variance(there, reference_n, network);
        }
    if (logs_before.empty())
        return std::nullopt;
    const auto count = static_cast<double>(logs_before.size());
    double mean_before = 0;
    double mean_reference = 0;
    for (std::size_t i = 0; i < logs_before.size(); ++i) {
        mean_before += logs_before[i] / count;
        mean_reference += logs_reference[i] / count;
    }
    double scatter = 0; // of the gap between the sizes: what one size says need not hold for others
    for (std::size_t i = 0; i < logs_before.size(); ++i)
        scatter += std::pow(logs_reference[i] - logs_before[i] - mean_reference + mean_before, 2);
    if (logs_before.size() > 1)
        scatter *= count / (count - 1);
    const double leverage = std::log(static_cast<double>(reference_n) / n);
    result.sizes = static_cast<int>(logs_before.size());
    result.gamma_before = std::exp(mean_before);
    result.gamma_reference = std::exp(mean_reference);
    result.growth = (mean_reference - mean_before) / leverage;
    result.growth_error = std::sqrt(std::max(variance, scatter)) / count / leverage;
    return result;
}

} // namespace

SaturationVerdict judge_saturation(const std::map<int, std::vector<Cell>>& by_n,
                                   const Hockney& network) {
    const auto& [reference_n, reference] = *by_n.rbegin();
    if (by_n.size() == 1)
        return {Saturation::unknown,
                fmt::format("only n = {} was measured; at least two rank counts are needed to see "
                            "whether contention still grows",
                            reference_n)};
    auto other = std::next(by_n.rbegin());
    while (std::next(other) != by_n.rend() && 10 * other->first > 9 * reference_n)
        ++other;
    const int n = other->first;
    const auto seen = compare(n, other->second, reference_n, reference, network);
    if (!seen)
        return {Saturation::unknown,
                fmt::format("n = {} and n = {} share no size at which bandwidth dominates; "
                            "measure the same larger sizes at both",
                            n, reference_n)};
    const auto numbers = fmt::format(
        "effective gamma {:.3g} at n = {} and {:.3g} at n = {} ({} size(s) from {}), growing as n "
        "to the power {:.2f} +- {:.2f}",
        seen->gamma_before, n, seen->gamma_reference, reference_n, seen->sizes,
        format_size(seen->from_bytes), seen->growth, two_sided_95 * seen->growth_error);
    const double surely = seen->growth - two_sided_95 * seen->growth_error;
    const double possibly = seen->growth + two_sided_95 * seen->growth_error;
    if (surely > 0 && seen->growth > tolerated_growth)
        return {Saturation::not_saturated,
                fmt::format("contention still grows at the largest n: {}; do not use this "
                            "signature beyond n = {}; measure more ranks",
                            numbers, reference_n)};
    if (surely < 0 && possibly < 0 && seen->growth < -tolerated_growth)
        return {
            Saturation::unknown,
            fmt::format("contention falls with n: {}; one gamma does not describe both", numbers)};
    if (possibly < clear_growth)
        return {Saturation::saturated, fmt::format("contention has stopped growing: {}", numbers)};
    return {Saturation::unknown,
            fmt::format("unclear whether contention still grows: {}; repeat more often "
                        "or measure a smaller n too",
                        numbers)};
}

} // namespace alltold

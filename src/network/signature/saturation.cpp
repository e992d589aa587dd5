// SPDX-License-Identifier: BSD-3-Clause
// Growth of gamma and delta with the number of processes.
#include "network/signature/saturation.hpp"

#include <fmt/format.h>

#include "core/least_squares.hpp"
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

/// A parameter at one n.
struct Term {
    double value = 0;
    double variance = 0;
};

/// Both terms of what a message costs beyond its start-up: T/(n-1) - alpha = m beta gamma + delta.
struct Terms {
    Term gamma, delta_s;
};

/// d log value / d log n between two n, and the standard error.
struct TermGrowth {
    double value = 0;
    double error = 0;

    TermGrowth(const Term& before, const Term& reference, double log_ratio_of_n)
        : value(std::log(reference.value / before.value) / log_ratio_of_n),
          error(std::hypot(std::sqrt(before.variance) / before.value,
                           std::sqrt(reference.variance) / reference.value) /
                log_ratio_of_n) {}
    double surely() const { return value - two_sided_95 * error; }
    double possibly() const { return value + two_sided_95 * error; }
    bool grows() const { return surely() > tolerated_growth; }
};

struct Comparison {
    std::size_t sizes = 0;
    double from_bytes = 0;
    Terms before, reference;
};

bool ruled_by_bandwidth(const Cell& cell, int n, const Hockney& network) {
    return network.alpha_s <= largest_startup_share * cell.centre_s / (n - 1);
}

/// gamma, and with some of the sizes at M or above it delta, by weighted least squares. What the
/// form leaves counts as error too. Empty where the sizes do not separate them.
std::optional<Terms> terms_of(const std::vector<Cell>& cells, int n, const Hockney& network,
                              double threshold_bytes) {
    const auto count = static_cast<Eigen::Index>(cells.size());
    const bool pays = threshold_bytes > 0 && cells.back().size_bytes >= threshold_bytes;
    Eigen::MatrixXd design(count, pays ? 2 : 1);
    if (design.rows() < design.cols())
        return std::nullopt;
    Eigen::VectorXd observed(count);
    double squares = 0;
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto& cell = cells[static_cast<std::size_t>(i)];
        design(i, 0) = cell.size_bytes * network.beta_s_per_byte;
        if (pays)
            design(i, 1) = cell.size_bytes >= threshold_bytes ? 1 : 0;
        observed(i) = cell.centre_s / (n - 1) - network.alpha_s;
        squares += cell.relative_error * cell.relative_error / static_cast<double>(count);
    }
    // Relative errors count as alike: a few repetitions tell their own scatter badly. They scale
    // with the fitted times, or a low outlier would weigh more than a high one.
    Eigen::VectorXd level_s = observed;
    LeastSquares fit;
    for (int pass = 0; pass < 2; ++pass) {
        fit = weighted_least_squares(design, observed,
                                     squares * (level_s.array() + network.alpha_s).square());
        level_s = (design * fit.coefficients).cwiseMax(0.1 * observed);
    }
    const auto freedom = static_cast<double>(design.rows() - design.cols());
    const double scale = freedom > 0 ? std::max(1.0, fit.chi_squared / freedom) : 1;
    Terms terms{{fit.coefficients(0), scale * fit.covariance(0, 0)}, {}};
    if (pays)
        terms.delta_s = {fit.coefficients(1), scale * fit.covariance(1, 1)};
    return terms.gamma.value > 0 ? std::optional(terms) : std::nullopt;
}

std::optional<Comparison> compare(int n, const std::vector<Cell>& before, int reference_n,
                                  const std::vector<Cell>& reference, const Hockney& network,
                                  double threshold_bytes) {
    std::vector<Cell> shared_before, shared_reference;
    for (const Cell& there : reference)
        for (const Cell& here : before)
            if (here.size_bytes == there.size_bytes && ruled_by_bandwidth(here, n, network) &&
                ruled_by_bandwidth(there, reference_n, network)) {
                shared_before.push_back(here);
                shared_reference.push_back(there);
            }
    if (shared_before.empty())
        return std::nullopt;
    const auto terms_before = terms_of(shared_before, n, network, threshold_bytes);
    const auto terms_reference = terms_of(shared_reference, reference_n, network, threshold_bytes);
    if (!terms_before || !terms_reference)
        return std::nullopt;
    return Comparison{shared_before.size(), shared_before.front().size_bytes, *terms_before,
                      *terms_reference};
}

std::string growth_text(const TermGrowth& growth) {
    return fmt::format("growing as n to the power {:.2f} +- {:.2f}", growth.value,
                       two_sided_95 * growth.error);
}

} // namespace

SaturationVerdict judge_saturation(const std::map<int, std::vector<Cell>>& by_n,
                                   const Hockney& network, double threshold_bytes) {
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
    const auto seen = compare(n, other->second, reference_n, reference, network, threshold_bytes);
    if (!seen)
        return {Saturation::unknown,
                fmt::format("n = {} and n = {} share too few sizes at which bandwidth dominates; "
                            "measure the same larger sizes at both",
                            n, reference_n)};
    const double log_ratio = std::log(static_cast<double>(reference_n) / n);
    const auto& [before, at_reference] = std::pair(seen->before, seen->reference);
    const TermGrowth of_gamma(before.gamma, at_reference.gamma, log_ratio);
    auto numbers =
        fmt::format("gamma {:.3g} at n = {} and {:.3g} at n = {} ({} size(s) from {}), {}",
                    before.gamma.value, n, at_reference.gamma.value, reference_n, seen->sizes,
                    format_size(seen->from_bytes), growth_text(of_gamma));
    bool delta_grows = false;
    double most = of_gamma.possibly();
    if (before.delta_s.value > 0 && at_reference.delta_s.value > 0) {
        const TermGrowth of_delta(before.delta_s, at_reference.delta_s, log_ratio);
        delta_grows = of_delta.grows();
        most = std::max(most, of_delta.possibly());
        numbers += fmt::format("; delta {} and {}, {}", format_time(before.delta_s.value),
                               format_time(at_reference.delta_s.value), growth_text(of_delta));
    }
    if (of_gamma.grows() || delta_grows)
        return {Saturation::not_saturated,
                fmt::format("contention still grows at the largest n: {}; do not use this "
                            "signature beyond n = {}; measure more ranks",
                            numbers, reference_n),
                most};
    if (of_gamma.possibly() < 0 && of_gamma.value < -tolerated_growth)
        return {
            Saturation::unknown,
            fmt::format("contention falls with n: {}; one gamma does not describe both", numbers)};
    if (of_gamma.possibly() < clear_growth)
        return {Saturation::saturated, fmt::format("contention has stopped growing: {}", numbers)};
    return {Saturation::unknown, fmt::format("unclear whether contention still grows: {}; repeat "
                                             "more often or measure a smaller n too",
                                             numbers)};
}

} // namespace alltold

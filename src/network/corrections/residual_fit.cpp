// SPDX-License-Identifier: BSD-3-Clause
// Marginal likelihood, coordinate by coordinate; then groups left out.
#include "network/corrections/residual_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "core/median.hpp"
#include "core/normal.hpp"

namespace alltold {
namespace {

/// A quantile of fewer errors says nothing.
constexpr std::size_t fewest_left_out = 12;
constexpr double most_reach = 6;
/// Few medians that agree more closely have been lucky; many may.
constexpr double least_noise_sd = 0.02, least_noise_sd_of_few = 0.04;
constexpr std::size_t few_ratios = 20;
/// Of the calls left out, inside what is to be a 90 % interval: calls of one size go wrong
/// together, and the few sizes there are would flatter.
constexpr double left_out_inside = 0.95;

/// A kernel's parameter, where it is before anything was measured, and by how much (as a factor, a
/// standard deviation) it may well be otherwise.
struct Knob {
    double ResidualKernel::*value;
    double usual;
    double factor;
};

constexpr std::array knobs{
    Knob{&ResidualKernel::common_sd, 0.1, 4},       Knob{&ResidualKernel::own_sd, 0.1, 4},
    Knob{&ResidualKernel::brief_common_sd, 0.3, 4}, Knob{&ResidualKernel::brief_own_sd, 0.3, 4},
    Knob{&ResidualKernel::brief_growth_sd, 0.2, 4}, Knob{&ResidualKernel::brief_s, 3e-4, 10},
    Knob{&ResidualKernel::noise_sd, 0.03, 3},       Knob{&ResidualKernel::jitter_s, 2e-5, 10},
    Knob{&ResidualKernel::size_octaves, 4, 2},      Knob{&ResidualKernel::ranks_octaves, 4, 2},
    Knob{&ResidualKernel::power_gap, 0.3, 3},       Knob{&ResidualKernel::rendezvous_gap, 0.3, 3},
    Knob{&ResidualKernel::timeouts, 1, 2}};

double log_prior(const ResidualKernel& kernel) {
    double sum = 0;
    for (const auto& [value, usual, factor] : knobs)
        sum -= std::pow(std::log(kernel.*value / usual) / std::log(factor), 2) / 2;
    return sum;
}

double plausibility(const std::vector<MeasuredRatio>& measured, const ResidualKernel& kernel) {
    return Residual(measured, kernel).log_likelihood() + log_prior(kernel);
}

/// Up and down in each parameter by a factor, by a smaller one once none of them helps.
ResidualKernel most_plausible(const std::vector<MeasuredRatio>& measured) {
    ResidualKernel best;
    for (const auto& knob : knobs)
        best.*knob.value = knob.usual;
    const double least_sd = measured.size() < few_ratios ? least_noise_sd_of_few : least_noise_sd;
    best.noise_sd = std::max(best.noise_sd, least_sd);
    double most = plausibility(measured, best);
    const auto allowed = [&](const ResidualKernel& kernel) { return kernel.noise_sd >= least_sd; };
    for (double factor = 4; factor > 1.1;) {
        bool better = false;
        for (const auto& knob : knobs)
            for (const double step : {factor, 1 / factor}) {
                auto other = best;
                other.*knob.value *= step;
                if (!allowed(other))
                    continue;
                if (const double found = plausibility(measured, other); found > most) {
                    most = found;
                    best = other;
                    better = true;
                    break;
                }
            }
        if (!better)
            factor = std::sqrt(factor);
    }
    return best;
}

/// A call that was left out, and what the others say of it.
struct Missed {
    double log_error = 0; ///< of the prediction
    double sd = 0;        ///< of the difference
};

/// Predicts the calls on so many ranks at one size from those on fewer ranks and at other sizes,
/// in turn for all of them: what predicting is for.
std::vector<Missed> leave_out(const std::vector<MeasuredRatio>& measured,
                              const ResidualKernel& kernel) {
    std::set<std::pair<double, double>> groups;
    for (const auto& [call, log_ratio, variance] : measured)
        groups.emplace(call.log2_ranks, call.log2_size);
    std::vector<Missed> missed;
    for (const auto& [ranks, size] : groups) {
        std::vector<MeasuredRatio> kept;
        for (const auto& ratio : measured)
            if (ratio.call.log2_ranks < ranks && ratio.call.log2_size != size)
                kept.push_back(ratio);
        if (kept.empty())
            continue;
        const Residual residual(std::move(kept), kernel);
        for (const auto& [call, log_ratio, variance] : measured)
            if (call.log2_ranks == ranks && call.log2_size == size) {
                const auto expected = residual.at(call);
                missed.push_back({expected.log_ratio - log_ratio, expected.sd});
            }
    }
    return missed;
}

void judge(ResidualFit& fit, const std::vector<Missed>& missed) {
    std::vector<double> distances;
    std::vector<double> errors;
    for (const auto& [log_error, sd] : missed) {
        distances.push_back(std::abs(log_error) / sd);
        errors.push_back(std::abs(std::expm1(log_error)));
        fit.left_out_score -=
            (std::pow(log_error / sd, 2) / 2 + std::log(sd) + std::log(2 * std::numbers::pi) / 2) /
            static_cast<double>(missed.size());
    }
    fit.reach = std::max(fit.reach, quantile(distances, left_out_inside));
    fit.left_out.calls = static_cast<int>(missed.size());
    fit.left_out.median_error = median(errors);
    fit.left_out.worst_error = *std::max_element(errors.begin(), errors.end());
    fit.left_out.covered =
        static_cast<int>(std::count_if(distances.begin(), distances.end(),
                                       [&](double distance) { return distance <= fit.reach; }));
}

} // namespace

void check_few(ResidualFit& fit, const std::vector<MeasuredRatio>& measured) {
    constexpr std::size_t fewest = 3, most = 32, parts = 8;
    if (measured.size() < fewest || measured.size() > most)
        return;
    std::vector<double> distances;
    for (std::size_t part = 0; part < std::min(parts, measured.size()); ++part) {
        std::vector<MeasuredRatio> kept, left_out;
        for (std::size_t i = 0; i < measured.size(); ++i)
            (i % parts == part ? left_out : kept).push_back(measured[i]);
        const Residual residual(kept, most_plausible(kept));
        for (const auto& [call, log_ratio, variance] : left_out) {
            const auto expected = residual.at(call);
            distances.push_back(std::abs(expected.log_ratio - log_ratio) / expected.sd);
        }
    }
    fit.reach = std::clamp(quantile(distances, left_out_inside), fit.reach, most_reach);
}

Result<ResidualFit> fit_residual(const std::vector<MeasuredRatio>& measured) {
    if (measured.empty())
        return refused("no call was measured");
    ResidualFit fit;
    fit.kernel = most_plausible(measured);
    const Residual residual(measured, fit.kernel);
    fit.reach =
        measured.size() < fewest_left_out
            ? student_reach
            : std::max(normal_reach, quantile(residual.left_out_distances(), left_out_inside));
    if (const auto missed = leave_out(measured, fit.kernel); missed.size() >= fewest_left_out)
        judge(fit, missed);
    else
        fit.left_out_score = residual.log_likelihood() / static_cast<double>(measured.size());
    return fit;
}

} // namespace alltold

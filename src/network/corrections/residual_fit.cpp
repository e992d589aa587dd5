// SPDX-License-Identifier: BSD-3-Clause
// Marginal likelihood, coordinate by coordinate; then groups left out.
#include "network/corrections/residual_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <set>

#include "core/statistics.hpp"

namespace alltold {
namespace {

/// A quantile of fewer errors says nothing.
constexpr std::size_t fewest_left_out = 12;
/// Few medians that agree more closely have been lucky; many may.
constexpr double least_noise_sd = 0.02, least_noise_sd_of_few = 0.04;
constexpr std::size_t few_ratios = 20;
/// Of the calls left out, inside what is to be a 90 % interval: calls of one size go wrong
/// together, and the few sizes there are would flatter.
constexpr double left_out_inside = 0.95;
/// Likewise of calls left out one at a time, from which the kernel was learned as well: with this
/// quantile of all collectives' 91.7 % of 1,104 held-out calls of 15 labs were inside, 84 % in the
/// worst lab, with 0.98 89.6 and 81 %, and their mean interval scores are alike.
constexpr double left_out_one_inside = 0.99;

/// Of all calls, before anything was measured.
constexpr double outlier_share = 0.05;
/// The gain in log likelihood from which on a call is more likely one.
const double least_gain = std::log((1 - outlier_share) / outlier_share);
/// More of them are the model's error, not outliers.
constexpr std::size_t calls_of_an_outlier = 10;

/// A kernel's parameter, where it is before anything was measured, and by how much (as a factor, a
/// standard deviation) it may well be otherwise. Decisions lose 3.8 %; with one factor for all 4.2
/// %, and without six of them and one factor 4.1 % (docs/results/regret.md, "Ablation").
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
    Knob{&ResidualKernel::timeouts, 1, 2},          Knob{&ResidualKernel::loss_sd, 0.3, 4},
    Knob{&ResidualKernel::window_sd, 0.5, 2},       Knob{&ResidualKernel::own_window_sd, 0.2, 2}};

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

/// Of the suspects that are not outliers yet, the one that the others predict worst.
std::optional<std::size_t> strangest(const std::vector<MeasuredRatio>& measured,
                                     const ResidualKernel& kernel,
                                     const std::vector<std::size_t>& suspects) {
    const auto distances = Residual(measured, kernel).left_out_distances();
    std::optional<std::size_t> found;
    for (const auto i : suspects)
        if (!measured[i].outlier && (!found || distances[i] > distances[*found]))
            found = i;
    return found;
}

/// Marks the suspects that are more likely outliers than not, as the likelihood of the others
/// shows.
ResidualKernel mark_outliers(std::vector<MeasuredRatio>& measured,
                             const std::vector<std::size_t>& suspects) {
    auto kernel = most_plausible(measured);
    for (std::size_t left = measured.size() / calls_of_an_outlier; left > 0; --left) {
        const auto candidate = strangest(measured, kernel, suspects);
        if (!candidate)
            break;
        auto marked = measured;
        marked[*candidate].outlier = true;
        const auto without = most_plausible(marked);
        if (plausibility(marked, without) - plausibility(measured, kernel) < least_gain)
            break;
        measured = std::move(marked);
        kernel = without;
    }
    return kernel;
}

/// A call that was left out, and what the others say of it.
struct Missed {
    double log_error = 0; ///< of the prediction
    double sd = 0;        ///< of the difference
    bool outlier = false;

    double distance() const { return std::abs(log_error) / sd; }
    /// Of any call, outlier or not, so that baselines with different outliers compare.
    double log_density() const {
        const auto normal = [&](double deviation) {
            return std::exp(-std::pow(log_error / deviation, 2) / 2) / deviation;
        };
        return std::log((1 - outlier_share) * normal(sd) +
                        outlier_share * normal(std::hypot(sd, outlier_sd))) -
               std::log(2 * std::numbers::pi) / 2;
    }
};

/// Predicts the calls on so many ranks at one size from those on fewer ranks and at other sizes,
/// in turn for all of them: what predicting is for.
std::vector<Missed> leave_out(const std::vector<MeasuredRatio>& measured,
                              const ResidualKernel& kernel) {
    std::set<std::pair<double, double>> groups;
    for (const auto& [call, log_ratio, variance, outlier] : measured)
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
        for (const auto& [call, log_ratio, variance, outlier] : measured)
            if (call.log2_ranks == ranks && call.log2_size == size) {
                const auto expected = residual.at(call);
                missed.push_back({expected.log_ratio - log_ratio, expected.sd, outlier});
            }
    }
    return missed;
}

void judge(ResidualFit& fit, const std::vector<Missed>& missed) {
    std::vector<double> distances, errors;
    for (const auto& one : missed) {
        if (!one.outlier)
            distances.push_back(one.distance());
        errors.push_back(std::abs(std::expm1(one.log_error)));
        fit.left_out_score += one.log_density() / static_cast<double>(missed.size());
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

double reach_of(const std::vector<double>& distances) {
    return distances.size() < fewest_left_out
               ? student_reach
               : std::max(normal_reach, quantile(distances, left_out_one_inside));
}

Result<ResidualFit> fit_residual(std::vector<MeasuredRatio> measured,
                                 const std::vector<std::size_t>& suspects) {
    if (measured.empty())
        return refused("no call was measured");
    ResidualFit fit;
    fit.kernel = mark_outliers(measured, suspects);
    for (const auto& ratio : measured)
        fit.outliers.push_back(ratio.outlier);
    const Residual residual(measured, fit.kernel);
    fit.distances = residual.left_out_distances();
    fit.reach = reach_of(fit.distances);
    if (const auto missed = leave_out(measured, fit.kernel); missed.size() >= fewest_left_out)
        judge(fit, missed);
    else
        fit.left_out_score =
            (residual.log_likelihood() -
             least_gain * static_cast<double>(std::ranges::count(fit.outliers, true))) /
            static_cast<double>(measured.size());
    return fit;
}

} // namespace alltold

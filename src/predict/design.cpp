// SPDX-License-Identifier: BSD-3-Clause
// Groups of calls with one Gaussian process each, and the value of measurements.
#include "predict/design.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/median.hpp"
#include "predict/fit_corrections.hpp"

namespace alltold {
namespace {

/// Repetitions from this time on need no warm-up; shorter ones are taken several at a time.
constexpr double long_s = 0.1;
constexpr double short_s = 5e-3;
constexpr int short_repetitions = 5;
constexpr int usual_repetitions = 3;
/// Approximate overhead of a repetition and of a measurement.
constexpr double repetition_s = 4e-3;
constexpr double measurement_s = 10e-3;
/// Relative scatter of one repetition before any is known.
constexpr double usual_scatter = 0.1;
/// Baselines are compared again when so many times as many calls are measured.
constexpr double growth_to_compare = 1.5;
/// Half a 90 % interval of a normal distribution.
constexpr double normal_reach = 1.645;

double squared(double x) {
    return x * x;
}

} // namespace

Design::Design(const Network& network, std::vector<DesignCall> calls, DesignGoal goal)
    : network_(network), calls_(std::move(calls)), goal_(goal), group_of_(calls_.size()),
      modelled_s_(calls_.size()) {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        const auto of = calls_[i].of();
        auto group = std::ranges::find(groups_, of, &Group::of);
        if (group == groups_.end())
            group = groups_.insert(group, {.of = of});
        group->members.push_back(i);
        group_of_[i] = static_cast<std::size_t>(group - groups_.begin());
    }
    refit();
}

void Design::add(std::size_t call, double time_s) {
    if (!(time_s > 0))
        return;
    calls_[call].times_s.push_back(time_s);
    if (modelled_s_[call] > 0)
        update(groups_[group_of_[call]]);
}

void Design::refit() {
    for (auto& group : groups_)
        fit(group);
}

std::vector<MeasuredCall> Design::measured_in(const Group& group) const {
    std::vector<RepeatedCall> repeated;
    for (std::size_t i = 0; i < calls_.size(); ++i)
        if (const auto& call = calls_[i]; call.of() == group.of && !call.times_s.empty())
            repeated.push_back({call.choice.algorithm, call.choice.parameters, call.clusters,
                                call.size_bytes, call.times_s});
    return medians_of(repeated);
}

void Design::fit(Group& group) {
    const auto measured = measured_in(group);
    auto baselines = baselines_of(group.of, network_, calls_[group.members.front()].clusters);
    if (measured.size() < growth_to_compare * static_cast<double>(group.compared))
        baselines = {group.baseline};
    else
        group.compared = measured.size();
    const auto correction = fit_correction(group.of, measured, network_, baselines, simulations_);
    if (correction) {
        const bool other = !(group.baseline == correction->baseline());
        group.baseline = correction->baseline();
        group.reach = correction->fit().reach;
        group.residual.emplace(ratios_of(correction->calls()), correction->fit().kernel);
        if (other)
            model(group);
        return;
    }
    // Nothing is measured yet, or no baseline predicts it all.
    group.reach = normal_reach;
    group.residual.emplace(std::vector<MeasuredRatio>(), ResidualKernel{});
    for (const auto& baseline : baselines) {
        group.baseline = baseline;
        model(group);
        if (std::ranges::any_of(group.members, [&](auto i) { return modelled_s_[i] > 0; }))
            return;
    }
}

void Design::model(Group& group) {
    for (const auto i : group.members) {
        const auto& call = calls_[i];
        const auto time_s =
            modelled_s(network_, group.baseline, call.collective, call.choice.algorithm,
                       call.choice.parameters, call.clusters, call.size_bytes, &simulations_);
        modelled_s_[i] = time_s ? std::max(0., *time_s) : 0;
    }
}

void Design::update(Group& group) {
    auto measured = measured_in(group);
    for (auto& call : measured)
        for (const auto i : group.members)
            if (calls_[i].choice.algorithm == call.algorithm &&
                calls_[i].clusters == call.clusters && calls_[i].size_bytes == call.size_bytes &&
                calls_[i].choice == Choice{call.algorithm, call.parameters})
                call.modelled_s = modelled_s_[i];
    std::erase_if(measured, [](const MeasuredCall& call) { return call.modelled_s <= 0; });
    group.residual.emplace(ratios_of(measured), group.residual->kernel());
}

CallTraits Design::traits(std::size_t call) const {
    const auto& [collective, choice, clusters, size_bytes, weight, times_s] = calls_[call];
    return traits_of(choice.algorithm, choice.parameters, clusters.ranks(), size_bytes,
                     modelled_s_[call]);
}

std::optional<Estimate> Design::predicted_s(std::size_t call) const {
    if (modelled_s_[call] <= 0)
        return std::nullopt;
    const auto& group = groups_[group_of_[call]];
    const auto expected = group.residual->at(traits(call));
    const double reach = group.reach * expected.sd;
    return Estimate{modelled_s_[call] * std::exp(expected.log_ratio),
                    modelled_s_[call] * std::exp(expected.log_ratio - reach),
                    modelled_s_[call] * std::exp(expected.log_ratio + reach)};
}

double Design::variance(const Group& group, std::size_t call, double smooth, int more) const {
    const double own = median_variance(group, call, more);
    return std::isinf(own) ? smooth + group.residual->noise_variance(traits(call))
                           : std::min(smooth, own);
}

double Design::half_width(std::size_t call) const {
    const auto& group = groups_[group_of_[call]];
    const auto here = traits(call);
    const double smooth = std::max(0., group.residual->covariance(here, here) -
                                           group.residual->whitened(here).squaredNorm());
    return group.reach * std::sqrt(variance(group, call, smooth));
}

std::pair<int, int> Design::narrow_targets() const {
    int narrow = 0, all = 0;
    for (std::size_t i = 0; i < calls_.size(); ++i)
        if (calls_[i].weight > 0 && modelled_s_[i] > 0) {
            ++all;
            narrow += half_width(i) <= goal_.precision;
        }
    return {narrow, all};
}

Proposal Design::proposal_of(std::size_t call) const {
    const double time_s = predicted_s(call)->value;
    const int repetitions = time_s < short_s  ? short_repetitions
                            : time_s < long_s ? usual_repetitions
                                              : 1;
    const bool warm_up = time_s < long_s;
    return {call, repetitions, warm_up,
            measurement_s + (repetitions + warm_up) * (time_s + repetition_s)};
}

double Design::median_variance(const Group& group, std::size_t call, int more) const {
    const auto count = calls_[call].times_s.size() + static_cast<std::size_t>(more);
    if (count == 0)
        return INFINITY;
    const auto here = traits(call);
    // Of one repetition: medians of similar calls had about as many as this one.
    const double scatter = group.residual->scatter_variance(here);
    const double once =
        calls_[call].times_s.empty()
            ? std::max(scatter, squared(usual_scatter))
            : std::max(scatter * static_cast<double>(calls_[call].times_s.size()), 1e-4);
    return once / static_cast<double>(count);
}

std::optional<Proposal> Design::next(double left_s) const {
    std::optional<Proposal> best;
    double most_worth = 0;
    for (const auto& group : groups_) {
        const double goal_variance = squared(goal_.precision / group.reach);
        std::vector<std::size_t> members, targets;
        for (const auto i : group.members)
            if (modelled_s_[i] > 0) {
                members.push_back(i);
                if (calls_[i].weight > 0)
                    targets.push_back(i);
            }
        std::map<std::size_t, Eigen::VectorXd> known;
        std::map<std::size_t, double> smooth;
        for (const auto i : members) {
            known[i] = group.residual->whitened(traits(i));
            smooth[i] = std::max(0., group.residual->covariance(traits(i), traits(i)) -
                                         known[i].squaredNorm());
        }
        for (const auto i : members) {
            const auto proposal = proposal_of(i);
            if (proposal.cost_s > std::min(left_s, goal_.most_cost_s))
                continue;
            // Further repetitions of a measured call act as one more observation.
            const double own_noise = group.residual->noise_variance(traits(i));
            const double before = own_noise + median_variance(group, i, 0);
            const double after = own_noise + median_variance(group, i, proposal.repetitions);
            const double noise = std::isinf(before) ? after : 1 / (1 / after - 1 / before);
            double gain = 0;
            for (const auto t : targets) {
                const double now = variance(group, t, smooth[t]);
                if (now <= goal_variance)
                    continue;
                const double shared =
                    group.residual->covariance(traits(t), traits(i)) - known[t].dot(known[i]);
                const double then =
                    variance(group, t, smooth[t] - squared(shared) / (smooth[i] + noise),
                             t == i ? proposal.repetitions : 0);
                gain += calls_[t].weight * (now - std::max(then, goal_variance));
            }
            if (const double worth = gain / proposal.cost_s; worth > most_worth) {
                most_worth = worth;
                best = proposal;
            }
        }
    }
    return best;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Groups of calls with one Gaussian process each, and the value of measurements.
#include "predict/design/design.hpp"

#include <iterator>
#include <numeric>

#include "predict/call_time.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/design/elimination.hpp"

namespace alltold {
namespace {

/// One-way latencies of the backbone that a repetition takes (notice, start and report) and a
/// measurement (order, agreement of all ranks, and end).
constexpr int latencies_of_repetition = 3;
constexpr int latencies_of_measurement = 4;
/// Baselines are compared again when so many times as many calls are measured.
constexpr double growth_to_compare = 1.5;

double squared(double x) {
    return x * x;
}

} // namespace

Design::Design(const Network& network, std::vector<DesignCall> calls, DesignGoal goal)
    : network_(network), calls_(std::move(calls)), goal_(goal), group_of_(calls_.size()),
      modelled_(calls_.size()), traits_(calls_.size()), errors_(calls_.size()) {
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
    auto& group = groups_[group_of_[call]];
    group.changed = true;
    if (modelled_[call].time_s.value > 0)
        update(group);
}

void Design::refit() {
    for (auto& group : groups_)
        if (std::exchange(group.changed, false))
            fit(group);
    std::vector<double> distances;
    for (const auto& group : groups_)
        std::ranges::copy(group.residual->left_out_distances(), std::back_inserter(distances));
    reach_ = reach_of(distances);
}

std::vector<MeasuredCall> Design::measured_in(const Group& group) {
    std::vector<RepeatedCall> repeated;
    for (const auto i : group.members)
        if (const auto& call = calls_[i]; !call.times_s.empty())
            repeated.push_back({call.choice.algorithm, call.choice.parameters, call.clusters,
                                call.size_bytes, call.times_s});
    auto medians = medians_of(repeated, timeout_of(network_));
    auto median = medians.begin();
    for (const auto i : group.members)
        if (!calls_[i].times_s.empty())
            errors_[i] = (median++)->relative_error;
    return medians;
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
        group.residual.emplace(ratios_of(correction->calls()), correction->fit().kernel);
        if (other)
            model(group);
        return;
    }
    // Nothing is measured yet, or no baseline predicts it all.
    group.residual.emplace(std::vector<MeasuredRatio>(), ResidualKernel{});
    for (const auto& baseline : baselines) {
        group.baseline = baseline;
        model(group);
        if (std::ranges::any_of(group.members,
                                [&](auto i) { return modelled_[i].time_s.value > 0; }))
            return;
    }
}

void Design::model(Group& group) {
    for (const auto i : group.members) {
        const auto& call = calls_[i];
        modelled_[i] =
            modelled_time(network_, group.baseline, call.probe.collective, call.choice.algorithm,
                          call.choice.parameters, call.clusters, call.size_bytes, simulations_);
        traits_[i] = traits_of(call.choice.algorithm, call.choice.parameters, call.clusters.ranks(),
                               call.size_bytes, modelled_[i]);
    }
}

void Design::update(Group& group) {
    auto measured = measured_in(group);
    auto median = measured.begin();
    for (const auto i : group.members)
        if (!calls_[i].times_s.empty())
            (median++)->modelled = modelled_[i];
    std::erase_if(measured,
                  [](const MeasuredCall& call) { return call.modelled.time_s.value <= 0; });
    group.residual.emplace(ratios_of(measured), group.residual->kernel());
}

std::optional<Estimate> Design::predicted_s(std::size_t call) const {
    if (modelled_[call].time_s.value <= 0)
        return std::nullopt;
    const auto& group = groups_[group_of_[call]];
    return group.residual->at(traits_[call]).of(modelled_[call].time_s.value, reach_);
}

double Design::squared_half_width(const Group& group, std::size_t call, double smooth,
                                  int more) const {
    const double own = median_variance(group, call, more);
    return std::isinf(own)
               ? squared(reach_) * (smooth + group.residual->noise_variance(traits_[call]))
               : squared(std::min(reach_, student_reach)) * std::min(smooth, own);
}

double Design::half_width(std::size_t call) const {
    const auto& group = groups_[group_of_[call]];
    const double smooth =
        group.residual->remaining_variance(traits_[call], group.residual->whitened(traits_[call]));
    return std::sqrt(squared_half_width(group, call, smooth));
}

std::pair<int, int> Design::narrow_targets() const {
    int narrow = 0, all = 0;
    for (std::size_t i = 0; i < calls_.size(); ++i)
        if (calls_[i].weight > 0 && modelled_[i].time_s.value > 0) {
            ++all;
            narrow += half_width(i) <= goal_.precision;
        }
    return {narrow, all};
}

Proposal Design::proposal_of(std::size_t call) const {
    const double time_s = predicted_s(call)->value;
    constexpr int fewest = static_cast<int>(fewest_repetitions);
    const int repetitions = time_s < short_call_s  ? times_of_short
                            : time_s < long_call_s ? fewest
                                                   : 1;
    const bool warm_up = time_s < long_call_s;
    return {call, repetitions, warm_up, cost_s(call, repetitions + warm_up, time_s)};
}

double Design::cost_s(std::size_t call, int repetitions, double time_s) const {
    const auto& links = network_.links;
    const double latency_s = links && links->backbone && calls_[call].clusters.count() > 1
                                 ? links->backbone->latency_s
                                 : 0;
    return measurement_s + latencies_of_measurement * latency_s +
           repetitions * (time_s + repetition_s + latencies_of_repetition * latency_s);
}

double Design::median_variance(const Group& group, std::size_t call, int more) const {
    const auto count = calls_[call].times_s.size() + static_cast<std::size_t>(more);
    if (count == 0)
        return INFINITY;
    const double scatter = group.residual->scatter_variance(traits_[call]);
    if (calls_[call].times_s.empty())
        return std::max(scatter, squared(usual_scatter)) / static_cast<double>(count);
    // Few repetitions may agree by chance where those of similar calls do not.
    const auto taken = calls_[call].times_s.size();
    const double median =
        std::max(squared(errors_[call]), taken < enough_repetitions ? scatter : 0);
    const double once = std::max(median * static_cast<double>(taken), squared(tied - 1));
    return once / static_cast<double>(count);
}

std::optional<Proposal> Design::surprise(const Group& group, double left_s) const {
    const auto distances = group.residual->left_out_distances();
    auto distance = distances.begin();
    for (const auto i : group.members) {
        if (calls_[i].times_s.empty() || modelled_[i].time_s.value <= 0 ||
            distance == distances.end())
            continue;
        const int missing =
            static_cast<int>(fewest_repetitions) - static_cast<int>(calls_[i].times_s.size());
        if (*distance++ < clear_errors || missing <= 0)
            continue;
        const double time_s = median(calls_[i].times_s);
        const Proposal again{i, missing, false, cost_s(i, missing, time_s)};
        if (affordable(again, left_s))
            return again;
    }
    return std::nullopt;
}

std::optional<Proposal> Design::next(double left_s) const {
    std::optional<Proposal> best;
    double most_worth = 0;
    const double goal = squared(goal_.precision);
    for (const auto& group : groups_)
        if (const auto repeated = surprise(group, left_s))
            return repeated;
    for (const auto& group : groups_) {
        std::vector<std::size_t> members, targets;
        for (const auto i : group.members)
            if (modelled_[i].time_s.value > 0) {
                members.push_back(i);
                if (calls_[i].weight > 0)
                    targets.push_back(i);
            }
        std::map<std::size_t, std::vector<double>> known;
        std::map<std::size_t, double> smooth;
        for (const auto i : members) {
            known[i] = group.residual->whitened(traits_[i]);
            smooth[i] = group.residual->remaining_variance(traits_[i], known[i]);
        }
        for (const auto i : members) {
            const auto proposal = proposal_of(i);
            if (!affordable(proposal, left_s))
                continue;
            // Further repetitions of a measured call act as one more observation.
            const double own_noise = group.residual->noise_variance(traits_[i]);
            const double before = own_noise + median_variance(group, i, 0);
            const double after = own_noise + median_variance(group, i, proposal.repetitions);
            const double noise = std::isinf(before) ? after : 1 / (1 / after - 1 / before);
            double gain = 0;
            for (const auto t : targets) {
                const double now = squared_half_width(group, t, smooth[t]);
                if (now <= goal)
                    continue;
                const double shared =
                    group.residual->covariance(traits_[t], traits_[i]) -
                    std::inner_product(known[t].begin(), known[t].end(), known[i].begin(), 0.);
                const double then =
                    squared_half_width(group, t, smooth[t] - squared(shared) / (smooth[i] + noise),
                                       t == i ? proposal.repetitions : 0);
                gain += calls_[t].weight * (now - std::max(then, goal));
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

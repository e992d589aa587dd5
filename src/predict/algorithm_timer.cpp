// SPDX-License-Identifier: BSD-3-Clause
// Closed form where it is exact, the simulator everywhere else.
#include "predict/algorithm_timer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/two_clusters.hpp"
#include "predict/alltoall_models.hpp"
#include "predict/closed_forms.hpp"
#include "predict/plogp_ends.hpp"

namespace alltold {
namespace {

constexpr double most_messages = 16e6;

std::vector<PLogP> plogp_with_ends(const FittedNetwork& network, AlgorithmModel model) {
    if (model == AlgorithmModel::plogp)
        return {*network.plogp, low_end(*network.plogp), high_end(*network.plogp)};
    if (model != AlgorithmModel::hockney)
        return {};
    const auto fit = local_network(network);
    return {plogp_of(fit, &Estimate::value), plogp_of(fit, &Estimate::low),
            plogp_of(fit, &Estimate::high)};
}

/// The first is the value; ends that cross are put in order.
Estimate estimate_of(const std::vector<double>& times_s) {
    const auto [low, high] = std::minmax_element(times_s.begin(), times_s.end());
    return {times_s.front(), *low, *high};
}

/// An upper bound of the messages of any of our algorithms.
double count_messages(const Specification& specification, const Parameters& parameters) {
    const double n = specification.ranks();
    if (specification.collective() == Collective::alltoall)
        return n * n;
    const auto size_bytes = static_cast<double>(specification.size_bytes());
    const auto segment_bytes = static_cast<double>(parameters.segment_bytes);
    return n * (segment_bytes > 0 ? std::max(1.0, size_bytes / segment_bytes) : 3.0);
}

} // namespace

AlgorithmTimer::AlgorithmTimer(const FittedNetwork& network, const Algorithm& algorithm,
                               const Specification& specification, const Clusters& clusters,
                               AlgorithmModel model)
    : network_(network), algorithm_(algorithm), specification_(specification), clusters_(clusters),
      model_(model), plogp_(plogp_with_ends(network, model)) {
    const auto exact = [](const PLogP& a, const PLogP& b) {
        return a.L_s == b.L_s && a.g_s == b.g_s;
    };
    if (plogp_.size() == 3 && exact(plogp_[1], plogp_[2]))
        plogp_.resize(1);
}

double AlgorithmTimer::largest_known_bytes() const {
    if (model_ == AlgorithmModel::plogp)
        return network_.plogp->g_s.points().back().size_bytes;
    if (model_ == AlgorithmModel::hockney)
        return local_network(network_).largest_bytes;
    if (model_ == AlgorithmModel::smt)
        return network_.alltoall->largest_bytes;
    if (model_ == AlgorithmModel::cluster && !network_.cluster->g_s.points().empty())
        return network_.cluster->g_s.points().back().size_bytes;
    return 0;
}

bool AlgorithmTimer::simulates(const Parameters& parameters) const {
    if (model_ == AlgorithmModel::smt)
        return false;
    if (plogp_.empty() || specification_.size_bytes() == 0)
        return true;
    const CallShape call{specification_.ranks(), static_cast<double>(specification_.size_bytes()),
                         static_cast<double>(parameters.segment_bytes), parameters.window};
    return std::any_of(plogp_.begin(), plogp_.end(), [&](const PLogP& plogp) {
        return !exact_form(algorithm_.name, plogp, call);
    });
}

Result<AlgorithmTime> AlgorithmTimer::operator()(const Parameters& parameters) const {
    if (model_ == AlgorithmModel::smt)
        return smt_equation_7();
    if (specification_.ranks() == 1)
        return AlgorithmTime{{}, "nothing to send", 0};
    if (simulates(parameters))
        return simulated(parameters);
    const CallShape call{specification_.ranks(), static_cast<double>(specification_.size_bytes()),
                         static_cast<double>(parameters.segment_bytes), parameters.window};
    std::vector<double> times_s;
    for (const auto& plogp : plogp_)
        times_s.push_back(exact_form(algorithm_.name, plogp, call)->time_s(plogp, call));
    return AlgorithmTime{estimate_of(times_s),
                         std::string(exact_form(algorithm_.name, plogp_[0], call)->source), 0};
}

Result<AlgorithmTime> AlgorithmTimer::simulated(const Parameters& parameters) const {
    if (const double messages = count_messages(specification_, parameters);
        messages > most_messages)
        return refused(
            fmt::format("{} among {} ranks has no closed form under model {}, and {:.2g} "
                        "messages are too many to simulate",
                        algorithm_.name, specification_.ranks(), name_of(model_), messages));
    const auto score = simulate::Score::of(algorithm_, specification_, parameters);
    if (!score)
        return score.error();
    std::vector<double> times_s;
    double dropped_bytes = 0;
    const auto add = [&](const Result<simulate::Times>& times) {
        if (!times)
            return false;
        times_s.push_back(times->time_s);
        dropped_bytes = times->dropped_bytes();
        return true;
    };
    for (const auto& plogp : plogp_)
        if (const auto times = simulate::play(*score, plogp); !add(times))
            return times.error();
    if (plogp_.empty()) {
        const auto times = model_ == AlgorithmModel::cluster
                               ? simulate::play(*score, *network_.cluster)
                               : simulate::play(*score, *network_.links, clusters_);
        if (!add(times))
            return times.error();
    }
    return AlgorithmTime{estimate_of(times_s), "simulated", dropped_bytes};
}

/// SMT equation 7 with SMT07 equation 5 in each cluster, at the ends of all intervals.
AlgorithmTime AlgorithmTimer::smt_equation_7() const {
    const auto size_bytes = static_cast<double>(specification_.size_bytes());
    const auto signature = alltoall_models().front();
    const auto first_s = signature.time_s(network_, clusters_.size(0), size_bytes);
    const auto second_s = signature.time_s(network_, clusters_.size(1), size_bytes);
    const auto time_s = [&](double Estimate::*end) {
        const Hockney wide{std::max(0.0, network_.wide->alpha_s.*end),
                           std::max(0.0, network_.wide->beta_s_per_byte.*end)};
        return two_clusters_lg_time_s(first_s.*end, second_s.*end, clusters_.size(0),
                                      clusters_.size(1), wide, size_bytes);
    };
    return {{time_s(&Estimate::value), time_s(&Estimate::low), time_s(&Estimate::high)},
            "SMT equation 7",
            0};
}

} // namespace alltold

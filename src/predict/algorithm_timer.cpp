// SPDX-License-Identifier: BSD-3-Clause
// Closed form where it is exact, the simulator everywhere else.
#include "predict/algorithm_timer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/two_clusters.hpp"
#include "predict/alltoall_models.hpp"
#include "predict/plogp_ends.hpp"

namespace alltold {
namespace {

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
    const auto size_bytes = static_cast<double>(specification.size_bytes());
    const auto segment_bytes = static_cast<double>(parameters.segment_bytes);
    const double segments = segment_bytes > 0 ? std::max(1.0, size_bytes / segment_bytes) : 1.0;
    if (specification.collective() == Collective::alltoall)
        return n * n * segments;
    return n * (segment_bytes > 0 ? segments : 3.0);
}

/// About `ranks` of them, at least one of each.
Clusters shrunk(const Clusters& clusters, int ranks) {
    std::vector<int> sizes;
    for (const int size : clusters.sizes())
        sizes.push_back(
            std::max(1, static_cast<int>(std::lround(double(size) * ranks / clusters.ranks()))));
    return Clusters(sizes);
}

} // namespace

AlgorithmTimer::AlgorithmTimer(const FittedNetwork& network, const Algorithm& algorithm,
                               const Specification& specification, const Clusters& clusters,
                               AlgorithmModel model, Effort effort)
    : network_(network), algorithm_(algorithm), specification_(specification), clusters_(clusters),
      model_(model), effort_(effort), plogp_(plogp_with_ends(network, model)) {
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
    const auto call = shape_of(parameters);
    return std::any_of(plogp_.begin(), plogp_.end(), [&](const PLogP& plogp) {
        return !exact_form(algorithm_.name, plogp, call);
    });
}

CallShape AlgorithmTimer::shape_of(const Parameters& parameters) const {
    return {specification_.ranks(), static_cast<double>(specification_.size_bytes()),
            static_cast<double>(parameters.segment_bytes), parameters.window};
}

bool AlgorithmTimer::too_large(const Parameters& parameters) const {
    if (!effort_.estimate)
        return false;
    // Where a formula is no bound, half simulated and half by formula would compare unlike things.
    const auto* form = rough_form(parameters);
    return count_messages(specification_, parameters) > effort_.most_messages ||
           (form && form->relation(plogp_[0], shape_of(parameters)) == Relation::approximation);
}

bool AlgorithmTimer::needs_play(const Parameters& parameters) const {
    return simulates(parameters) && !(too_large(parameters) && rough_form(parameters));
}

const ClosedForm* AlgorithmTimer::rough_form(const Parameters& parameters) const {
    if (plogp_.empty() || specification_.size_bytes() == 0)
        return nullptr;
    const auto call = shape_of(parameters);
    for (const auto relation : {Relation::exact, Relation::upper_bound, Relation::approximation})
        for (const auto& form : closed_forms())
            if (form.algorithm == algorithm_.name && form.relation(plogp_[0], call) == relation)
                return &form;
    return nullptr;
}

AlgorithmTime AlgorithmTimer::by(const ClosedForm& form, const Parameters& parameters) const {
    const auto call = shape_of(parameters);
    std::vector<double> times_s;
    for (const auto& plogp : plogp_)
        times_s.push_back(form.time_s(plogp, call));
    const auto relation = form.relation(plogp_[0], call);
    return {estimate_of(times_s),
            relation == Relation::exact ? std::string(form.source)
                                        : fmt::format("{}, {}", form.source, name_of(relation)),
            0};
}

Result<AlgorithmTime> AlgorithmTimer::operator()(const Parameters& parameters) const {
    if (model_ == AlgorithmModel::smt)
        return smt_equation_7();
    if (specification_.ranks() == 1)
        return AlgorithmTime{{}, "nothing to send", 0};
    if (!simulates(parameters))
        return by(*exact_form(algorithm_.name, plogp_[0], shape_of(parameters)), parameters);
    if (!too_large(parameters))
        return simulated(parameters);
    if (const auto* form = rough_form(parameters))
        return by(*form, parameters);
    return extrapolated(parameters);
}

/// A power law through two smaller numbers of ranks, the larger as large as may be simulated.
Result<AlgorithmTime> AlgorithmTimer::extrapolated(const Parameters& parameters) const {
    const auto time_of = [&](const Clusters& clusters) {
        const auto specification = Specification::of(specification_.collective(), clusters.ranks(),
                                                     0, specification_.size_bytes());
        auto fewer = parameters;
        if (fewer.clusters)
            fewer.clusters = clusters;
        return AlgorithmTimer(network_, algorithm_, specification, clusters, model_,
                              {effort_.most_messages})(fewer);
    };
    const auto messages = count_messages(specification_, parameters);
    const int ranks = specification_.ranks();
    const bool pairs = specification_.collective() == Collective::alltoall;
    const double share = effort_.most_messages / messages;
    const auto most = shrunk(
        clusters_, std::max(4, static_cast<int>(ranks * (pairs ? std::sqrt(share) : share) * 0.9)));
    const auto half = shrunk(most, most.ranks() / 2);
    const auto longer = time_of(most);
    if (!longer)
        return longer.error();
    const auto shorter = time_of(half);
    if (!shorter)
        return shorter.error();
    if (most.ranks() == half.ranks() || !(shorter->time_s.value > 0))
        return refused(fmt::format("{} among {} ranks has no closed form, and too few of them can "
                                   "be simulated",
                                   algorithm_.name, ranks));
    const double power = std::log(longer->time_s.value / shorter->time_s.value) /
                         std::log(double(most.ranks()) / half.ranks());
    const double factor = std::pow(double(ranks) / most.ranks(), power);
    const auto& [value, low, high] = longer->time_s;
    return AlgorithmTime{{value * factor, low * factor, high * factor},
                         fmt::format("extrapolated from n = {} and {}", half.text(), most.text()),
                         longer->dropped_bytes};
}

Result<AlgorithmTime> AlgorithmTimer::simulated(const Parameters& parameters) const {
    if (const double messages = count_messages(specification_, parameters);
        messages > effort_.most_messages)
        return refused(
            fmt::format("{} among {} ranks has no closed form under model {}, and {:.2g} "
                        "messages are too many to simulate",
                        algorithm_.name, specification_.ranks(), name_of(model_), messages));
    const auto score = simulate::Score::of(algorithm_, specification_, parameters);
    if (!score)
        return score.error();
    std::vector<double> times_s;
    double dropped_bytes = 0;
    std::vector<Timeout> timeouts;
    const auto add = [&](const Result<simulate::Times>& times) {
        if (!times)
            return false;
        times_s.push_back(times->time_s);
        dropped_bytes = times->dropped_bytes();
        timeouts = times->timeouts;
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
    return AlgorithmTime{with_timeouts(estimate_of(times_s), timeouts), "simulated", dropped_bytes};
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

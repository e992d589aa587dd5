// SPDX-License-Identifier: BSD-3-Clause
// Closed form where it is exact, the simulator everywhere else.
#include "predict/algorithm_timer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "network/two_clusters.hpp"
#include "predict/alltoall_models.hpp"
#include "predict/plogp_ends.hpp"
#include "predict/simulation_cache.hpp"

namespace alltold {
namespace {

std::vector<PLogP> plogp_with_ends(const Network& network, AlgorithmModel model) {
    if (model == AlgorithmModel::plogp)
        return {*network.plogp, low_end(*network.plogp), high_end(*network.plogp)};
    if (model != AlgorithmModel::hockney)
        return {};
    const auto fit = local_network(network);
    return {plogp_of(fit, &Estimate::value), plogp_of(fit, &Estimate::low),
            plogp_of(fit, &Estimate::high)};
}

LinkNetwork scaled(LinkNetwork links, double rate, double latency) {
    for (auto* link : {&links.port, links.backbone ? &*links.backbone : nullptr})
        if (link) {
            link->goodput_bytes_per_s *= rate;
            link->latency_s *= latency;
        }
    links.start_up_s *= latency;
    return links;
}

/// Connections may be past their slow start, or not: that is a part of the interval.
std::vector<LinkNetwork> links_with_ends(const Network& network, AlgorithmModel model,
                                         const Effort& effort) {
    if (model != AlgorithmModel::links)
        return {};
    auto links = *network.links;
    if (effort.past_slow_start)
        links.initial_window_bytes = 0;
    const double rate = 1 + links.rate_error, latency = 1 + links.latency_error;
    auto quick = scaled(links, rate, 1 / latency);
    quick.initial_window_bytes = 0;
    const bool exact = rate == 1 && latency == 1 && links.initial_window_bytes <= 0;
    if (exact || effort.value_only || effort.estimate)
        return {links};
    return {links, quick, scaled(links, 1 / rate, latency)};
}

/// The first is the value; ends that cross are put in order.
Estimate estimate_of(const std::vector<double>& times_s) {
    const auto [low, high] = std::minmax_element(times_s.begin(), times_s.end());
    return {times_s.front(), *low, *high};
}

} // namespace

AlgorithmTimer::AlgorithmTimer(const Network& network, const Algorithm& algorithm,
                               const Specification& specification, const Clusters& clusters,
                               AlgorithmModel model, Effort effort)
    : network_(network), algorithm_(algorithm), specification_(specification), clusters_(clusters),
      model_(model), effort_(effort), plogp_(plogp_with_ends(network, model)),
      links_(links_with_ends(network, model, effort)) {
    const auto exact = [](const PLogP& a, const PLogP& b) {
        return a.L_s == b.L_s && a.g_s == b.g_s;
    };
    if (plogp_.size() == 3 && (effort.value_only || exact(plogp_[1], plogp_[2])))
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

std::optional<AlgorithmTime> AlgorithmTimer::formula(const Parameters& parameters) const {
    const auto* form = rough_form(parameters);
    return form ? std::optional(by(*form, parameters)) : std::nullopt;
}

/// 1 where it cuts nothing.
double AlgorithmTimer::segments(const Parameters& parameters) const {
    if (parameters.segment_bytes == 0)
        return 1;
    return std::max(1.0, static_cast<double>(specification_.size_bytes()) /
                             static_cast<double>(parameters.segment_bytes));
}

/// An upper bound of those of any of our algorithms.
double AlgorithmTimer::messages_of_a_segment(const Parameters& parameters) const {
    const double n = specification_.ranks();
    if (specification_.collective() == Collective::alltoall)
        return n * n;
    return parameters.segment_bytes > 0 ? n : 3 * n;
}

Result<AlgorithmTime> AlgorithmTimer::operator()(const Parameters& parameters) const {
    if (model_ == AlgorithmModel::smt)
        return smt_equation_7();
    if (specification_.ranks() == 1)
        return AlgorithmTime{{}, "nothing to send", 0};
    if (!simulates(parameters))
        return by(*exact_form(algorithm_.name, plogp_[0], shape_of(parameters)), parameters);
    const double a_segment = messages_of_a_segment(parameters), count = segments(parameters);
    if (!effort_.estimate)
        return simulated(parameters);
    // Fewer segments than this do not show how a pipeline goes on. Where there is a form it stands
    // for all numbers of segments then: times of both kinds would compare unlike things.
    constexpr double telling_segments = 12;
    const auto* form = rough_form(parameters);
    if (form && count > 1 && telling_segments * a_segment > effort_.most_messages)
        return by(*form, parameters);
    if (a_segment * count <= effort_.most_messages)
        return simulated(parameters);
    if (count > 3 && 3 * a_segment <= effort_.most_messages)
        return by_segments(parameters);
    return form ? by(*form, parameters) : by_ranks(parameters);
}

Result<AlgorithmTime> AlgorithmTimer::simulated(const Parameters& parameters) const {
    if (const double messages = messages_of_a_segment(parameters) * segments(parameters);
        messages > effort_.most_messages)
        return refused(
            fmt::format("{} among {} ranks has no closed form under model {}, and {:.2g} "
                        "messages are too many to simulate",
                        algorithm_.name, specification_.ranks(), name_of(model_), messages));
    if (!effort_.memory)
        return played(parameters);
    const auto sizes = clusters_.sizes();
    const SimulationCache::Call call{&algorithm_,
                                     model_,
                                     {sizes.begin(), sizes.end()},
                                     specification_.root(),
                                     specification_.size_bytes(),
                                     parameters.segment_bytes,
                                     parameters.window,
                                     parameters.inter_cluster_window,
                                     std::max(plogp_.size(), links_.size()) > 1,
                                     effort_.past_slow_start};
    if (const auto* known = effort_.memory->find(call))
        return *known;
    const auto time = played(parameters);
    return time ? effort_.memory->keep(call, *time) : time;
}

Result<AlgorithmTime> AlgorithmTimer::played(const Parameters& parameters) const {
    const auto score = simulate::EventGraph::of(algorithm_, specification_, parameters);
    if (!score)
        return score.error();
    std::vector<double> times_s;
    double dropped_bytes = 0;
    std::vector<Timeout> timeouts;
    const auto add = [&](const Result<simulate::Times>& times) {
        if (!times)
            return false;
        if (times_s.empty()) {
            dropped_bytes = times->dropped_bytes();
            timeouts = times->timeouts;
        }
        times_s.push_back(times->time_s);
        return true;
    };
    for (const auto& plogp : plogp_)
        if (const auto times = simulate::run(*score, plogp); !add(times))
            return times.error();
    if (model_ == AlgorithmModel::cluster)
        if (const auto times = simulate::run(*score, *network_.cluster); !add(times))
            return times.error();
    for (const auto& links : links_)
        if (const auto times = simulate::run(*score, links, clusters_); !add(times))
            return times.error();
    auto bare_s = estimate_of(times_s);
    // Where every message counts all is taken to be as uncertain as the rates.
    if (effort_.estimate && model_ == AlgorithmModel::links) {
        bare_s.low /= 1 + network_.links->rate_error;
        bare_s.high *= 1 + network_.links->rate_error;
    }
    const auto time_s = with_timeouts(bare_s, timeouts);
    return AlgorithmTime{
        time_s,
        "simulated",
        dropped_bytes,
        {time_s.value - bare_s.value, time_s.low - bare_s.low, time_s.high - bare_s.high}};
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

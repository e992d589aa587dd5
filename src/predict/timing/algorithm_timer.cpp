// SPDX-License-Identifier: BSD-3-Clause
// Closed form where it is exact, the simulator everywhere else.
#include "predict/timing/algorithm_timer.hpp"

#include <fmt/format.h>

#include "predict/bounds/bounds.hpp"
#include "predict/parameters/segment_search.hpp"
#include "predict/timing/fewer_segments.hpp"
#include "predict/timing/operation_times.hpp"
#include "predict/timing/simulation_cache.hpp"
#include "predict/timing/timeout_chance.hpp"

namespace alltold {
namespace {

/// Without the networks at the ends of intervals if `effort` wants the value only.
std::vector<Simulated> networks_of(const Network& network, const CostModel& model,
                                   const Effort& effort) {
    if (!model.simulated)
        return {};
    auto networks = model.simulated(network, effort.past_slow_start);
    if (effort.value_only ||
        (effort.estimate && std::holds_alternative<LinkNetwork>(networks.front())))
        networks.erase(networks.begin() + 1, networks.end());
    return networks;
}

/// Of how fast ranks combine: in the order of CostModel::simulated, the value, the quick ends, the
/// slow ones.
double Estimate::*rate_of(std::size_t number) {
    constexpr std::array rates{&Estimate::value, &Estimate::high, &Estimate::low};
    return rates[std::min(number, rates.size() - 1)];
}

/// The first is the value; crossed ends are swapped.
Estimate estimate_of(const std::vector<double>& times_s) {
    const auto [low, high] = std::minmax_element(times_s.begin(), times_s.end());
    return {times_s.front(), *low, *high};
}

/// The largest share of a known queue, as small as it may be, that was taken at any time. Of 44
/// calls that filled one known within wide limits 39 % lost packets (docs/results/blind.md, "Full
/// queues").
double fullest_queue(const simulate::Times& times, const LinkNetwork& links) {
    double share = 0;
    const auto look_at = [&](const std::vector<simulate::QueueLoad>& queues, const Link& link) {
        for (const auto& queue : queues)
            if (queue.capacity_bytes > 0)
                share = std::max(share,
                                 queue.peak_bytes * (1 + link.queue_error) / queue.capacity_bytes);
    };
    look_at(times.ports, links.port);
    if (links.backbone) {
        look_at(times.uplinks, *links.backbone);
        look_at(times.downlinks, *links.backbone);
    }
    return share;
}

/// After so many segments an exchange, or a pipeline, is steady: estimates from no more lose
/// nothing in 22 labs (docs/results/regret.md, "Ablation").
constexpr double steady_segments = 7;

/// 1 without segmentation.
double segments_of(std::uint64_t size_bytes, const Parameters& parameters) {
    if (parameters.segment_bytes == 0)
        return 1;
    return std::max(1.0, static_cast<double>(size_bytes) /
                             static_cast<double>(parameters.segment_bytes));
}

/// Of all ranks, from the schedules of the root and of ranks at equal distances: all schedules of a
/// large call would take as long as its simulation. At least 1.
double messages_of(const Algorithm& algorithm, const Specification& specification,
                   const Parameters& parameters) {
    constexpr int most_looked_at = 8;
    const int others = specification.ranks() - 1, looked_at = std::min(others, most_looked_at);
    const auto ends_at = [&](int rank) {
        const auto schedule = schedule_of(algorithm, specification, parameters, rank);
        return static_cast<double>(
            std::ranges::count_if(schedule.operations(), &Operation::is_message));
    };
    double of_others = 0;
    for (int i = 0; i < looked_at; ++i)
        of_others +=
            ends_at((specification.root() + 1 + i * others / looked_at) % specification.ranks());
    return std::max(1., (ends_at(specification.root()) + of_others * others / looked_at) / 2);
}

SimulationCache::Schedules schedules_of(const Algorithm& algorithm, const Clusters& clusters,
                                        const Specification& specification,
                                        const Parameters& parameters) {
    return {&algorithm,
            clusters.text(),
            specification.root(),
            specification.size_bytes(),
            parameters.segment_bytes,
            parameters.window,
            parameters.inter_cluster_window};
}

} // namespace

AlgorithmTimer::AlgorithmTimer(const Network& network, const Algorithm& algorithm,
                               const Specification& specification, const Clusters& clusters,
                               const CostModel& model, Effort effort)
    : network_(network), algorithm_(algorithm), specification_(specification), clusters_(clusters),
      model_(model), effort_(effort), networks_(networks_of(network, model, effort)) {}

double AlgorithmTimer::largest_known_bytes() const {
    return model_.largest_bytes ? model_.largest_bytes(network_) : 0;
}

bool AlgorithmTimer::charges_losses() const {
    const auto* cluster =
        networks_.empty() ? nullptr : std::get_if<ClusterModel>(&networks_.front());
    return !cluster || cluster->timeout_s > 0;
}

const PLogP* AlgorithmTimer::plogp() const {
    return networks_.empty() ? nullptr : std::get_if<PLogP>(&networks_.front());
}

const LinkNetwork* AlgorithmTimer::links() const {
    return networks_.empty() ? nullptr : std::get_if<LinkNetwork>(&networks_.front());
}

bool AlgorithmTimer::wants_window_share() const {
    return effort_.window_share && links() && network_.links->initial_window_bytes > 0 &&
           !network_.links->past_slow_start && clusters_.count() > 1 && !effort_.past_slow_start;
}

bool AlgorithmTimer::simulates(const Parameters& parameters) const {
    if (!model_.simulated)
        return false;
    if (!has_shape())
        return true;
    for (std::size_t i = 0; i < networks_.size(); ++i)
        if (!exact_form(algorithm_.name, std::get<PLogP>(networks_[i]), shape_of(parameters, i)))
            return true;
    return false;
}

bool AlgorithmTimer::has_shape() const {
    const bool empty =
        traits_of(algorithm_.collective).has_data && specification_.size_bytes() == 0;
    return plogp() && !empty && specification_.reduction() == Reduction{} && !network_.loop_work_s;
}

CallShape AlgorithmTimer::shape_of(const Parameters& parameters, std::size_t number) const {
    return {specification_.ranks(),
            static_cast<double>(specification_.size_bytes()),
            static_cast<double>(parameters.segment_bytes),
            parameters.window,
            specification_.root(),
            network_.combine_s_per_byte(rate_of(number)),
            copy_time(network_).beta_s_per_byte};
}

const ClosedForm* AlgorithmTimer::rough_form(const Parameters& parameters) const {
    if (!has_shape())
        return nullptr;
    const auto call = shape_of(parameters);
    for (const auto relation : {Relation::exact, Relation::upper_bound, Relation::approximation})
        for (const auto& form : closed_forms())
            if (form.algorithm == algorithm_.name && form.relation(*plogp(), call) == relation)
                return &form;
    return nullptr;
}

ModelTime AlgorithmTimer::by(const ClosedForm& form, const Parameters& parameters) const {
    std::vector<double> times_s;
    for (const auto& network : networks_)
        times_s.push_back(
            form.time_s(std::get<PLogP>(network), shape_of(parameters, times_s.size())));
    const auto relation = form.relation(*plogp(), shape_of(parameters));
    return {.time_s = estimate_of(times_s),
            .known = Known::closed_form,
            .method = relation == Relation::exact
                          ? std::string(form.source)
                          : fmt::format("{}, {}", form.source, name_of(relation))};
}

std::optional<ModelTime> AlgorithmTimer::formula(const Parameters& parameters) const {
    const auto* form = rough_form(parameters);
    return form ? std::optional(by(*form, parameters)) : std::nullopt;
}

double AlgorithmTimer::segments(const Parameters& parameters) const {
    return segments_of(specification_.size_bytes(), parameters);
}

/// Whether each rank sends to most others.
bool AlgorithmTimer::is_exchange(double a_segment) const {
    const int ranks = specification_.ranks();
    return a_segment > ranks * std::sqrt(ranks);
}

/// How many segments one simulation of an estimate has at most. Of an exchange, which is steady
/// after a few, a third of the messages that would be allowed tells as much: within 2 % in nine of
/// ten calls of five random labs (docs/choosing.md).
double AlgorithmTimer::most_segments(double a_segment) const {
    constexpr double share = 1. / 3;
    const double most = effort_.most_messages / a_segment;
    return is_exchange(a_segment) ? std::max(share * most, std::min(most, steady_segments)) : most;
}

/// An upper bound for all our algorithms of the four collectives of the papers. Those of the others
/// send n messages or n^2, some of them of parts that are shorter than a segment: they are counted.
double AlgorithmTimer::messages_of_a_segment(const Parameters& parameters) const {
    const double n = specification_.ranks();
    if (algorithm_.collective == Collective::alltoall)
        return n * n;
    if (std::ranges::count(papers_collectives, algorithm_.collective) > 0)
        return parameters.segment_bytes > 0 ? n : 3 * n;
    return n <= most_built ? counted_messages(clusters_, specification_, parameters)
                           : messages_by_ranks(parameters);
}

double AlgorithmTimer::messages_of_pairs(const Parameters& parameters) const {
    double messages = 0;
    for (int from = 0; from < specification_.ranks(); ++from)
        for (int to = 0; to < specification_.ranks(); ++to)
            messages += segments_of(specification_.size_bytes(from, to), parameters);
    return messages;
}

double AlgorithmTimer::counted_messages(const Clusters& clusters, const Specification& whole,
                                        Parameters parameters) const {
    if (parameters.clusters)
        parameters.clusters = clusters;
    // Blocks are cut alike, so that two segments tell; of a vector each rank may cut its part, and
    // then two segments of each part do.
    const bool of_blocks = algorithm_.collective == Collective::allgather ||
                           algorithm_.collective == Collective::reduce_scatter_block;
    const auto parts = static_cast<std::uint64_t>(of_blocks ? 1 : whole.ranks());
    const auto looked_at = fewer_segments(whole, parameters.segment_bytes, 2 * parts).specification;
    const auto count = [&] {
        return messages_of(algorithm_, looked_at, parameters) /
               segments_of(looked_at.size_bytes(), parameters);
    };
    return effort_.simulations
               ? effort_.simulations->messages(
                     schedules_of(algorithm_, clusters, looked_at, parameters), count)
               : count();
}

Result<ModelTime> AlgorithmTimer::operator()(const Parameters& parameters) const {
    auto time = time_of(parameters);
    if (time)
        time->timeout_sd = time->sd_of_timeouts();
    return time;
}

Result<ModelTime> AlgorithmTimer::time_of(const Parameters& parameters) const {
    const bool per_pair = traits_of(specification_.collective()).per_pair;
    if (model_.algorithm && per_pair)
        return refused(fmt::format("{} is of blocks of one size, and those of an {} differ",
                                   model_.source, name_of(specification_.collective())));
    if (model_.algorithm)
        return ModelTime{.time_s =
                             model_.algorithm(network_, clusters_, algorithm_.name,
                                              static_cast<double>(specification_.size_bytes())),
                         .known = Known::closed_form,
                         .method = std::string(model_.source)};
    if (specification_.ranks() == 1)
        return ModelTime{.time_s = {}, .method = "nothing to send"};
    if (!simulates(parameters))
        return by(*exact_form(algorithm_.name, *plogp(), shape_of(parameters)), parameters);
    if (per_pair) // no smaller call has blocks like these
        return simulated(parameters, messages_of_pairs(parameters));
    const double a_segment = messages_of_a_segment(parameters), count = segments(parameters);
    if (!effort_.estimate)
        return simulated(parameters, a_segment * count);
    const double most = most_segments(a_segment);
    // A closed form, if there is one, covers all numbers of segments where so few can be simulated:
    // times of both kinds are not comparable.
    const auto* form = rough_form(parameters);
    if (form && count > 1 && steady_segments * a_segment > effort_.most_messages)
        return by(*form, parameters);
    if (count <= most)
        return simulated(parameters, a_segment * count);
    if (count > 3 && most >= 3)
        return by_segments(parameters, most);
    return form ? by(*form, parameters) : by_ranks(parameters, a_segment);
}

Result<ModelTime> AlgorithmTimer::simulated(const Parameters& parameters, double messages) const {
    if (messages > effort_.most_messages)
        return bad_input(fmt::format(
            "{} among {} ranks has no closed form under model {}, and {:.2g} messages are too many "
            "to simulate; use fewer ranks or larger segments{}",
            algorithm_.name, specification_.ranks(), model_.name, messages,
            traits_of(specification_.collective()).per_pair
                ? "" // which takes one block size
                : ", or 'alltold rank', which estimates"));
    return kept_simulation(parameters);
}

Result<ModelTime> AlgorithmTimer::kept_simulation(const Parameters& parameters) const {
    const auto make = [&] {
        return simulate::EventGraph::of(algorithm_, specification_, parameters);
    };
    if (!effort_.simulations) {
        ALLTOLD_TRY(graph, make());
        return run_simulation(*graph);
    }
    const SimulationCache::Call call{
        schedules_of(algorithm_, clusters_, specification_, parameters),
        &model_,
        networks_.size() > 1,
        effort_.past_slow_start,
        effort_.window_share,
        effort_.starts_apart,
        network_.loop_work_s};
    if (const auto* known = effort_.simulations->find(call))
        return *known;
    ALLTOLD_TRY(graph, effort_.simulations->graph(call, make));
    const auto time = run_simulation(**graph);
    return time ? effort_.simulations->keep(call, *time) : time;
}

/// `rate`: the end of the interval of how fast ranks combine.
Result<simulate::Times> AlgorithmTimer::simulated_on(const Simulated& network,
                                                     const simulate::EventGraph& graph,
                                                     double Estimate::*rate) const {
    return run_on(network, graph, clusters_, options_of(network_, rate));
}

/// By what a block takes a port, or what a processor may be late: then the order in which messages
/// meet is chance. Of such calls 92 % lost packets, and 27 % took a time-out in some repetitions
/// (239 calls, docs/results/blind.md, "Full queues").
bool AlgorithmTimer::loses_apart(const simulate::EventGraph& graph) const {
    constexpr std::uint64_t draws = 2;
    constexpr double most_late_s = 5e-3;
    const double apart_s = std::min(most_late_s, static_cast<double>(specification_.size_bytes()) /
                                                     links()->port.goodput_bytes_per_s);
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
        Random random(draw);
        auto options = options_of(network_);
        for (int rank = 0; rank < specification_.ranks(); ++rank)
            options.starts_s.push_back(apart_s * random.uniform());
        const auto times = run_on(networks_.front(), graph, clusters_, options);
        if (times && times->dropped_bytes() > 0)
            return true;
    }
    return false;
}

/// `used_s` is what used connections take. Idle connections have their initial windows. If one rank
/// cannot receive blocks of the call's size from all others at once without loss, connections may
/// also have had losses before, since programs make such calls too.
void AlgorithmTimer::add_window_waits(ModelTime& time, const simulate::EventGraph& graph,
                                      double used_s) const {
    auto idle = *network_.links;
    const int senders = clusters_.ranks() - clusters_.most_ranks_of_a_host();
    const double after_losses_bytes = window_after_losses_bytes(idle, senders);
    const double offered_bytes = senders * static_cast<double>(specification_.size_bytes());
    if (after_losses_bytes > 0 && offered_bytes > idle.port.queue_bytes)
        idle.window_bytes = after_losses_bytes;
    if (!simulate::may_fill_windows(graph, idle, clusters_))
        return;
    const auto times = simulated_on(idle, graph, &Estimate::value);
    if (!times || times->time_s <= 0)
        return;
    time.window_share = std::max(0., 1 - used_s / times->time_s);
    time.small_windows = std::max(1., times->time_s / used_s);
}

Result<ModelTime> AlgorithmTimer::run_loop(const simulate::EventGraph& graph) const {
    // The period is that of the last calls. Those before fill pipelines and queues: 4 calls do, but
    // n with work between them, which a chain of n ranks shifts from rank to rank. Against loops of
    // 64 calls this is within 2 % on average for broadcasts of 4 to 32 ranks, and within 3 % for
    // reductions of 4 KiB and more (11 % below where all ranks run ahead of a root); a call of many
    // messages is in its steady state by itself.
    constexpr int timed = 4;
    const int filling = *network_.loop_work_s > 0 ? graph.ranks() : timed;
    const int calls =
        whole_between(effort_.most_messages / std::max(1, graph.messages()), 2, timed + filling);
    const int from = std::max(calls - timed, calls / 2);
    const auto loop = graph.repeated(calls);
    auto options = options_of(network_);
    options.operations = true;
    options.work_s = *network_.loop_work_s;
    // A single call's handshakes are in its correction, but here they keep ranks from running
    // ahead.
    if (options.buffered_bytes > 0)
        options.eager_limit_bytes = options.buffered_bytes;
    ALLTOLD_TRY(times, run_on(networks_.front(), loop, clusters_, options));
    double period_s = 0;
    for (int rank = 0; rank < loop.ranks(); ++rank) {
        const int length = (loop.first(rank + 1) - loop.first(rank)) / calls;
        const auto end_s = [&](int call) {
            const auto last = loop.first(rank) + call * length - 1;
            return times->ended_s[static_cast<std::size_t>(last)];
        };
        period_s = std::max(period_s, (end_s(calls) - end_s(from)) / (calls - from));
    }
    // Where many ranks run ahead of a root, the last calls find its port's queue shorter than in a
    // long loop: the time of 8 reductions of 4 KiB by a binomial tree came to half of its port's.
    if (const auto rates = port_rates(network_, clusters_))
        period_s = std::max(period_s, busiest_port_s(graph, clusters_, *rates));
    // Work may hide a call altogether, and 0 says that a time is not known.
    constexpr double least_s = 1e-9;
    const auto bare_s = Estimate::exact(std::max(least_s, period_s - options.work_s));
    const auto whole_s = Estimate::exact(times->time_s);
    const auto with_losses_s = with_timeouts(whole_s, times->timeouts);
    const auto of_a_call = [&](double Estimate::*end) {
        return (with_losses_s.*end - times->time_s) / calls;
    };
    const Estimate timeouts_s{of_a_call(&Estimate::value), of_a_call(&Estimate::low),
                              of_a_call(&Estimate::high)};
    return ModelTime{.time_s = {bare_s.value + timeouts_s.value, bare_s.low + timeouts_s.low,
                                bare_s.high + timeouts_s.high},
                     .timeouts_s = timeouts_s,
                     .overflow_bytes = times->dropped_bytes() / calls,
                     .may_lose = times->dropped_bytes() > 0,
                     .fullest = links() ? fullest_queue(*times, *links()) : 0,
                     .method = "simulated in a loop"};
}

Result<ModelTime> AlgorithmTimer::run_simulation(const simulate::EventGraph& graph) const {
    if (network_.loop_work_s)
        return run_loop(graph);
    std::vector<double> times_s;
    simulate::Times first;
    for (const auto& network : networks_) {
        ALLTOLD_TRY(times, simulated_on(network, graph, rate_of(times_s.size())));
        times_s.push_back(times->time_s);
        if (times_s.size() == 1)
            first = std::move(*times);
    }
    const double dropped_bytes = first.dropped_bytes(),
                 fullest = links() ? fullest_queue(first, *links()) : 0;
    auto bare_s = estimate_of(times_s);
    // Assume that the whole time is as uncertain as the rates.
    if (effort_.estimate && links()) {
        bare_s.low /= 1 + links()->rate_error;
        bare_s.high *= 1 + links()->rate_error;
    }
    const auto time_s = with_timeouts(bare_s, first.timeouts);
    ModelTime time{.time_s = time_s,
                   .timeouts_s = {time_s.value - bare_s.value, time_s.low - bare_s.low,
                                  time_s.high - bare_s.high},
                   .overflow_bytes = dropped_bytes,
                   .fullest = fullest};
    time.may_lose =
        dropped_bytes > 0 || (effort_.starts_apart && fullest > well_filled && loses_apart(graph));
    if (wants_window_share())
        add_window_waits(time, graph, first.time_s);
    return time;
}

} // namespace alltold

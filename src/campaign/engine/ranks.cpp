// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/engine/ranks.hpp"

#include <csignal>
#include <numeric>

#include "campaign/engine/context.hpp"
#include "runtime/mpi/requests.hpp"
#include "topology/rank_order.hpp"

namespace alltold::campaign {
namespace {

std::atomic<int> stop{0};
static_assert(std::atomic<int>::is_always_lock_free);

void on_stop(int signal) {
    stop = signal;
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

} // namespace

void catch_stop_signals() {
    handle(SIGINT, on_stop);
    handle(SIGTERM, on_stop);
}

bool stop_requested() {
    return stop != 0;
}

int stop_signal() {
    return stop;
}

namespace {

/// A rank that waits for its next order costs its host under 1 % of a processor with such naps.
constexpr double longest_idle_nap_s = 2e-3;

std::vector<int> all_ranks(const Clusters& clusters) {
    std::vector<int> ranks(static_cast<std::size_t>(clusters.ranks()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/// Whether a message with `tag` waits, and where it came from.
Result<bool> waiting(const mpi::ManagedCommunicator& over, Tag tag, MPI_Status& from) {
    int found = 0;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Iprobe, MPI_ANY_SOURCE, tag, over.handle(), &found, &from));
    return found != 0;
}

} // namespace

std::string message_of(const Order& order) {
    const auto& [point, root, repetitions, limit_s, start_mode, warm, verify, pattern, between,
                 trace] = order.measurement;
    const nlohmann::json json{static_cast<int>(order.what),
                              static_cast<int>(order.status),
                              point.probe,
                              point.algorithm,
                              point.clusters.text(),
                              point.size_bytes,
                              point.first_rank,
                              point.second_rank,
                              point.count,
                              root,
                              repetitions,
                              limit_s,
                              static_cast<int>(start_mode),
                              warm,
                              verify,
                              pattern,
                              between.work_s,
                              between.exponential,
                              between.sync,
                              between.seed,
                              trace};
    return json.dump();
}

Order order_in(std::string_view message) {
    const auto json = nlohmann::json::parse(message);
    std::size_t at = 0;
    const auto next = [&](auto& into) { json[at++].get_to(into); };
    const auto next_enum = [&](auto& into) {
        into = static_cast<std::remove_reference_t<decltype(into)>>(json[at++].get<int>());
    };
    Order order;
    auto& [point, root, repetitions, limit_s, start_mode, warm, verify, pattern, between, trace] =
        order.measurement;
    std::string clusters;
    next_enum(order.what);
    next_enum(order.status);
    next(point.probe);
    next(point.algorithm);
    next(clusters);
    point.clusters = *Clusters::parse(clusters);
    next(point.size_bytes);
    next(point.first_rank);
    next(point.second_rank);
    next(point.count);
    next(root);
    next(repetitions);
    next(limit_s);
    next_enum(start_mode);
    next(warm);
    next(verify);
    next(pattern);
    next(between.work_s);
    next(between.exponential);
    next(between.sync);
    next(between.seed);
    next(trace);
    return order;
}

std::vector<int> ranks_of(const Point& point, const Clusters& world) {
    if (point.second_rank >= 0 && point.n() == 2)
        return {point.first_rank, point.second_rank};
    std::vector<int> ranks;
    const auto place = place_of(point.clusters, world);
    assert(point.first_rank >= 0 || !place.empty());
    for (int c = 0; c < point.clusters.count(); ++c) {
        const int first = point.first_rank < 0 ? world.first(place[static_cast<std::size_t>(c)])
                          : c == 0             ? point.first_rank
                                               : point.second_rank;
        int there = world.host_of(first);
        for (int host = point.clusters.first_host(c); host < point.clusters.first_host(c + 1);
             ++host, ++there)
            for (int i = 0; i < point.clusters.ranks_of_host(host); ++i)
                ranks.push_back(world.first_of_host(there) + i);
    }
    return ranks;
}

Ranks::Ranks(mpi::ManagedCommunicator control, mpi::ManagedCommunicator traffic, Clusters clusters,
             GlobalClock clock, Extras extras)
    : control_(std::move(control)), traffic_(std::move(traffic)), clusters_(std::move(clusters)),
      clock_(clock), extras_(std::move(extras)), everyone_(all_ranks(clusters_), clusters_),
      retransmissions_(std::make_unique<RetransmissionCounter>()) {}

Result<Ranks> Ranks::gather(const mpi::ManagedCommunicator& world, const Clusters& clusters,
                            GlobalClock clock, Extras extras) {
    ALLTOLD_TRY(control, world.dup());
    ALLTOLD_TRY(traffic, world.dup());
    return Ranks(std::move(*control), std::move(*traffic), clusters, clock, std::move(extras));
}

Result<const mpi::ManagedCommunicator*> Ranks::subset(const Point& point) {
    const auto ranks = ranks_of(point, clusters_);
    auto found = subsets_.find(ranks);
    if (found == subsets_.end()) {
        ALLTOLD_TRY(made, control_.subset(ranks, tag_subset));
        found = subsets_.emplace(ranks, std::move(*made)).first;
    }
    return &found->second;
}

Result<Choice> Ranks::choice_of(const std::string& algorithm) const {
    for (const auto& choice : extras_.algorithms)
        if (text_of(choice) == algorithm)
            return choice;
    return parse_choice(algorithm);
}

Result<const Runner*> Ranks::runner(const Point& point) {
    const std::tuple key(point.probe, point.algorithm, point.clusters.text(), point.first_rank);
    auto found = runners_.find(key);
    if (found == runners_.end()) {
        ALLTOLD_TRY(over, subset(point));
        ALLTOLD_TRY(choice, choice_of(point.algorithm));
        const auto probe = CollectiveProbe::parse(point.probe);
        assert(probe);
        ALLTOLD_TRY(runner, Runner::make(**over, *choice, probe->collective, point.clusters));
        found = runners_.emplace(key, std::move(*runner)).first;
    }
    return &found->second;
}

Specification Ranks::specification(const Measurement& measurement) const {
    const auto& point = measurement.point;
    const auto collective = CollectiveProbe::parse(point.probe)->collective;
    if (collective == Collective::alltoallv)
        return extras_.matrix->specification(point.n(), point.size_bytes);
    return Specification::of(collective, point.n(), measurement.root, point.size_bytes);
}

const Tree& Ranks::participants(const Point& point) {
    auto ranks = ranks_of(point, clusters_);
    if (std::find(ranks.begin(), ranks.end(), 0) == ranks.end())
        ranks.push_back(0);
    std::sort(ranks.begin(), ranks.end());
    return trees_.try_emplace(ranks, ranks, clusters_).first->second;
}

const RetransmissionCounter* Ranks::counter_for(const Tree& tree) const {
    const int host = clusters_.host_of(rank());
    const bool lower = std::ranges::any_of(tree.members(), [&](int other) {
        return other < rank() && clusters_.host_of(other) == host;
    });
    return lower ? nullptr : retransmissions_.get();
}

Status Ranks::give(const Order& order) {
    const auto& concerned =
        order.what == Order::What::measure ? participants(order.measurement.point) : everyone_;
    const auto message = message_of(order);
    for (const int child : concerned.children(rank()))
        ALLTOLD_TRY_DONE(control_.send(std::as_bytes(std::span(message)), child, tag_order));
    return Done{};
}

Result<Order> Ranks::await(Watchdog& watchdog) {
    MPI_Status from{};
    for (mpi::Naps naps(longest_idle_nap_s);; naps.take()) {
        ALLTOLD_TRY(arrived, waiting(control_, tag_order, from));
        if (*arrived)
            break;
        if (stop_requested() && !sent_signal_) {
            const int signal = 1;
            ALLTOLD_TRY_DONE(control_.send(mpi::bytes_of(signal), 0, tag_stop));
            sent_signal_ = true;
        }
    }
    int length = 0;
    PMPI_Get_count(&from, MPI_BYTE, &length);
    std::string message(static_cast<std::size_t>(length), '\0');
    ALLTOLD_TRY_DONE(
        control_.receive(std::as_writable_bytes(std::span(message)), from.MPI_SOURCE, tag_order));
    watchdog.feed();
    const auto order = order_in(message);
    ALLTOLD_TRY_DONE(give(order));
    return order;
}

Result<bool> Ranks::interrupted() {
    for (MPI_Status from{};;) {
        ALLTOLD_TRY(more, waiting(control_, tag_stop, from));
        if (!*more)
            return sent_signal_ || stop_requested();
        int signal = 0;
        ALLTOLD_TRY_DONE(control_.receive(mpi::bytes_of(signal), from.MPI_SOURCE, tag_stop));
        sent_signal_ = true;
    }
}

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// Communicators, trees and commands of a campaign.
#include "campaign/team.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "campaign/plan.hpp"
#include "campaign/probe.hpp"
#include "campaign/tags.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/mpi/requests.hpp"

namespace alltold::measure {
namespace {

/// A rank that waits for its next command costs its host under 1 % of a processor with such naps.
constexpr double longest_idle_nap_s = 2e-3;

std::vector<int> all_ranks(const Clusters& clusters) {
    std::vector<int> ranks(static_cast<std::size_t>(clusters.ranks()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

} // namespace

Team::Team(mpi::Communicator control, mpi::Communicator traffic, Clusters clusters,
           std::vector<Point> plan, GlobalClock clock)
    : control_(std::move(control)), traffic_(std::move(traffic)), clusters_(std::move(clusters)),
      plan_(std::move(plan)), clock_(clock), everyone_(all_ranks(clusters_), clusters_) {
    for (const auto& point : plan_) {
        const auto ranks = ranks_of(point, clusters_);
        auto visitors = ranks;
        if (std::find(visitors.begin(), visitors.end(), 0) == visitors.end())
            visitors.insert(visitors.begin(), 0);
        std::sort(visitors.begin(), visitors.end());
        trees_.try_emplace(ranks, visitors, clusters_);
    }
}

Result<Team> Team::gather(const mpi::Communicator& world, const Clusters& clusters,
                          std::vector<Point> plan, GlobalClock clock) {
    auto control = world.dup();
    if (!control)
        return control.error();
    auto traffic = world.dup();
    if (!traffic)
        return traffic.error();
    Team team(std::move(*control), std::move(*traffic), clusters, std::move(plan), clock);
    std::map<std::string, bool> seen;
    for (const auto& point : team.plan_) {
        if (!probe_of(point).own_communicator || !seen.emplace(point.clusters.text(), true).second)
            continue;
        const auto ranks = ranks_of(point, clusters);
        const bool mine = std::find(ranks.begin(), ranks.end(), world.rank()) != ranks.end();
        auto part = world.split(mine ? std::optional(0) : std::nullopt);
        if (!part)
            return part.error();
        if (*part)
            team.subsets_.emplace(point.clusters.text(), std::move(**part));
    }
    return team;
}

Point Team::point_of(const Command& command) const {
    auto point = plan_[static_cast<std::size_t>(command.point)];
    point.size_bytes = command.size_bytes;
    point.count = command.count;
    return point;
}

const mpi::Communicator& Team::subset(const Point& point) const {
    return subsets_.at(point.clusters.text());
}

Result<const play::Player*> Team::player(const Point& point) {
    const std::tuple key(point.probe, point.algorithm, point.clusters.text());
    auto found = players_.find(key);
    if (found == players_.end()) {
        const auto choice = parse_choice(point.algorithm);
        if (!choice)
            return choice.error();
        const auto collective = collective_named(point.probe);
        assert(collective);
        auto player = play::Player::make(subset(point), {*choice}, *collective, point.clusters);
        if (!player)
            return player.error();
        found = players_.emplace(key, std::move(*player)).first;
    }
    return &found->second;
}

const Tree& Team::visitors(int point) const {
    return trees_.at(ranks_of(plan_[static_cast<std::size_t>(point)], clusters_));
}

const Tree& Team::concerned(const Command& command) const {
    return command.what == Command::What::visit ? visitors(command.point) : everyone_;
}

Status Team::give(const Command& command) const {
    for (const int child : concerned(command).children(rank()))
        if (auto sent = control_.send(mpi::bytes_of(command), child, tag_command); !sent)
            return sent;
    return Done{};
}

Result<Command> Team::await(const Watchdog& watchdog) {
    Command command;
    mpi::Requests arrival;
    if (auto posted =
            arrival.receive(control_, mpi::bytes_of(command), MPI_ANY_SOURCE, tag_command);
        !posted)
        return posted.error();
    for (mpi::Naps naps(longest_idle_nap_s);; naps.take()) {
        const auto arrived = arrival.test();
        if (!arrived)
            return arrived.error();
        if (*arrived)
            break;
        if (stop_requested() && !told_of_signal_) {
            const int signal = 1;
            if (auto sent = control_.send(mpi::bytes_of(signal), 0, tag_stop); !sent)
                return sent.error();
            told_of_signal_ = true;
        }
    }
    watchdog.feed();
    if (auto given = give(command); !given)
        return given.error();
    return command;
}

Result<bool> Team::interrupted() {
    for (int waiting = 1; waiting != 0;) {
        MPI_Status from{};
        if (auto probed =
                mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, tag_stop, control_.handle(), &waiting, &from),
                           "MPI_Iprobe");
            !probed)
            return probed.error();
        int signal = 0;
        if (waiting != 0) {
            if (auto got = control_.receive(mpi::bytes_of(signal), from.MPI_SOURCE, tag_stop); !got)
                return got.error();
            told_of_signal_ = true;
        }
    }
    return told_of_signal_ || stop_requested();
}

} // namespace alltold::measure

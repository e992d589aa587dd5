// SPDX-License-Identifier: BSD-3-Clause
// From what was asked for to players, clocks and the arena.
#include "campaign/compare/contest.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <new>

#include <fmt/format.h>

#include "campaign/compare/arena.hpp"
#include "campaign/prompt.hpp"
#include "core/units.hpp"
#include "runtime/mpi/agree.hpp"

namespace alltold::compare {
namespace {

std::string processor_name() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return {name.data(), static_cast<std::size_t>(length)};
}

template <typename T>
T value_or_abort(Result<T> result) {
    if (!result)
        mpi::Session::abort(result.error());
    return std::move(*result);
}

/// Candidates with their communicators, and every schedule made; an error is the same on all ranks.
Result<std::vector<Player>> assemble(const mpi::Communicator& world, const Contest& contest,
                                     const std::vector<Specification>& specifications,
                                     const Buffers& buffers) {
    std::vector<Player> players;
    Status ready = Done{};
    for (const auto& candidate : contest.candidates) {
        auto player = Player::make(world, candidate, contest.collective, contest.clusters);
        if (!player)
            return player.error();
        for (const auto& specification : specifications)
            if (auto made = player->rehearse(specification, buffers); !made && ready)
                ready =
                    Error{fmt::format("{} at {}: {}", candidate.name(),
                                      format_size(static_cast<double>(specification.size_bytes())),
                                      made.error().message),
                          made.error().status};
        players.push_back(std::move(*player));
    }
    if (auto agreed = mpi::agree_all(world, ready); !agreed)
        return agreed.error();
    return players;
}

Result<std::optional<Outcome>> run_on(const mpi::Communicator& world, const Contest& contest) {
    measure::catch_stop_signals();
    std::vector<Specification> specifications;
    for (const auto size_bytes : contest.sizes_bytes)
        specifications.push_back(contest.specification(size_bytes));
    Buffers buffers(contest.specification(std::ranges::max(contest.sizes_bytes)), world.rank());
    auto players = assemble(world, contest, specifications, buffers);
    if (!players)
        return players.error();
    const auto hosts = value_or_abort(world.gather_text(processor_name()));
    auto team =
        value_or_abort(measure::Team::gather(world, contest.clusters, {}, measure::GlobalClock()));
    const auto clocks =
        value_or_abort(measure::compare_clocks(team.control(), team.everyone(), team.clock()));
    Arena arena(team, contest, std::move(*players), std::move(specifications), std::move(buffers),
                clocks);
    auto outcome = arena.run();
    if (!outcome && outcome.error().status == ExitStatus::no)
        return outcome.error();
    auto known = value_or_abort(std::move(outcome));
    if (world.rank() != 0)
        return std::optional<Outcome>();
    known.hosts = hosts;
    return std::optional(std::move(known));
}

} // namespace

Specification Contest::specification(std::uint64_t size_bytes) const {
    if (collective == Collective::alltoallv)
        return matrix->specification(clusters.ranks(), size_bytes);
    return Specification::of(collective, clusters.ranks(), root, size_bytes);
}

std::string text_of(const Failure& failure) {
    return fmt::format("{} at {}, repetition {}: rank {} has a wrong byte: {}", failure.candidate,
                       format_size(static_cast<double>(failure.size_bytes)), failure.repetition,
                       failure.rank, text_of(failure.wrong));
}

const Entry& Outcome::entry(int candidate, std::uint64_t size_bytes) const {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) {
        return one.candidate == candidate && one.size_bytes == size_bytes;
    });
    assert(found != entries.end());
    return *found;
}

Result<std::optional<Outcome>> run(const mpi::Communicator& world, const Contest& contest) {
    measure::wake_promptly();
    try {
        return run_on(world, contest);
    } catch (const std::bad_alloc&) {
        mpi::Session::abort(environment("out of memory; run smaller sizes with -m"));
    }
}

} // namespace alltold::compare

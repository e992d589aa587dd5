// SPDX-License-Identifier: BSD-3-Clause
// Who comes when, and what is done with each time.
#include "campaign/compare/arena.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "campaign/compare/drop_out.hpp"
#include "campaign/prompt.hpp"
#include "core/random.hpp"
#include "core/units.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::compare {
namespace {

constexpr double compare_clocks_every_s = 5;

} // namespace

std::vector<std::size_t> Arena::shuffled(int round) const {
    std::vector<std::size_t> order(outcome_.entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(contest_.seed * 1000003 + static_cast<std::uint64_t>(round));
    for (auto i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.index(i)]);
    return order;
}

Result<Outcome> Arena::run() {
    for (int round = 0; round <= contest_.repetitions; ++round) {
        if (contest_.keep_within > 0 && round > 0)
            if (auto dropped = drop_out(); !dropped)
                return dropped.error();
        for (const auto index : shuffled(round)) {
            if (outcome_.entries[index].dropped_out)
                continue;
            auto decision = repeat(index, round);
            while (decision && decision->next == Decision::Next::again)
                decision = repeat(index, round);
            if (!decision)
                return decision.error();
            if (decision->next == Decision::Next::wrong)
                return refused(team_.rank() == 0 ? text_of(failure_) : "");
            if (decision->next == Decision::Next::stop) {
                outcome_.elapsed_s = now_s() - started_s_;
                return outcome_;
            }
        }
    }
    outcome_.elapsed_s = now_s() - started_s_;
    return outcome_;
}

/// Rank 0 has the times; all others hear who is out.
Status Arena::drop_out() {
    auto& entries = outcome_.entries;
    std::vector<char> gone(entries.size());
    const auto candidates = contest_.candidates.size();
    for (std::size_t first = 0; team_.rank() == 0 && first < entries.size(); first += candidates) {
        std::vector<Standing> standings;
        for (std::size_t i = 0; i < candidates; ++i) {
            const auto& entry = entries[first + i];
            const auto& candidate = contest_.candidates[i];
            standings.push_back(
                {entry.warmup_s, entry.times_s, candidate.rules || candidate.choice.is_default()});
        }
        const auto slow = out(standings, contest_.keep_within);
        std::copy(slow.begin(), slow.end(), gone.begin() + static_cast<std::ptrdiff_t>(first));
    }
    if (auto told = mpi::check(MPI_Bcast(gone.data(), static_cast<int>(gone.size()), MPI_BYTE, 0,
                                         team_.control().handle()),
                               "MPI_Bcast");
        !told)
        return told;
    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i].dropped_out = entries[i].dropped_out || gone[i] != 0;
    return Done{};
}

/// Fills, times, checks, and hears what comes next.
Result<Decision> Arena::repeat(std::size_t index, int round) {
    const auto& entry = outcome_.entries[index];
    const auto& specification = specifications_[index / contest_.candidates.size()];
    show_progress(index, round);
    watchdog_.feed();
    const auto& player = players_[static_cast<std::size_t>(entry.candidate)];
    if (auto ready = player.rehearse(specification, buffers_); !ready)
        return ready.error();
    buffers_.fill(specification, ++repetitions_);
    const auto time_s = time(player, specification);
    if (!time_s)
        return time_s.error();
    auto decision = decide(index, round, *time_s);
    if (decision && decision->compare_clocks)
        if (auto together = keep_clocks_together(); !together)
            return together.error();
    return decision;
}

/// Plays once from an agreed instant; the time is known to rank 0.
Result<double> Arena::time(const Player& player, const Specification& specification) {
    double took_s = 0;
    const auto play = [&] {
        return measure::play_led(contest_.start_mode, player, specification, buffers_,
                                 team_.clock().local(), took_s);
    };
    const auto longest = [&] { return took_s; };
    const auto& everyone = team_.everyone();
    if (team_.rank() != 0) {
        const auto joined = measure::join_in(team_, everyone, watchdog_, play, longest);
        return joined ? Result<double>(0.) : joined.error();
    }
    const auto timed = measure::lead(team_, everyone, margin_.now_s(), play, longest);
    if (!timed)
        return timed.error();
    if (auto dismissed = measure::dismiss(team_, everyone); !dismissed)
        return dismissed.error();
    timed_ = *timed;
    const auto dropped = dropped_so_far();
    dropped_in_ = dropped && dropped_ ? std::optional(*dropped - *dropped_) : std::nullopt;
    dropped_ = dropped;
    return measure::led_time_s(contest_.start_mode, *timed);
}

Status Arena::gather_verdict(const Verdict& mine, std::size_t index, int round, bool& wrong) {
    std::vector<Verdict> all(static_cast<std::size_t>(team_.control().size()));
    const int size = sizeof mine;
    if (auto told = mpi::check(MPI_Gather(&mine, size, MPI_BYTE, all.data(), size, MPI_BYTE, 0,
                                          team_.control().handle()),
                               "MPI_Gather");
        !told)
        return told;
    const auto first =
        std::find_if(all.begin(), all.end(), [](const auto& v) { return v.is_wrong; });
    wrong = team_.rank() == 0 && first != all.end();
    if (wrong) {
        const auto& entry = outcome_.entries[index];
        failure_ = {contest_.candidates[static_cast<std::size_t>(entry.candidate)].name(),
                    entry.size_bytes, round, static_cast<int>(first - all.begin()), first->wrong};
    }
    return Done{};
}

Result<Decision> Arena::decide(std::size_t index, int round, double time_s) {
    const auto found =
        buffers_.check(specifications_[index / contest_.candidates.size()], repetitions_);
    bool wrong = false;
    const Verdict mine{found.has_value(), found.value_or(WrongByte{})};
    if (auto told = gather_verdict(mine, index, round, wrong); !told)
        return told.error();
    Decision decision;
    if (team_.rank() == 0) {
        auto& entry = outcome_.entries[index];
        ++outcome_.checked;
        margin_.learn(timed_.worst.slack_s);
        const bool late =
            round > 0 && contest_.start_mode == StartMode::silence && was_late(time_s);
        outcome_.late += late ? 1 : 0;
        if (round == 0)
            entry.warmup_s = time_s;
        else if (!late)
            note(entry, time_s);
        outcome_.interrupted = timed_.worst.interrupted || measure::stop_requested();
        outcome_.out_of_time =
            now_s() - started_s_ > contest_.budget_s &&
            std::none_of(outcome_.entries.begin(), outcome_.entries.end(), [](const Entry& other) {
                return other.times_s.empty() && !other.dropped_out;
            });
        decision.compare_clocks = now_s() - compared_s_ > compare_clocks_every_s;
        decision.next = wrong                                          ? Decision::Next::wrong
                        : outcome_.interrupted || outcome_.out_of_time ? Decision::Next::stop
                        : late                                         ? Decision::Next::again
                                                                       : Decision::Next::go_on;
    }
    if (auto told =
            mpi::check(MPI_Bcast(&decision, sizeof decision, MPI_BYTE, 0, team_.control().handle()),
                       "MPI_Bcast");
        !told)
        return told.error();
    return decision;
}

void Arena::note(Entry& entry, double time_s) const {
    entry.times_s.push_back(time_s);
    if (dropped_in_)
        entry.drops.push_back(*dropped_in_);
}

bool Arena::was_late(double time_s) {
    return punctuality_.judge(timed_.worst.late_by_s,
                              measure::negligible_lateness_s(time_s, outcome_.clocks.likely_s));
}

Status Arena::keep_clocks_together() {
    const auto quality = measure::compare_clocks(team_.control(), team_.everyone(), team_.clock());
    if (!quality)
        return quality.error();
    outcome_.clocks.merge(*quality);
    compared_s_ = now_s();
    return Done{};
}

void Arena::show_progress(std::size_t index, int round) {
    if (team_.rank() != 0)
        return;
    const auto& entry = outcome_.entries[index];
    const auto budget = std::isinf(contest_.budget_s)
                            ? std::string()
                            : fmt::format(" of at most {:.0f}", contest_.budget_s);
    progress_.show(
        now_s(), fmt::format("run: round {} of {}, {:.0f}{} s, at {} {}", round,
                             contest_.repetitions, now_s() - started_s_, budget,
                             contest_.candidates[static_cast<std::size_t>(entry.candidate)].name(),
                             format_size(static_cast<double>(entry.size_bytes))));
}
} // namespace alltold::compare

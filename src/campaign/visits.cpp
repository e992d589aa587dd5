// SPDX-License-Identifier: BSD-3-Clause
// Reporting takings to rank 0, and repeating from agreed instants.
#include "campaign/visits.hpp"

#include <algorithm>
#include <cassert>

#include "campaign/plan.hpp"
#include "campaign/tags.hpp"
#include "campaign/warm_up.hpp"
#include "runtime/mpi/requests.hpp"

namespace alltold::measure {
namespace {

/// Rank 0 looks for the takings at this pace.
constexpr double longest_nap_s = 1e-3;
constexpr std::size_t most_warm_ups = 16;

/// Both lists travel in one message, behind their lengths.
Status send_takings(const Visit& visit, const Takings& mine) {
    assert(mine.warm_up.size() <= most_warm_ups);
    std::vector<double> message{static_cast<double>(mine.warm_up.size()),
                                static_cast<double>(mine.values.size())};
    message.insert(message.end(), mine.warm_up.begin(), mine.warm_up.end());
    message.insert(message.end(), mine.values.begin(), mine.values.end());
    return visit.team.control().send(std::as_bytes(std::span(message)), 0, tag_times);
}

Result<Takings> collect(const Visit& visit, int reporter) {
    std::vector<double> message(2 + most_warm_ups +
                                static_cast<std::size_t>(std::max(1, visit.command.repetitions)));
    mpi::Requests arrival;
    if (auto posted = arrival.receive(
            visit.team.control(), std::as_writable_bytes(std::span(message)), reporter, tag_times);
        !posted)
        return posted.error();
    if (auto waited = arrival.wait_napping(longest_nap_s); !waited)
        return waited.error();
    const auto warm_up = message.begin() + 2;
    const auto values = warm_up + static_cast<std::ptrdiff_t>(message[0]);
    return Takings{{warm_up, values}, {values, values + static_cast<std::ptrdiff_t>(message[1])}};
}

Status keep_all(Desk& desk, const Takings& takings) {
    for (const double value : takings.warm_up)
        if (auto kept = desk.keep(value, true); !kept)
            return kept;
    for (const double value : takings.values)
        if (auto kept = desk.keep(value, false); !kept)
            return kept;
    return Done{};
}

/// Rank 0's loop of repetitions.
Status lead_all(Visit& visit, const Operation& operation, const Reading& reading, bool by_reading) {
    const auto& clock = visit.team.clock().local();
    auto& desk = *visit.desk;
    const double until_s = clock.now_s() + visit.command.share_s;
    WarmUp warm_up;
    for (int taken = 0; taken < visit.command.repetitions;) {
        const auto timed =
            lead(visit.team, visit.visitors(), desk.starts.margin_s(), operation, reading);
        if (!timed)
            return timed.error();
        visit.watchdog.feed();
        if (visit.command.start_mode != StartMode::silence ||
            !desk.starts.was_late(visit.point, *timed)) {
            const bool warming =
                !visit.command.warm && warm_up.holds(timed->time_s(), clock.now_s() > until_s);
            const double value = by_reading ? timed->worst.reading : timed->time_s();
            if (auto kept = desk.keep(value, warming); !kept)
                return kept;
            taken += warming ? 0 : 1;
        }
        if (timed->worst.interrupted || stop_requested()) {
            desk.interrupted = true;
            break;
        }
        // One repetition beside the warm-up is taken even where the share does not reach for it.
        if (taken >= 1 && clock.now_s() + timed->time_s() > until_s)
            break;
    }
    return Done{};
}

} // namespace

Status report(Visit& visit, int reporter, const Takings& mine) {
    if (visit.rank() != 0)
        return visit.rank() == reporter ? send_takings(visit, mine) : Done{};
    if (reporter == 0)
        return keep_all(*visit.desk, mine);
    const auto theirs = collect(visit, reporter);
    return theirs ? keep_all(*visit.desk, *theirs) : theirs.error();
}

Status repeat(Visit& visit, const Operation& operation, const Reading& reading) {
    const auto ranks = ranks_of(visit.point, visit.team.clusters());
    const bool here = std::find(ranks.begin(), ranks.end(), visit.rank()) != ranks.end();
    const Operation mine = here ? operation : [] { return Status(Done{}); };
    const Reading my_reading = here ? reading : Reading();
    if (visit.rank() != 0)
        return join_in(visit.team, visit.visitors(), visit.watchdog, mine, my_reading);
    auto led = lead_all(visit, mine, my_reading, static_cast<bool>(reading));
    // Whatever happened here, the others must not be left waiting for the next start.
    if (auto dismissed = dismiss(visit.team, visit.visitors()); !dismissed)
        return dismissed;
    return led;
}

} // namespace alltold::measure

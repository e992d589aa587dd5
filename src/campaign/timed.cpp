// SPDX-License-Identifier: BSD-3-Clause
// Telling, starting, finishing and reporting along a tree.
#include "campaign/timed.hpp"

#include "campaign/tags.hpp"
#include "runtime/mpi/requests.hpp"

namespace alltold::measure {
namespace {

/// Whoever waits for the others sleeps, so that the processors belong to those still at work.
constexpr double longest_nap_s = 100e-6;

Status tell(const Team& team, const Tree& tree, const Start& start) {
    for (const int child : tree.children(team.rank()))
        if (auto sent = team.control().send(mpi::bytes_of(start), child, tag_start); !sent)
            return sent;
    return Done{};
}

template <typename T>
Status hear(const Team& team, T& message, int from, int tag) {
    mpi::Requests arrival;
    if (auto posted = arrival.receive(team.control(), mpi::bytes_of(message), from, tag); !posted)
        return posted;
    return arrival.wait_napping(longest_nap_s);
}

/// One repetition here, merged with the reports of the ranks below.
Result<Finish> repeat(Team& team, const Tree& tree, double instant_s, const Operation& operation,
                      const Reading& reading) {
    const auto& clock = team.clock();
    Finish worst;
    worst.slack_s = instant_s - clock.now_s();
    clock.sleep_until(instant_s);
    worst.late_by_s = clock.now_s() - instant_s;
    if (auto ran = operation(); !ran)
        return ran.error();
    worst.finish_s = clock.now_s();
    worst.interrupted = stop_requested();
    if (reading)
        worst.reading = reading();
    for (const int child : tree.children(team.rank())) {
        Finish below;
        if (auto heard = hear(team, below, child, tag_report); !heard)
            return heard.error();
        worst.merge(below);
    }
    return worst;
}

} // namespace

Result<Timed> lead(Team& team, const Tree& tree, double margin_s, const Operation& operation,
                   const Reading& reading) {
    const Start start{team.clock().now_s() + margin_s, false};
    if (auto told = tell(team, tree, start); !told)
        return told.error();
    auto worst = repeat(team, tree, start.instant_s, operation, reading);
    if (!worst)
        return worst.error();
    return Timed{start.instant_s, *worst};
}

Status dismiss(Team& team, const Tree& tree) {
    return tell(team, tree, Start{0, true});
}

Status join_in(Team& team, const Tree& tree, const Watchdog& watchdog, const Operation& operation,
               const Reading& reading) {
    const int above = tree.parent(team.rank());
    for (;;) {
        Start start;
        if (auto heard = hear(team, start, above, tag_start); !heard)
            return heard;
        watchdog.feed();
        if (auto told = tell(team, tree, start); !told)
            return told;
        if (start.stop)
            return Done{};
        const auto worst = repeat(team, tree, start.instant_s, operation, reading);
        if (!worst)
            return worst.error();
        if (auto sent = team.control().send(mpi::bytes_of(*worst), above, tag_report); !sent)
            return sent;
    }
}

} // namespace alltold::measure

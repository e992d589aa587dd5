// SPDX-License-Identifier: BSD-3-Clause
// Announces, starts, finishes and reports a repetition along a tree.
#include "campaign/engine/repetition.hpp"

#include "campaign/engine/tags.hpp"
#include "runtime/mpi/requests.hpp"

namespace alltold::campaign {
namespace {

/// A rank that waits for others sleeps and leaves its processor to the ranks still working.
constexpr double longest_nap_for_start_s = 100e-6;

Status send_down(const Ranks& ranks, const Tree& tree, const Start& start) {
    for (const int child : tree.children(ranks.rank()))
        if (auto sent = ranks.control().send(mpi::bytes_of(start), child, tag_start); !sent)
            return sent;
    return Done{};
}

template <typename T>
Status receive(const Ranks& ranks, T& message, int from, int tag) {
    mpi::Requests arrival;
    if (auto posted = arrival.receive(ranks.control(), mpi::bytes_of(message), from, tag); !posted)
        return posted;
    return arrival.wait_napping(longest_nap_for_start_s);
}

/// One repetition here, merged with the reports of the ranks below.
Result<Finish> run_once(Ranks& ranks, const Tree& tree, double instant_s, const Steps& steps) {
    const auto& clock = ranks.clock();
    Finish worst;
    const auto* counter = steps.retransmissions;
    const auto before = counter ? counter->read() : std::nullopt;
    worst.slack_s = instant_s - clock.now_s();
    clock.sleep_until(instant_s);
    worst.late_by_s = clock.now_s() - instant_s;
    if (auto ran = steps.run(); !ran)
        return ran.error();
    worst.finish_s = clock.now_s();
    worst.interrupted = stop_requested();
    if (steps.reading)
        worst.reading = steps.reading();
    if (counter) {
        const auto after = counter->read();
        worst.counted = before && after;
        worst.retransmitted = worst.counted ? *after - *before : 0;
    }
    for (const int child : tree.children(ranks.rank())) {
        Finish below;
        if (auto got = receive(ranks, below, child, tag_report); !got)
            return got.error();
        worst.merge(below);
    }
    return worst;
}

} // namespace

Result<Timed> repeat_once(Ranks& ranks, const Tree& tree, double margin_s, const Steps& steps) {
    const Start start{ranks.clock().now_s() + margin_s, false};
    if (auto sent = send_down(ranks, tree, start); !sent)
        return sent.error();
    auto worst = run_once(ranks, tree, start.instant_s, steps);
    if (!worst)
        return worst.error();
    return Timed{start.instant_s, *worst};
}

Result<Finish> check_all(Ranks& ranks, const Tree& tree, const Steps& steps) {
    Finish worst;
    if (const auto wrong = steps.check ? steps.check() : std::nullopt) {
        worst.wrong_rank = ranks.rank();
        worst.wrong = *wrong;
    }
    for (const int child : tree.children(ranks.rank())) {
        Finish below;
        if (auto got = receive(ranks, below, child, tag_report); !got)
            return got.error();
        worst.merge(below);
    }
    if (ranks.rank() != 0)
        if (auto sent =
                ranks.control().send(mpi::bytes_of(worst), tree.parent(ranks.rank()), tag_report);
            !sent)
            return sent.error();
    return worst;
}

Status end_repetitions(Ranks& ranks, const Tree& tree) {
    return send_down(ranks, tree, Start{0, true});
}

Status follow_root(Ranks& ranks, const Tree& tree, const Watchdog& watchdog, const Steps& steps) {
    const int above = tree.parent(ranks.rank());
    for (;;) {
        Start start;
        if (auto got = receive(ranks, start, above, tag_start); !got)
            return got;
        watchdog.feed();
        if (auto sent = send_down(ranks, tree, start); !sent)
            return sent;
        if (start.stop)
            return Done{};
        const auto worst = run_once(ranks, tree, start.instant_s, steps);
        if (!worst)
            return worst.error();
        if (auto sent = ranks.control().send(mpi::bytes_of(*worst), above, tag_report); !sent)
            return sent;
    }
}

} // namespace alltold::campaign

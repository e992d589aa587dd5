// SPDX-License-Identifier: BSD-3-Clause
// log2 n rounds in which ranks 2^k apart signal each other; further ranks signal before and hear
// after.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/folded.hpp"
#include "schedule/algorithms/signal_rounds.hpp"

namespace alltold::barrier_recursive_doubling {
namespace {

Schedule generate(const Task& task) {
    const Folded folded(task.ranks);
    const int place = folded.place_of(task.rank), active = folded.active(place);
    Builder builder;
    SignalRounds rounds(builder);
    if (task.rank != active) {
        rounds.add(active, active);
        return std::move(builder).finish();
    }
    if (folded.has_two(place))
        rounds.await(task.rank - 1);
    for (int distance = 1; distance < folded.places(); distance *= 2) {
        const int peer = folded.active(place ^ distance);
        rounds.add(peer, peer);
    }
    if (folded.has_two(place))
        rounds.signal(task.rank - 1);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "barrier.recursive_doubling",
    .collective = Collective::barrier,
    .wins = "a power of two of ranks: log2 n rounds, each with one partner only",
    .generate = generate,
};

} // namespace alltold::barrier_recursive_doubling

// SPDX-License-Identifier: BSD-3-Clause
// log2 n rounds in which each rank signals the one 2^k ahead (Hensgen, Finkel and Manber 1988).
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/signal_rounds.hpp"

namespace alltold::barrier_dissemination {
namespace {

Schedule generate(const Task& task) {
    Builder builder;
    SignalRounds rounds(builder);
    for (int distance = 1; distance < task.ranks; distance *= 2)
        rounds.add((task.rank + distance) % task.ranks,
                   (task.rank - distance + task.ranks) % task.ranks);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "barrier.dissemination",
    .collective = Collective::barrier,
    .wins = "one cluster: log2 n rounds and no root",
    .generate = generate,
};

} // namespace alltold::barrier_dissemination

// SPDX-License-Identifier: BSD-3-Clause
// Barriers in rounds of one signal each way.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/folded.hpp"
#include "schedule/builder.hpp"

namespace alltold::barrier_rounds {
namespace {

/// Each round waits for both signals of the previous one. A rank need not wait for the signal that
/// it sends, but this costs nothing, because a signal leaves at once, and the executor runs such
/// rounds with blocking calls, which are fastest.
class SignalRounds {
  public:
    explicit SignalRounds(Builder& builder) : builder_(builder) {}

    void add(int to, int from) {
        const auto before = this->before();
        signalled_ = builder_.signal(to, {before});
        heard_ = builder_.await(from, {before});
    }
    /// Half a round.
    void await(int from) { heard_ = builder_.await(from, {before()}); }
    void signal(int to) { signalled_ = builder_.signal(to, {before()}); }

  private:
    /// A step after the last round; no_step before the first.
    Step before() {
        return signalled_ == no_step && heard_ == no_step ? no_step
                                                          : builder_.join({signalled_, heard_});
    }

    Builder& builder_;
    Step signalled_ = no_step, heard_ = no_step;
};

Schedule dissemination(const Task& task) {
    Builder builder;
    SignalRounds rounds(builder);
    for (int distance = 1; distance < task.ranks; distance *= 2)
        rounds.add((task.rank + distance) % task.ranks,
                   (task.rank - distance + task.ranks) % task.ranks);
    return std::move(builder).finish();
}

Schedule recursive_doubling(const Task& task) {
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

constexpr Algorithm table[]{
    // log2 n rounds in which each rank signals the one 2^k ahead (Hensgen, Finkel and Manber 1988).
    {
        .name = "barrier.dissemination",
        .wins = "one cluster: log2 n rounds and no root",
        .generate = dissemination,
    },
    // log2 n rounds in which ranks 2^k apart signal each other; further ranks signal before and
    // hear after.
    {
        .name = "barrier.recursive_doubling",
        .wins = "a power of two of ranks: log2 n rounds, each with one partner only",
        .generate = recursive_doubling,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::barrier_rounds

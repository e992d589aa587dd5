// SPDX-License-Identifier: BSD-3-Clause
// Grants: one signal for each chunk but the first of its block.
#include "algorithms/granted.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "algorithms/chunks.hpp"
#include "algorithms/exchange.hpp"

namespace alltold {
namespace {

/// The step `window` steps ago, from which the next may follow; no_step while there are fewer, or
/// without a limit.
class Row {
  public:
    explicit Row(int window) : window_(static_cast<std::size_t>(window)) {}
    Step before() const {
        return window_ == 0 || steps_.size() < window_ ? no_step : steps_[steps_.size() - window_];
    }
    bool limited() const { return window_ > 0; }
    void push(Step step) {
        if (step != no_step)
            steps_.push_back(step);
    }

  private:
    std::size_t window_;
    std::vector<Step> steps_;
};

/// One chunk of one block, and its place among all chunks of all ranks: first chunks first, then
/// so that at any time about the same part of every block is done, then by distance.
struct Turn {
    std::uint64_t number, of; ///< chunk so-and-so of so many
    int distance;             ///< from its sender to its receiver, round the ranks
    int sender;

    bool operator<(const Turn& other) const {
        const auto part = number * other.of, others = other.number * of;
        return std::tie(part, distance, sender) < std::tie(others, other.distance, other.sender);
    }
};

class Granted {
  public:
    explicit Granted(const Task& task)
        : task_(task), exchange_(task), chunks_(task.parameters.segment_bytes),
          clusters_(task.parameters.clusters.value_or(Clusters({task.ranks}))),
          near_(task.parameters.window, sent_at_once(task.parameters.window)),
          far_(task.parameters.wide_window, task.parameters.wide_window) {}

    /// All ranks go by the same order of chunks, which makes a deadlock impossible: of those not
    /// done the first is always both granted and sent. It also makes the two ends of a pair number
    /// their messages alike.
    Schedule run() && {
        for (const auto& turn : turns())
            if (turn.sender == task_.rank)
                send(turn);
            else
                receive(turn);
        exchange_.copy_own(builder_);
        return std::move(builder_).finish();
    }

  private:
    struct Rows {
        Rows(int receives, int sends) : received(receives), sent(sends) {}
        Row received, sent;
    };

    /// What a rank sends lies before its grants to the same peer, so it must not be much.
    static int sent_at_once(int window) { return window == 0 ? 0 : std::max(1, window / 2); }

    void send(const Turn& turn) {
        const int to = (task_.rank + turn.distance) % task_.ranks;
        auto& sent = rows(to).sent;
        const Step granted = turn.number > 0 ? builder_.await(to, {sent.before()}) : no_step;
        sent.push(builder_.send(chunks_.of(exchange_.outgoing(to), turn.number), to,
                                {granted, granted == no_step ? sent.before() : no_step},
                                sent.limited()));
    }

    void receive(const Turn& turn) {
        auto& received = rows(turn.sender).received;
        const Step room = received.before();
        if (turn.number > 0)
            builder_.signal(turn.sender, {room});
        received.push(builder_.receive(chunks_.of(exchange_.incoming(turn.sender), turn.number),
                                       turn.sender, {turn.number > 0 ? room : no_step}));
    }

    std::vector<Turn> turns() const {
        std::vector<Turn> all;
        const auto add = [&](const Region& block, int distance, int sender) {
            const auto count = chunks_.count(block);
            for (std::uint64_t number = 0; number < count; ++number)
                all.push_back({number, count, distance, sender});
        };
        for (int distance = 1; distance < task_.ranks; ++distance) {
            const int from = (task_.rank - distance + task_.ranks) % task_.ranks;
            add(exchange_.outgoing((task_.rank + distance) % task_.ranks), distance, task_.rank);
            add(exchange_.incoming(from), distance, from);
        }
        std::sort(all.begin(), all.end());
        return all;
    }

    Rows& rows(int peer) {
        return clusters_.cluster_of(peer) == clusters_.cluster_of(task_.rank) ? near_ : far_;
    }

    const Task& task_;
    Exchange exchange_;
    Chunks chunks_;
    Clusters clusters_;
    Builder builder_;
    Rows near_, far_;
};

} // namespace

Schedule granted_exchange(const Task& task) {
    return Granted(task).run();
}

} // namespace alltold

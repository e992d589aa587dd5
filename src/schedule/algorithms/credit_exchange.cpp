// SPDX-License-Identifier: BSD-3-Clause
// Chunks that come back are the leave to send on; where none do, signals are.
#include "schedule/algorithms/credit_exchange.hpp"

#include <algorithm>
#include <compare>
#include <vector>

#include "schedule/algorithms/exchange.hpp"
#include "schedule/algorithms/own_window.hpp"
#include "schedule/algorithms/parts.hpp"

namespace alltold {
namespace {

/// Chunks that came in, in order.
class Row {
  public:
    explicit Row(int window) : window_(static_cast<std::size_t>(window)) {}
    /// The one `window` before the next; no_step while there are fewer.
    Step before() const {
        return window_ == 0 || steps_.size() < window_ ? no_step : steps_[steps_.size() - window_];
    }
    void push(Step step) {
        if (step != no_step)
            steps_.push_back(step);
    }

  private:
    std::size_t window_;
    std::vector<Step> steps_;
};

/// One chunk of one block, and its place among all chunks of all ranks.
struct Turn {
    std::uint64_t number; ///< which chunk of its block
    int distance;         ///< from its sender to its receiver, round the ranks
    int sender;

    auto operator<=>(const Turn&) const = default;
};

class Granted {
  public:
    explicit Granted(const Task& task)
        : task_(task), exchange_(task), chunks_(task.parameters.segment_bytes),
          clusters_(task.parameters.clusters.value_or(Clusters({task.ranks}))),
          near_(crowded() ? task.parameters.window : 0, 2),
          far_(crowded() ? own_inter_cluster_window(clusters_,
                                                    clusters_.size(clusters_.cluster_of(task.rank)),
                                                    task.parameters.inter_cluster_window)
                         : 0,
               std::max(2, task.parameters.inter_cluster_window / 2)),
          held_back_(held_back()) {}

    /// All ranks go by the same order of chunks, and what a chunk waits for comes before it. So of
    /// those not done the first can always be sent and received: a deadlock is impossible. The
    /// order also makes the two ends of a pair number their messages alike.
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
    /// Messages with the ranks of the own cluster, or with those of others.
    struct Side {
        Side(int window, int at_once)
            : received(window), ahead(static_cast<std::uint64_t>(at_once)) {}
        Row received;
        std::uint64_t ahead; ///< chunks of one block that go before anything comes back; both ends
                             ///< must know it
    };

    /// Blocks that come here or go from here, within the cluster or beyond.
    struct Load {
        int near = 0, far = 0;
        std::uint64_t bytes = 0, far_bytes = 0;
    };
    template <typename BlockOf>
    Load load(BlockOf block_of) const {
        Load load;
        for (int peer = 0; peer < task_.ranks; ++peer)
            if (const auto size = block_of(peer).size_bytes; peer != task_.rank && size > 0) {
                ++(is_far(peer) ? load.far : load.near);
                load.bytes += size;
                load.far_bytes += is_far(peer) ? size : 0;
            }
        return load;
    }

    /// Whether that many full chunks hold all these bytes.
    bool within(int window, std::uint64_t bytes) const {
        return bytes <= static_cast<std::uint64_t>(window) * task_.parameters.segment_bytes;
    }

    /// Whether more comes here than a window of bytes, and in more blocks than TCP can repair the
    /// losses of: each must have some packets of every queue on its way. To one cluster's window
    /// belongs the port's whole buffer, to that beside others mostly a quarter.
    bool crowded() const {
        const auto in = load([&](int peer) { return exchange_.incoming(peer); });
        const auto& [segment, window, inter_cluster_window, clusters] = task_.parameters;
        if (within(window, in.bytes) && within(inter_cluster_window, in.far_bytes))
            return false;
        return clusters_.count() == 1
                   ? 4 * in.near > window
                   : in.near + in.far > 2 * window || in.far > inter_cluster_window;
    }

    /// Whether what goes to other clusters must wait for what comes from there.
    bool held_back() const {
        const auto out = load([&](int peer) { return exchange_.outgoing(peer); });
        return !within(task_.parameters.inter_cluster_window, out.far_bytes);
    }

    /// What lets a chunk go.
    enum class Leave : std::uint8_t { given, by_chunk, by_signal };
    Leave leave(const Turn& turn, const Side& side, const Region& way_back) const {
        if (turn.number < side.ahead)
            return Leave::given;
        return turn.number - side.ahead < chunks_.count(way_back) ? Leave::by_chunk
                                                                  : Leave::by_signal;
    }

    void send(const Turn& turn) {
        const int to = (task_.rank + turn.distance) % task_.ranks;
        auto& here = side(to);
        const auto leave_is = leave(turn, here, exchange_.incoming(to));
        Step let = no_step;
        if (leave_is == Leave::by_chunk)
            let = arrived_[static_cast<std::size_t>(to)][turn.number - here.ahead];
        else if (leave_is == Leave::by_signal)
            let = builder_.await(to);
        // Leave is given pair by pair, and the backbone is everybody's.
        const Step room = is_far(to) && held_back_ ? here.received.before() : no_step;
        builder_.send(chunks_.of(exchange_.outgoing(to), turn.number), to, {let, room});
    }

    void receive(const Turn& turn) {
        auto& here = side(turn.sender);
        const bool asks = leave(turn, here, exchange_.outgoing(turn.sender)) == Leave::by_signal;
        const Step room = here.received.before();
        if (asks)
            builder_.signal(turn.sender, {room});
        const Step received = builder_.receive(
            chunks_.of(exchange_.incoming(turn.sender), turn.number), turn.sender, {room});
        here.received.push(received);
        arrived_[static_cast<std::size_t>(turn.sender)].push_back(received);
    }

    /// The chunks this rank sends and receives, in order.
    std::vector<Turn> turns() const {
        std::vector<Turn> all;
        const auto add = [&](const Region& block, int distance, int sender) {
            for (std::uint64_t number = 0; number < chunks_.count(block); ++number)
                all.push_back({number, distance, sender});
        };
        for (int distance = 1; distance < task_.ranks; ++distance) {
            const int from = (task_.rank - distance + task_.ranks) % task_.ranks;
            add(exchange_.outgoing((task_.rank + distance) % task_.ranks), distance, task_.rank);
            add(exchange_.incoming(from), distance, from);
        }
        std::sort(all.begin(), all.end());
        return all;
    }

    bool is_far(int peer) const {
        return clusters_.cluster_of(peer) != clusters_.cluster_of(task_.rank);
    }
    Side& side(int peer) { return is_far(peer) ? far_ : near_; }

    const Task& task_;
    Exchange exchange_;
    Chunks chunks_;
    Clusters clusters_;
    Builder builder_;
    Side near_, far_;
    bool held_back_;
    std::vector<std::vector<Step>> arrived_{static_cast<std::size_t>(task_.ranks)}; ///< by sender
};

} // namespace

Schedule credit_exchange(const Task& task) {
    return Granted(task).run();
}

} // namespace alltold

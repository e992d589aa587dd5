// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a campaign: their communicators, clocks and what they keep for the session.
#pragma once

#include <set>

#include "campaign/engine/retransmissions.hpp"
#include "campaign/engine/watchdog.hpp"
#include "campaign/run/runner.hpp"
#include "schedule/matrix.hpp"
#include "store/campaign.hpp"

namespace alltold::campaign {

/// Catches SIGINT and SIGTERM from now on; `stop_requested` is true after one.
void catch_stop_signals();
bool stop_requested();
/// The signal; 0: none.
int stop_signal();

/// Repetitions of one point. Self-contained: ranks need no plan.
struct Measurement {
    Point point;
    int root = 0; ///< of a rooted collective
    /// At most, not counting warm-ups; 0: one warm-up alone, however late a rank starts.
    int repetitions = 0;
    double limit_s = 0;                        ///< how long it may take
    StartMode start_mode = StartMode::silence; ///< what repetitions of a collective follow
    bool warm = false;                         ///< the first repetition counts
    /// Check every byte that a collective delivers; there is one repetition then.
    bool verify = false;
    /// Makes the bytes of a verified repetition unique.
    std::uint64_t pattern = 0;
    BetweenCalls between = {}; ///< of a loop
    /// Record when each operation of the schedule started and ended; of algorithms of ours.
    bool trace = false;

    /// Whether each repetition is a loop of calls; a traced one is a single call.
    bool loops() const { return start_mode == StartMode::loop && !trace; }
};

/// One order of rank 0.
struct Order {
    enum class What : int { measure, compare_clocks, finish } what = What::finish;
    Measurement measurement = {};
    ExitStatus status = ExitStatus::done; ///< finish: what to exit with
};

/// The message, and back.
std::string message_of(const Order& order);
Order order_in(std::string_view message);

/// The inputs of a point that its text does not hold; the same on all ranks.
struct Extras {
    std::optional<Matrix> matrix;   ///< of all-to-all-v's
    std::vector<Choice> algorithms; ///< found before those of the registry
};

/// World ranks of `point`, in order: the two ranks of a pair; else as many hosts of each cluster as
/// it asks for, with the first ranks of each, from the first host of the cluster on, or from those
/// of the first and the second rank that the point names for up to two clusters.
std::vector<int> ranks_of(const Point& point, const Clusters& world);

/// One rank's side of the campaign.
class Ranks {
  public:
    /// Collective over `world`, which is duplicated twice.
    static Result<Ranks> gather(const mpi::ManagedCommunicator& world, const Clusters& clusters,
                                GlobalClock clock, Extras extras = {});

    int rank() const { return control_.rank(); }
    const Clusters& clusters() const { return clusters_; }
    const mpi::ManagedCommunicator& control() const { return control_; }
    const mpi::ManagedCommunicator& traffic() const { return traffic_; }
    GlobalClock& clock() { return clock_; }
    const GlobalClock& clock() const { return clock_; }
    /// World ranks to which this one has grown the connection's buffers in this session.
    std::set<int>& grown() { return grown_; }

    /// A communicator of the point's ranks, of which this must be one; made at the first call,
    /// which is collective over them.
    Result<const mpi::ManagedCommunicator*> subset(const Point& point);
    /// The runner of the point's algorithm on its subset; made at the first call, which is
    /// collective over the subset.
    Result<const Runner*> runner(const Point& point);
    /// The collective call of the point.
    Specification specification(const Measurement& measurement) const;

    const Tree& everyone() const { return everyone_; }
    /// Rank 0 and the ranks of the point.
    const Tree& participants(const Point& point);
    /// The counter of this rank's host, if no lower rank of `tree` is on that host; else null.
    const RetransmissionCounter* counter_for(const Tree& tree) const;

    /// Sends `order` down the tree of its participants, which forward it.
    Status give(const Order& order);
    /// Waits for the next order, mostly asleep, and forwards it. Notifies rank 0 if this process
    /// received a signal.
    Result<Order> await(Watchdog& watchdog);
    /// Rank 0 only: whether any rank got a signal.
    Result<bool> interrupted();

  private:
    Ranks(mpi::ManagedCommunicator control, mpi::ManagedCommunicator traffic, Clusters clusters,
          GlobalClock clock, Extras extras);
    Result<Choice> choice_of(const std::string& algorithm) const;

    mpi::ManagedCommunicator control_;
    mpi::ManagedCommunicator traffic_;
    Clusters clusters_;
    GlobalClock clock_;
    Extras extras_;
    Tree everyone_;
    std::map<std::vector<int>, mpi::ManagedCommunicator> subsets_; ///< by ranks_of the point
    std::map<std::vector<int>, Tree> trees_;                       ///< by ranks_of the point
    /// By collective, algorithm, clusters and the first rank.
    std::map<std::tuple<std::string, std::string, std::string, int>, Runner> runners_;
    std::set<int> grown_;
    std::unique_ptr<RetransmissionCounter> retransmissions_;
    bool sent_signal_ = false;
};

} // namespace alltold::campaign

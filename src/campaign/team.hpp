// SPDX-License-Identifier: BSD-3-Clause
// What all ranks of a campaign share, and the commands rank 0 gives them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "campaign/clock_sync.hpp"
#include "campaign/player.hpp"
#include "campaign/signals.hpp"
#include "campaign/tree.hpp"
#include "runtime/mpi/communicator.hpp"
#include "store/campaign.hpp"

namespace alltold::measure {

/// What rank 0 asks of others.
struct Command {
    enum class What : int { visit, compare_clocks, finish } what = What::finish;
    int point = -1;               ///< visit: index into the plan
    std::uint64_t size_bytes = 0; ///< visit: instead of the planned point's
    int count = 0;                ///< visit: instead of the planned point's
    int repetitions = 0;          ///< visit: how many at most, not counting the warm-up
    double share_s = 0;           ///< visit: how long it may take
    StartMode start_mode = StartMode::silence; ///< visit: what repetitions of a collective follow
    bool warm = false;                         ///< visit: the first repetition counts
    ExitStatus status = ExitStatus::done;      ///< finish: what to exit with
};

/// One rank's side of the campaign. All ranks hold the same plan.
class Team {
  public:
    /// Collective over `world`: duplicates it, and splits it for every subset in `plan` whose probe
    /// asks for a communicator of its own.
    static Result<Team> gather(const mpi::Communicator& world, const Clusters& clusters,
                               std::vector<Point> plan, GlobalClock clock);

    int rank() const { return control_.rank(); }
    const Clusters& clusters() const { return clusters_; }
    const std::vector<Point>& plan() const { return plan_; }
    /// The point of a visit: the planned one with the command's size and count.
    Point point_of(const Command& command) const;
    const mpi::Communicator& control() const { return control_; }
    const mpi::Communicator& traffic() const { return traffic_; }
    /// The communicator of the point's ranks, where its probe asks for one; this rank must be one.
    const mpi::Communicator& subset(const Point& point) const;
    /// World ranks this one has widened its connection to in this session.
    std::set<int>& widened() { return widened_; }
    /// What plays the point's algorithm on its subset; made at its first visit, then collective
    /// over the subset.
    Result<const play::Player*> player(const Point& point);
    GlobalClock& clock() { return clock_; }
    const GlobalClock& clock() const { return clock_; }

    const Tree& everyone() const { return everyone_; }
    /// Rank 0 and the ranks of the point: who hears of a visit there.
    const Tree& visitors(int point) const;

    /// Sends `command` down the tree of those it concerns; those below pass it on as they get it.
    Status give(const Command& command) const;
    /// Waits for the next command, asleep most of the time, and passes it on. Tells rank 0 when
    /// this process got a signal.
    Result<Command> await(const Watchdog& watchdog);
    /// Rank 0 only: whether any rank got a signal.
    Result<bool> interrupted();

  private:
    Team(mpi::Communicator control, mpi::Communicator traffic, Clusters clusters,
         std::vector<Point> plan, GlobalClock clock);
    const Tree& concerned(const Command& command) const;

    mpi::Communicator control_;
    mpi::Communicator traffic_;
    Clusters clusters_;
    std::vector<Point> plan_;
    GlobalClock clock_;
    Tree everyone_;
    std::map<std::string, mpi::Communicator> subsets_; ///< by Clusters::text
    std::map<std::vector<int>, Tree> trees_;           ///< by ranks_of the point
    /// By collective, algorithm and clusters.
    std::map<std::tuple<std::string, std::string, std::string>, play::Player> players_;
    std::set<int> widened_;
    bool told_of_signal_ = false;
};

} // namespace alltold::measure

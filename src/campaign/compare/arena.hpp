// SPDX-License-Identifier: BSD-3-Clause
// The rounds of a comparison, on one rank: all know the order from the seed; rank 0 times and
// decides.
#pragma once

#include <optional>
#include <vector>

#include "campaign/compare/contest.hpp"
#include "campaign/led.hpp"
#include "campaign/player.hpp"
#include "campaign/progress.hpp"

namespace alltold::compare {

/// What each rank tells rank 0 after a repetition.
struct Verdict {
    bool is_wrong = false;
    WrongByte wrong;
};

/// What rank 0 tells everyone then.
struct Decision {
    enum class Next : int { go_on, again, stop, wrong } next = Next::go_on;
    bool compare_clocks = false;
};

/// One rank's side of the contest.
class Arena {
  public:
    Arena(measure::Team& team, const Contest& contest, std::vector<Player> players,
          std::vector<Specification> specifications, Buffers buffers,
          const measure::ClockQuality& clocks)
        : team_(team), contest_(contest), players_(std::move(players)),
          specifications_(std::move(specifications)), buffers_(std::move(buffers)),
          watchdog_(team.rank(), contest.watchdog_s), margin_(2 * clocks.bound_s),
          started_s_(now_s()), compared_s_(started_s_) {
        outcome_.clocks = clocks;
        for (const auto size_bytes : contest.sizes_bytes)
            for (int i = 0; i < std::ssize(contest.candidates); ++i)
                outcome_.entries.push_back({.candidate = i, .size_bytes = size_bytes});
    }

    Result<Outcome> run();

  private:
    std::vector<std::size_t> shuffled(int round) const;
    Status drop_out();
    Result<Decision> repeat(std::size_t index, int round);
    void note(Entry& entry, double time_s) const;
    Result<double> time(const Player& player, const Specification& specification);
    Result<Decision> decide(std::size_t index, int round, double time_s);
    Status gather_verdict(const Verdict& mine, std::size_t index, int round, bool& wrong);
    bool was_late(double time_s);
    Status keep_clocks_together();
    double now_s() const { return team_.clock().local().now_s(); }
    void show_progress(std::size_t index, int round);

    measure::Team& team_;
    const Contest& contest_;
    std::vector<Player> players_;               ///< by candidate
    std::vector<Specification> specifications_; ///< by size
    Buffers buffers_;
    measure::Watchdog watchdog_;
    measure::Margin margin_;
    measure::Punctuality punctuality_;
    measure::Progress progress_;
    measure::Timed timed_;          ///< rank 0: the repetition just done
    std::uint64_t repetitions_ = 0; ///< so far, so that no two carry the same bytes
    double started_s_;
    double compared_s_;               ///< when clocks were last compared
    std::optional<Drops> dropped_;    ///< rank 0 in a lab: up to the end of the last repetition
    std::optional<Drops> dropped_in_; ///< rank 0 in a lab: during the last repetition
    Outcome outcome_;
    Failure failure_; ///< rank 0: of the decision `wrong`
};

} // namespace alltold::compare

// SPDX-License-Identifier: BSD-3-Clause
// Work of the ranks between the calls of a loop, and how many calls a loop has.
#pragma once

#include "campaign/engine/clock.hpp"
#include "core/random.hpp"

namespace alltold::campaign {

/// Work of each rank between the calls of a loop; by default none.
struct BetweenCalls {
    double work_s = 0;        ///< how long it computes, outside MPI
    bool exponential = false; ///< work_s is the mean of what each rank draws for itself
    bool sync = false;        ///< an allreduce of 8 B by the MPI library follows each call
    std::uint64_t seed = 1;   ///< of what ranks draw

    /// "3 ms of work, exponential, and an allreduce of 8 B after each call"; empty for nothing.
    std::string text() const;
};

/// The computations of one rank.
class Work {
  public:
    Work(const BetweenCalls& between, int rank);
    /// Computes for the next while, by `clock`.
    void run(const Clock& clock);
    /// How long that is, in seconds.
    double draw_s();

  private:
    BetweenCalls between_;
    Random random_;
};

/// The calls of one loop on `ranks` ranks: 16 for each rank, fewer if a call takes `time_s` and
/// they would take over 0.5 s, but at least 4. `time_s` is 0 if not known; then 4.
int calls_of_loop(double time_s, int ranks);

} // namespace alltold::campaign

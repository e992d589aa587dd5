// SPDX-License-Identifier: BSD-3-Clause
// How the times of a collective's algorithms grow with ranks and bytes, where no schedule of them
// is known.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// The median time of a call.
struct GrowthPoint {
    std::string algorithm; ///< "mpi": the library's own choice
    double ranks = 2;      ///< n
    double size_bytes =
        1;             ///< m: of the whole message of a bcast, reduce or allreduce, else of a block
    double time_s = 0; ///< above 0
};

/// Learns the times of a collective's algorithms from measured calls. Each is a sum of start-ups
/// (constant, by log2 n, by n) and of bytes on the busiest port (as many as the collective moves at
/// least, and by log2 n or n more). How much each term counts is known to a factor of a few before
/// anything is measured; the words of an algorithm's name, such as "ring" or "binomial", say which
/// to expect. What is measured differs from the sums by Gaussian processes over log n and log m,
/// random walks in log2 n, so that far from the measured numbers of ranks little is certain: one
/// that all algorithms have in common, and one of each, alike for algorithms that took alike times.
class Growth {
  public:
    /// No message gets from one process to another in less: such calls did nothing.
    static constexpr double least_call_s = 1e-7;
    static constexpr int worlds = 256;

    /// `points`: at least one, each of at least least_call_s.
    Growth(Collective collective, std::vector<GrowthPoint> points);

    /// Log times of one call of a measured algorithm in each world. All calls and algorithms are in
    /// the same worlds, so that times can be compared world by world.
    std::vector<double> draws(const std::string& algorithm, double ranks, double size_bytes) const;
    /// The median of draws, with its 90 % interval.
    static Estimate time_of(const std::vector<double>& draws);

  private:
    struct Learned; ///< Eigen takes long to compile
    std::shared_ptr<Learned> learned_;
};

} // namespace alltold

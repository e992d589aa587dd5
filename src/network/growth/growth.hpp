// SPDX-License-Identifier: BSD-3-Clause
// How the times of one algorithm grow with ranks and bytes, where no schedule of it is known.
#pragma once

#include <memory>

#include "core/statistics.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// The median time of a call.
struct GrowthPoint {
    double ranks = 2; ///< n
    double size_bytes =
        1;             ///< m: of the whole message of a bcast, reduce or allreduce, else of a block
    double time_s = 0; ///< above 0
};

/// Learns the time of one algorithm from measured calls as a sum of start-ups (constant, by log2 n,
/// by n) and of bytes on the busiest port (as many as the collective moves at least, and by log2 n
/// or n more). How much each term counts is known to a factor of a few before anything is measured;
/// the words of an algorithm's name, such as "ring" or "binomial", say which to expect. What is
/// measured differs from the sum by a Gaussian process over log n and log m: a random walk in
/// log2 n, so that far from the measured numbers of ranks little is certain.
class Growth {
  public:
    /// No message gets from one process to another in less: such calls did nothing.
    static constexpr double least_call_s = 1e-7;

    /// `points`: at least one, each of at least least_call_s.
    Growth(Collective collective, std::string_view algorithm, std::vector<GrowthPoint> points);

    /// The median of a call, with its 90 % interval.
    Estimate at(double ranks, double size_bytes) const;
    /// Log times of one call in so many worlds, which are the same for each call.
    std::vector<double> draws(double ranks, double size_bytes) const;

  private:
    struct Learned; ///< Eigen takes long to compile
    Collective collective_;
    std::vector<GrowthPoint> points_;
    std::shared_ptr<const Learned> learned_;
};

} // namespace alltold

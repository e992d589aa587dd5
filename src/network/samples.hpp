// SPDX-License-Identifier: BSD-3-Clause
// Measured points, samples and their provenance: plain values that fits read.
#pragma once

#include <algorithm>
#include <cstddef>

#include "network/collective_probe.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// Fewer repetitions of a point than this are left out of fits, unless one sums up several calls.
inline constexpr std::size_t fewest_repetitions = 3;
/// The relative standard error of a single time where no repetitions show it. The medians of 202
/// calls that were measured on two dates on four supercomputers scatter by 0.09.
inline constexpr double usual_scatter = 0.1;

/// All repetitions of one point, warm-up left out.
struct Series {
    int n = 2;                   ///< participating processes
    double size_bytes = 0;       ///< m: the message, or for all-to-all the message per pair
    std::vector<double> times_s; ///< one time per repetition; a ping-pong's is half its round trip
    int group = 0; ///< series of one group share what does not change between repetitions: a pair
    bool sums_up = false; ///< a time is the mean or median of several calls

    /// Whether fits read it. Of fewer times than three the scatter is usual_scatter.
    bool fitted() const {
        return times_s.size() >= fewest_repetitions || (sums_up && !times_s.empty());
    }
};

/// Where samples were measured; one store holds one network.
struct Provenance {
    std::vector<std::string> hosts; ///< host name of every rank, in rank order
    Clusters clusters{{1}};         ///< which rank is in which cluster
    std::string mpi_library;        ///< MPI_Get_library_version, first line
    std::string kernel;             ///< uname: system, release, machine
    std::string clock_method;       ///< how clocks were synchronised, with the uncertainty reached
    std::string clusters_from{};    ///< how clusters were learned
    StartMode start_mode = StartMode::silence; ///< what repetitions of collectives followed
};

/// One call, as it was timed. Two samples belong to the same point exactly when all fields are
/// equal.
struct Point {
    std::string probe;            ///< "pingpong", "alltoall" and so on, as measure's table names it
    std::string algorithm;        ///< "mpi" is the library's own, others as a choice is written
    Clusters clusters{{2}};       ///< participating ranks, at their place_of
    std::uint64_t size_bytes = 0; ///< m
    /// A pair, or where the ranks of one or two clusters begin that are not the world's first ones;
    /// -1 otherwise, as for collectives.
    int first_rank = -1;
    int second_rank = -1;
    /// Messages in a train, packets in a flood, senders at once, distance of clusters that flood
    /// each other (0: one floods all others); 0 where unused.
    int count = 0;

    int n() const { return clusters.ranks(); }
    bool operator==(const Point&) const = default;
};

/// A value that another benchmark printed for several calls.
struct Summary {
    std::uint64_t calls = 0;    ///< whose mean or median it is; 0: not known how many
    bool mean_of_ranks = false; ///< of the ranks' times; else of the last rank's
    bool operator==(const Summary&) const = default;
};

/// One repetition of one point.
struct Sample {
    int repetition = 0;      ///< counts from 0 within the point, over all sessions
    double value = 0;        ///< a time as its probe defines it, or in PointSamples::unit
    bool warmup = false;     ///< the first of a session: kept, marked, left out of fits
    double taken_unix_s = 0; ///< when
    /// TCP segments that the hosts retransmitted meanwhile; empty: not known.
    std::optional<std::uint64_t> retransmitted = {};
    std::optional<Summary> summary = {}; ///< empty: the value is of one call
};

/// A point and all its samples, in order of repetition.
struct PointSamples {
    Point point;
    std::vector<Sample> samples;
    std::string unit = "s"; ///< of the samples: "s", "B" or "packets"

    /// Without the warm-up.
    std::vector<double> values() const {
        std::vector<double> values;
        for (const auto& sample : samples)
            if (!sample.warmup)
                values.push_back(sample.value);
        return values;
    }
    /// Whether any is a mean over the ranks.
    bool means_of_ranks() const {
        return std::ranges::any_of(
            samples, [](const Sample& one) { return one.summary && one.summary->mean_of_ranks; });
    }
    /// n, m and the times of a probe whose unit is seconds.
    Series series() const {
        return {point.n(), static_cast<double>(point.size_bytes), values(), 0,
                std::ranges::any_of(samples,
                                    [](const Sample& one) { return one.summary.has_value(); })};
    }
};

} // namespace alltold

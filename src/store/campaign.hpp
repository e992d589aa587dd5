// SPDX-License-Identifier: BSD-3-Clause
// A measuring campaign on disk: every raw sample in SQLite, committed as it is taken.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "network/series.hpp"
#include "store/start_mode.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// Where a campaign was measured; one store holds one network.
struct Provenance {
    std::vector<std::string> hosts; ///< host name of every rank, in rank order
    Clusters clusters{{1}};         ///< which rank is in which cluster
    std::string mpi_library;        ///< MPI_Get_library_version, first line
    std::string kernel;             ///< uname: system, release, machine
    std::string clock_method;       ///< how clocks were synchronised, with the uncertainty reached
    std::string clusters_from{};    ///< how clusters were learned; empty in older stores
    StartMode start_mode = StartMode::silence; ///< what repetitions of collectives followed
};

/// What was timed. Two samples belong to the same point exactly when all fields are equal.
struct Point {
    std::string probe;            ///< "pingpong", "alltoall" and so on, as measure's table names it
    std::string algorithm;        ///< "mpi" is the library's own, others as a choice is written
    Clusters clusters{{2}};       ///< ranks that took part, per cluster: the first so many of each
    std::uint64_t size_bytes = 0; ///< m
    int first_rank = -1;          ///< a ping-pong's pair; -1 for collectives
    int second_rank = -1;
    int count = 0; ///< messages in a train, packets in a flood, senders at once; 0 where unused

    int n() const { return clusters.ranks(); }
    bool operator==(const Point&) const = default;
};

/// One repetition of one point.
struct Sample {
    int repetition = 0;      ///< counts from 0 within the point, over all sessions
    double time_s = 0;       ///< what its probe says: a ping-pong's is half its round trip
    bool warmup = false;     ///< the first of a session: kept, marked, left out of fits
    double taken_unix_s = 0; ///< when
};

/// A point and all its samples, in order of repetition.
struct PointSamples {
    Point point;
    std::vector<Sample> samples;

    /// What a fit reads: n, m and the times without the warm-up.
    Series series() const;
};

/// The store. Not thread-safe; only one process may write (a second one gets an error).
class Campaign {
  public:
    /// Opens `path` for writing, making it if it is not there, and starts a session there. A store
    /// of an older format is brought up to date. Fails when it is no campaign of ours, of another
    /// version, of another network (other hosts, clusters or MPI library: the error names what
    /// differs), locked, or cannot be written.
    static Result<Campaign> resume(const std::filesystem::path& path, const Provenance& here,
                                   std::uint64_t seed);
    /// Opens an existing store for reading. Fails, naming the file, when it is missing, truncated
    /// or foreign.
    static Result<Campaign> read(const std::filesystem::path& path);

    Campaign(Campaign&&) noexcept;
    Campaign& operator=(Campaign&&) noexcept;
    ~Campaign();

    /// Adds one sample with the next repetition number of its point and commits it; returns that
    /// number. After it returned, a kill loses nothing. Fails when the disk is full.
    Result<int> add(const Point& point, double time_s, bool warmup);

    Result<Provenance> provenance() const;
    /// Every point with its samples, in the order first taken.
    Result<std::vector<PointSamples>> points() const;
    /// A line of the campaign's log: what was skipped, what went wrong, why a point stopped.
    Status note(const std::string& text);
    Result<std::vector<std::string>> notes() const;

  private:
    struct State;
    explicit Campaign(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace alltold

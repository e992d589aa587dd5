// SPDX-License-Identifier: BSD-3-Clause
// A measuring campaign on disk: every raw sample in SQLite, committed as it is taken.
#pragma once

#include <filesystem>
#include <memory>

#include "core/statistics.hpp"
#include "network/samples.hpp"

namespace alltold {

/// The largest size of a point in bytes, and the largest sample, in seconds or what else its probe
/// measures; a larger one is an error in the file.
inline constexpr std::uint64_t most_point_bytes = std::uint64_t{1} << 40;
inline constexpr double most_sample = 1e12;

/// The longest name of a probe, an algorithm or a host, and the longest other text about where was
/// measured; a longer one is an error in the file.
inline constexpr std::size_t most_name_bytes = 200, most_text_bytes = 1000;

struct StoredPrediction {
    Point point;
    Estimate time_s;
    bool held_out = false; ///< nothing was fitted to it
    std::string method;    ///< what the prediction rests on
};

/// The store. Not thread-safe; only one process may write (a second one gets an error).
class Campaign {
  public:
    /// Opens `path` for writing, making it if it is not there, and starts a session there. Fails
    /// when it is no campaign of ours, of another version, of another network (other hosts,
    /// clusters or MPI library: the error names what differs), locked, or cannot be written. The
    /// network of an imported campaign grows with what is imported into it (grown_network).
    static Result<Campaign> resume(const std::filesystem::path& path, const Provenance& here,
                                   std::uint64_t seed);
    /// Whether resume would open what is at `path`, now; nothing may be there. Writes nothing.
    static Status may_resume(const std::filesystem::path& path, const Provenance& here);
    /// Opens an existing store for reading. Fails, naming the file, when it is missing, truncated
    /// or foreign.
    static Result<Campaign> read(const std::filesystem::path& path);

    Campaign(Campaign&&) noexcept;
    Campaign& operator=(Campaign&&) noexcept;
    ~Campaign();

    /// Adds one sample with the next repetition number of its point, and how many TCP segments
    /// hosts retransmitted meanwhile if that is known, and commits it; returns that number. After
    /// it returned, a kill loses nothing. Fails when the disk is full.
    Result<int> add(const Point& point, double time_s, bool warmup,
                    std::optional<std::uint64_t> retransmitted = {});

    /// Says that samples of this probe are not in seconds, if that is not known yet.
    Status measured_in(std::string_view probe, std::string_view unit);

    /// Adds each point's sample with the next repetition number, taken now if it does not say when,
    /// and commits all of them or none.
    Status add_all(std::span<const std::pair<Point, Sample>> samples);

    /// Keeps what is predicted of points that have samples, in place of what was kept of them
    /// before. Others are left out.
    Status keep(std::span<const StoredPrediction> predictions);

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

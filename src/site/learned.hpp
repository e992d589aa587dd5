// SPDX-License-Identifier: BSD-3-Clause
// Results of blocks of calls in programs: a line for each shape and job in a network's folder.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/result.hpp"
#include "predict/choice/choice.hpp"
#include "schedule/specification.hpp"
#include "topology/clusters.hpp"

namespace alltold::site {

inline constexpr const char* learned_file = "learned";

struct LearnedChoice {
    Choice choice = {};
    double share = 1; ///< wall time by call over that with the library's own
    /// Standard error of its logarithm; 0: not compared with the library's own in this job, but
    /// with another choice whose share was known.
    double error = 0;
};

/// Calls of one collective, class of sizes and layout of ranks.
struct LearnedShape {
    Collective collective = Collective::bcast;
    std::uint64_t size_bytes = 0;       ///< the least of the class, a power of two; 0: no data
    std::string layout;                 ///< Clusters::text() of the communicator
    std::string library;                ///< LibraryVersion::text()
    std::string version;                ///< of alltold
    std::int64_t time_s = 0;            ///< since 1970: the end of the newest job
    int jobs = 1;                       ///< that agreed on what won
    double calls = 0;                   ///< of these jobs, in blocks
    double library_s = 0;               ///< wall time by call with the library's own
    std::vector<LearnedChoice> choices; ///< first the winner

    const LearnedChoice* find(const Choice& choice) const;
};

/// One line without its end, which read() checks.
std::string text_of(const LearnedShape& shape);
/// Fails for what is no such line, or not a whole one.
Result<LearnedShape> parse_learned(std::string_view line);

/// The newest of each shape.
class Learned {
  public:
    /// Adds lines. Whole ones that this version of alltold does not know are kept for others; those
    /// that are not whole are counted.
    void read(std::string_view text);
    /// An older entry of the shape with the same winner gives its count of jobs, and its choices
    /// that the newer one lacks; one with another winner is forgotten.
    void add(LearnedShape shape);
    /// Lines of the newest most_shapes, and as many that are not known.
    std::string text() const;
    /// Those for one library.
    Learned of(const std::string& library) const;
    bool empty() const { return shapes_.empty(); }
    int wrong_lines() const { return wrong_lines_; }
    std::vector<const LearnedShape*> shapes() const;

    /// Null: no job showed it.
    const LearnedShape* find(const std::string& library, Collective collective,
                             std::uint64_t size_bytes, const std::string& layout) const;
    /// The newest of a layout like it: as many clusters, and hosts and ranks per host in the same
    /// of the ranges in which rules name trials.
    const LearnedShape* find_like(const std::string& library, Collective collective,
                                  std::uint64_t size_bytes, const Clusters& layout) const;

    /// 200 bytes each: ten layouts of ten collectives at ten sizes.
    static constexpr std::size_t most_shapes = 1000;

  private:
    using Key = std::tuple<std::string, Collective, std::uint64_t, std::string>;
    std::map<Key, LearnedShape> shapes_;
    std::vector<std::string> unknown_lines_;
    int wrong_lines_ = 0;
};

} // namespace alltold::site

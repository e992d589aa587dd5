// SPDX-License-Identifier: BSD-3-Clause
// Times that other benchmarks printed, as samples of a campaign.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "network/samples.hpp"

namespace alltold {

/// One time of one call.
struct ImportedTime {
    Point point;
    double time_s = 0; ///< above 0
};

/// The contents of a file.
struct ImportedTimes {
    std::vector<ImportedTime> times;
    std::vector<std::string> skipped; ///< what alltold has no probe for, a line each
};

/// A text, its name for errors, and the ranks that took part where the text does not say.
struct ImportSource {
    std::string_view text;
    std::string file;
    Clusters clusters{{2}};
};

/// A benchmark whose output can be read.
struct ImportFormat {
    std::string_view name; ///< as `alltold import` takes it
    std::string_view help; ///< one line
    StartMode start_mode;  ///< what its repetitions follow
    /// Fails naming file and line of the first malformed line.
    Result<ImportedTimes> (*read)(const ImportSource& source);
};

/// osu, imb, repro.
std::span<const ImportFormat> import_formats();

/// The first `ranks` ranks of `clusters`; fails if it has fewer.
Result<Clusters> first_ranks(const Clusters& clusters, int ranks);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// What ALLTOLD_LOG and ALLTOLD_LOG_FILE ask for.
#pragma once

#include <string>

namespace alltold::preload {

struct LogSetting {
    enum class Kind { none, explain, profile, unknown } kind = Kind::none;
    std::string word; ///< of an unknown one
    std::string file; ///< where to write; empty: standard error

    /// Whether the file is to hold JSON.
    bool json() const { return file.ends_with(".json"); }
};

/// From "explain", "profile:log.json"; `file` counts where the first has none. Empty texts: not
/// set.
LogSetting log_setting(const std::string& log, const std::string& file);

} // namespace alltold::preload

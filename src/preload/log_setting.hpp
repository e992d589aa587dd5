// SPDX-License-Identifier: BSD-3-Clause
// The log that ALLTOLD_LOG and ALLTOLD_LOG_FILE ask for.
#pragma once

#include <string>

namespace alltold::preload {

struct LogSetting {
    enum class Kind { none, explain, profile, unknown } kind = Kind::none;
    std::string word; ///< an unknown one
    std::string file; ///< to write; empty: standard error

    /// Whether the file is to hold JSON.
    bool json() const { return file.ends_with(".json"); }
};

/// From "explain", "profile:log.json"; `file` counts where the first has none. Empty texts: not
/// set.
inline LogSetting log_setting(const std::string& log, const std::string& file) {
    using Kind = LogSetting::Kind;
    const auto colon = log.find(':');
    const auto word = log.substr(0, colon);
    const auto named = colon == log.npos ? file : log.substr(colon + 1);
    if (word.empty() || word == "off")
        return {Kind::none, "", named};
    if (word == "explain" || word == "profile")
        return {word == "explain" ? Kind::explain : Kind::profile, "", named};
    return {Kind::unknown, word, named};
}

} // namespace alltold::preload

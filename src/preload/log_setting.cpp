// SPDX-License-Identifier: BSD-3-Clause
// A word, and a file behind a colon.
#include "preload/log_setting.hpp"

namespace alltold::preload {

LogSetting log_setting(const std::string& log, const std::string& file) {
    LogSetting setting;
    const auto colon = log.find(':');
    const auto word = log.substr(0, colon);
    setting.file = colon == log.npos ? file : log.substr(colon + 1);
    if (word == "explain")
        setting.kind = LogSetting::Kind::explain;
    else if (word == "profile")
        setting.kind = LogSetting::Kind::profile;
    else if (!word.empty() && word != "off") {
        setting.kind = LogSetting::Kind::unknown;
        setting.word = word;
    }
    return setting;
}

} // namespace alltold::preload

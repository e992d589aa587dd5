// SPDX-License-Identifier: BSD-3-Clause
// Reads the JSON of `alltold settings`.
#include "cli/settings_advice.hpp"

#include <map>

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "core/units.hpp"
#include "network/json/json_cursor.hpp"

namespace alltold::cli {
namespace {

constexpr const char* no_setting = "default";

} // namespace

Result<std::string> settings_advice(const std::filesystem::path& file) {
    ALLTOLD_TRY(text, read_text_file(file, "the JSON of alltold settings"));
    auto json = JsonCursor::parse(*text, file.string());
    if (!json.error() && !json.optional_member("recommended"))
        return bad_input(fmt::format("--settings {}: is not the output of 'alltold settings "
                                     "--json'",
                                     file.string()));
    const auto recommended = json.member("recommended").text();
    std::map<double, double> default_s, recommended_s;
    for (auto result : json.member("results").items()) {
        const auto setting = result.member("setting").text();
        const double size_bytes = result.member("size_bytes").number({"bytes", 0, true});
        const double time_s = result.member("time_s").member("value").number({"seconds", 0, true});
        if (setting == no_setting)
            default_s[size_bytes] = time_s;
        if (setting == recommended)
            recommended_s[size_bytes] = time_s;
    }
    const auto collective = json.member("collective").text();
    const auto start_mode = json.member("start").text();
    if (json.error())
        return *json.error();
    if (recommended == no_setting)
        return std::string();
    std::string advice = fmt::format("export {}\n", recommended);
    for (const auto& [size_bytes, time_s] : recommended_s)
        advice += fmt::format("# the MPI library's own {} of {}: {} instead of {} (after a {})\n",
                              collective, format_size(size_bytes), format_time(time_s),
                              format_time(default_s[size_bytes]), start_mode);
    return advice + "# If you set it, run the study again: the fastest choices may change.\n";
}

} // namespace alltold::cli

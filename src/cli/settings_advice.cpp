// SPDX-License-Identifier: BSD-3-Clause
// Compares the setting's times with the default's and with ours.
#include "cli/settings_advice.hpp"

#include <fmt/format.h>

#include "core/median.hpp"
#include "core/units.hpp"
#include "network/collective_probe.hpp"
#include "predict/choice.hpp"
#include "predict/safe_choice.hpp"

namespace alltold::cli {
namespace {

std::string size_text(const SettingTimes& size) {
    return format_size(static_cast<double>(size.size_bytes));
}

/// The setting beside what a study without it timed of ours.
std::string beside_ours(const OurTime& ours, double setting_s) {
    const double ratio = setting_s / ours.time_s;
    const auto verdict = ratio >= worth_gaining
                             ? fmt::format("and is still {:.2f} times as fast", ratio)
                         : ratio <= 1 / worth_gaining
                             ? std::string("so the MPI library is faster with this setting")
                             : std::string("so the MPI library is as fast with this setting");
    return fmt::format("#   alltold's {} took {} in the study, {}\n", ours.name,
                       format_time(ours.time_s), verdict);
}

} // namespace

std::optional<OurTime> our_time(std::span<const PointSamples> measured, const Clusters& hosts,
                                StartMode usual, Collective collective, std::uint64_t size_bytes,
                                StartMode start_mode) {
    constexpr std::size_t fewest_repetitions = 3;
    const CollectiveProbe probe{collective,
                                start_mode == usual ? std::nullopt : std::optional(start_mode)};
    std::optional<OurTime> best;
    for (const auto& samples : measured) {
        const auto& point = samples.point;
        const auto choice = parse_choice(point.algorithm);
        const auto times_s = samples.series().times_s;
        if (point.probe != probe.text() || point.clusters != hosts ||
            point.size_bytes != size_bytes || !choice || !choice->algorithm ||
            times_s.size() < fewest_repetitions)
            continue;
        if (const double time_s = median(times_s); !best || time_s < best->time_s) {
            const auto name = choice->algorithm->name;
            best = OurTime{std::string(name.substr(name.find('.') + 1)), time_s};
        }
    }
    return best;
}

std::string settings_advice(const std::string& setting, Collective collective, StartMode start_mode,
                            std::span<const SettingTimes> sizes) {
    auto text = fmt::format("export {}\n", setting);
    bool compared = false;
    for (const auto& size : sizes) {
        text += fmt::format("# {} of {} after {}: {:.2f} of the default's time, {} instead of {}\n",
                            name_of(collective), size_text(size), what_precedes(start_mode),
                            size.setting_s / size.default_s, format_time(size.setting_s),
                            format_time(size.default_s));
        if (size.ours)
            text += beside_ours(*size.ours, size.setting_s);
        compared = compared || size.ours;
    }
    return compared ? text + "# Set it first, then run the study again: it then compares with this "
                             "setting.\n"
                    : text;
}

} // namespace alltold::cli

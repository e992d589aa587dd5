// SPDX-License-Identifier: BSD-3-Clause
// Reading a lab's truth and comparing a profile with it.
#include "campaign/study/built_with.hpp"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/units.hpp"

namespace alltold::campaign {

Result<LabTruth> LabTruth::read(const std::string& path) try {
    std::ifstream file(path);
    if (!file)
        return bad_input(fmt::format("{}: cannot be read", path));
    const auto json = nlohmann::json::parse(file);
    LabTruth truth;
    const auto& nic = json.at("nic");
    truth.goodput_byte_per_s = nic.at("goodput_byte_per_s");
    truth.text =
        fmt::format("{} hosts, {}, {} a switch port", json.at("clusters").get<std::string>(),
                    format_rate(nic.at("rate_bit_per_s")),
                    format_size(json.at("switch").at("port_buffer_bytes").get<double>()));
    if (json.contains("wan")) {
        const auto& wan = json.at("wan");
        truth.wan_delay_s = wan.at("one_way_delay_s");
        truth.text += fmt::format("; backbone {}, {}, {}", format_rate(wan.at("rate_bit_per_s")),
                                  format_time(truth.wan_delay_s),
                                  format_size(wan.at("queue_bytes").get<double>()));
    }
    return truth;
} catch (const nlohmann::json::exception& error) {
    return bad_input(
        fmt::format("{}: not what 'alltold lab --truth' writes: {}", path, error.what()));
}

std::optional<Recovered> recovered(const LabTruth& truth, const Profile& profile) {
    if (!profile.network.local)
        return {};
    Recovered result;
    const double rate = 1 / profile.network.local->beta_s_per_byte.value;
    result.rate_error = rate / truth.goodput_byte_per_s - 1;
    result.text = fmt::format("built with {}\n  rate: {} fitted, {} built, {:+.1f} %\n", truth.text,
                              format_rate(8 * rate), format_rate(8 * truth.goodput_byte_per_s),
                              100 * result.rate_error);
    if (truth.wan_delay_s > 0 && profile.network.inter_cluster) {
        const double delay_s =
            profile.network.inter_cluster->latency_s.value - profile.network.local->latency_s.value;
        result.delay_error = delay_s / truth.wan_delay_s - 1;
        result.text += fmt::format("  delay of the backbone: {} fitted, {} built, {:+.1f} %\n",
                                   format_time(delay_s), format_time(truth.wan_delay_s),
                                   100 * *result.delay_error);
    }
    return result;
}

} // namespace alltold::campaign

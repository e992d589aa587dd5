// SPDX-License-Identifier: BSD-3-Clause
// Looks for the campaign and the lab's truth beside the profile.
#include "cli/deciding_command.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command_name.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "report/next_command.hpp"

namespace alltold::cli {
namespace {

namespace fs = std::filesystem;

/// The campaign that the profile was made from, if it is still there.
std::string campaign_beside(const fs::path& file, const Profile& profile) {
    std::error_code failed;
    for (const auto& campaign :
         {file.parent_path() / fs::path(profile.source).filename(), fs::path(profile.source)})
        if (fs::is_regular_file(campaign, failed))
            return campaign.string();
    return "net.db";
}

/// "alltold lab --clusters 12 --nic 50Mbit --buffer 64KiB -- "; empty without a lab's truth.
std::string lab_beside(const fs::path& file) {
    const auto text = read_text_file(file.parent_path() / "truth.json", "the truth of a lab");
    if (!text)
        return "";
    const auto truth = nlohmann::json::parse(*text, nullptr, false);
    if (!truth.is_object() || !truth.contains("alltold_lab"))
        return "";
    try {
        const auto clusters = Clusters::parse(truth.at("clusters").get<std::string>());
        if (!clusters)
            return "";
        auto line = fmt::format(
            "{} lab --clusters {} --nic {:g}Mbit --buffer {} ", command_name(), clusters->text(),
            truth.at("nic").at("rate_bit_per_s").get<double>() / 1e6,
            format_size_word(truth.at("switch").at("port_buffer_bytes").get<std::uint64_t>()));
        if (truth.contains("wan"))
            line += fmt::format(
                "--wan {:g}Mbit,{:g}ms,{} ", truth["wan"].at("rate_bit_per_s").get<double>() / 1e6,
                truth["wan"].at("one_way_delay_s").get<double>() * 1e3,
                format_size_word(truth["wan"].at("queue_bytes").get<std::uint64_t>()));
        return line + "-- ";
    } catch (const nlohmann::json::exception&) {
        return "";
    }
}

} // namespace

std::string deciding_command(const std::string& file, const Profile& profile,
                             const Ranking& ranking) {
    // A campaign is of its ranks: more need one of their own.
    if (ranking.clusters.ranks() > profile.provenance.clusters.ranks())
        return fmt::format("mpirun -n {} --map-by node {} study --collective {}{}",
                           ranking.clusters.ranks(), command_name(), name_of(ranking.collective),
                           ranking.clusters.count() > 1 ? " --clusters " + ranking.clusters.text()
                                                        : "");
    return fmt::format("{}mpirun -n {} {} tune {} -o {} --verify --collective {} -n {}{}",
                       lab_beside(file), profile.provenance.clusters.ranks(), command_name(),
                       campaign_beside(file, profile), file, name_of(ranking.collective),
                       ranking.clusters.text(),
                       size_option(ranking.collective, ranking.size_bytes));
}

} // namespace alltold::cli

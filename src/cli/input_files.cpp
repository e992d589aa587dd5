// SPDX-License-Identifier: BSD-3-Clause
// Reads them whole; files of another kind are told by their first bytes.
#include "cli/input_files.hpp"

#include <fstream>

#include <fmt/format.h>

#include "cli/command_output.hpp"

namespace alltold::cli {
namespace {

namespace fs = std::filesystem;

bool is_profile(const std::string& file) {
    std::array<char, 1024> first{};
    std::ifstream(file, std::ios::binary).read(first.data(), first.size());
    return std::string_view(first.data(), first.size()).find("\"alltold profile\"") !=
           std::string_view::npos;
}

bool is_campaign(const std::string& file) {
    return static_cast<bool>(Campaign::read(file));
}

struct Kind {
    std::string_view called;
    std::string_view study_file; ///< its name in the folder of a study
    std::string_view made_by;
    bool (*is_one)(const std::string& file);
};

constexpr Kind a_profile{"profile", "profile.json", "made by 'alltold fit'", is_profile};
constexpr Kind a_campaign{"campaign", "study.db", "made by 'alltold study' or 'alltold measure'",
                          is_campaign};

/// The file of this kind that a study's folder holds, or the file itself. Fails for a folder
/// without one and for a file of the other kind.
Result<std::string> path_of(const Kind& wanted, const Kind& other, const std::string& name) {
    std::error_code failed;
    if (fs::is_directory(name, failed)) {
        const auto file = fs::path(name) / wanted.study_file;
        if (fs::exists(file, failed))
            return file.string();
        return bad_input(fmt::format("{}: is a directory without {}; expected a {} or the folder "
                                     "of a study",
                                     name, wanted.study_file, wanted.called));
    }
    if (!fs::is_regular_file(name, failed) || !other.is_one(name))
        return name;
    const auto beside = fs::path(name).parent_path() / wanted.study_file;
    return bad_input(fmt::format("{}: is a {}; give a {}, {}", name, other.called, wanted.called,
                                 fs::exists(beside, failed) ? "such as " + beside.string()
                                                            : std::string(wanted.made_by)));
}

} // namespace

Result<std::string> profile_path(const std::string& name) {
    return name.starts_with('@') ? name : path_of(a_profile, a_campaign, name);
}

Result<std::string> campaign_path(const std::string& name) {
    return path_of(a_campaign, a_profile, name);
}

Result<Profile> read_profile(const std::string& name) {
    ALLTOLD_TRY(path, profile_path(name));
    return load_profile(*path);
}

Result<Campaign> open_campaign(const std::string& name) {
    ALLTOLD_TRY(path, campaign_path(name));
    return Campaign::read(*path);
}

Result<ReadCampaign> read_campaign(const std::string& name) {
    ALLTOLD_TRY(campaign, open_campaign(name));
    ALLTOLD_TRY(points, campaign->points());
    ALLTOLD_TRY(where, campaign->provenance());
    return ReadCampaign{std::move(*points), std::move(*where)};
}

Result<std::optional<Profile>> profile_if_named(const std::string& name) {
    if (name.empty())
        return std::optional<Profile>();
    ALLTOLD_TRY(profile, read_profile(name));
    return std::optional(std::move(*profile));
}

Error not_predicted(const std::string& name, const Profile& profile, const Clusters& clusters,
                    const Error& error) {
    if (name.starts_with('@') || clusters.count() < 2 || profile.provenance.clusters.count() > 1)
        return {fmt::format("{}: {}", name, error.message), error.status};
    return {fmt::format("{0}: was measured on one cluster; measure {1}: {2} study --clusters {1}",
                        name, clusters.text(), command_name()),
            error.status};
}

} // namespace alltold::cli

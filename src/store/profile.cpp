// SPDX-License-Identifier: BSD-3-Clause
#include "store/profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text_file.hpp"
#include "network/json/profile_network.hpp"
#include "predict/rules/decision_table.hpp"
#include "store/json_text.hpp"
#include "store/profile_json.hpp"

namespace alltold {
namespace {

namespace fs = std::filesystem;

constexpr FileKind profile_file{"a profile", "\"format\": \"alltold profile\""};

Result<Profile> builtin_profile(std::string_view name) {
    const auto& known = builtin_profiles();
    const auto found = std::ranges::find(known, name, &Profile::name);
    if (found != known.end())
        return *found;
    std::vector<std::string_view> names;
    for (const auto& profile : known)
        names.push_back(profile.name);
    return bad_input(
        fmt::format("unknown built-in profile '{}'; use one of {}", name, fmt::join(names, ", ")));
}

/// Rankings of more ranks take too long to make a table of them.
constexpr int most_ranks_of_rules = 4096;

} // namespace

Result<Profile> load_profile(std::string_view name) {
    if (name.starts_with('@'))
        return builtin_profile(name);
    const fs::path path(name);
    ALLTOLD_TRY(text, read_profile_file(path, "a profile made by 'alltold fit', or one of the "
                                              "built-in ones, such as @gigabit-ethernet-2007"));
    auto profile = profile_from_json(*text, path.string());
    if (profile)
        profile->name = path.stem().string();
    return profile;
}

Status may_save_profile(const fs::path& path) {
    if (path.string().starts_with('@'))
        return bad_input(fmt::format(
            "{}: begins with '@', as only built-in profiles do; name another file", path.string()));
    return may_replace(path, profile_file);
}

Status save_profile(const Profile& profile, const fs::path& path) {
    ALLTOLD_TRY_DONE(may_save_profile(path));
    const auto text = json_text(profile_to_json(profile));
    // Read it back first: an unreadable file must not replace a readable one.
    if (const auto readable = profile_from_json(text, path.string()); !readable)
        return Error{"this profile cannot be saved: " + readable.error().message, ExitStatus::no};
    return replace_text_file(path, text, profile_file);
}

Result<std::vector<Rule>> rules_of(const Profile& profile) {
    std::string text;
    for (const auto& line : profile.rules)
        text += line + "\n";
    return parse_rules(text, profile.name + ": rules");
}

void make_rules(Profile& profile, std::vector<Clusters> calls, const Terms& terms) {
    const auto& hosts = profile.provenance.clusters;
    const auto table = decision_table(
        profile.network, {.clusters = hosts,
                          .most_ranks = std::clamp(2 * hosts.ranks(), 2, most_ranks_of_rules),
                          .start_mode = profile.provenance.start_mode,
                          .terms = terms,
                          .calls = std::move(calls),
                          .trials = true});
    profile.rules.clear();
    for (const auto& rule : table)
        profile.rules.push_back(text_of(rule));
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Format, version and the order of a profile's parts.
#include "store/profile_json.hpp"

#include <fmt/format.h>

#include "predict/parse.hpp"
#include "store/profile_parts.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

constexpr const char* format_name = "alltold profile";
constexpr int oldest_version = 1;
constexpr int format_version = 2; ///< 2 added plogp, cluster_model, links, library,
                                  ///< corrections, rules

ordered_json refusals_to_json(const std::vector<Refusal>& refused) {
    auto list = ordered_json::array();
    for (const auto& refusal : refused)
        list.push_back({{"what", refusal.what}, {"reason", refusal.reason}});
    return list;
}

std::vector<Refusal> read_refusals(JsonCursor at) {
    std::vector<Refusal> refused;
    for (auto item : at.items()) {
        refused.push_back({item.member("what").text(), item.member("reason").text()});
        item.only({"what", "reason"});
    }
    return refused;
}

std::vector<std::string> read_rules(JsonCursor at) {
    std::vector<std::string> rules;
    std::string text;
    for (auto item : at.items()) {
        rules.push_back(item.text());
        text += rules.back() + "\n";
    }
    if (const auto parsed = parse_rules(text, "rules"); !parsed)
        at.complain(parsed.error().message);
    return rules;
}

} // namespace

ordered_json profile_to_json(const Profile& profile) {
    ordered_json json{{"format", format_name},
                      {"version", format_version},
                      {"source", profile.source},
                      {"assumed", profile.assumed},
                      {"provenance", to_json(profile.provenance)}};
    if (profile.local)
        json["local"] = to_json(*profile.local);
    if (profile.wide)
        json["wide"] = to_json(*profile.wide);
    if (profile.alltoall)
        json["alltoall"] = to_json(*profile.alltoall);
    if (profile.congestion)
        json["congestion"] = to_json(*profile.congestion);
    if (profile.plogp)
        json["plogp"] = to_json(*profile.plogp);
    if (profile.cluster)
        json["cluster_model"] = to_json(*profile.cluster);
    if (profile.links)
        json["links"] = to_json(*profile.links);
    if (!profile.library.empty())
        json["library"] = to_json(profile.library);
    for (const auto& correction : profile.corrections)
        json["corrections"].push_back(to_json(correction));
    if (!profile.rules.empty())
        json["rules"] = profile.rules;
    json["refused"] = refusals_to_json(profile.refused);
    return json;
}

Result<Profile> profile_from_json(std::string_view text, const std::string& file) {
    auto root = JsonCursor::parse(text, file);
    if (auto format = root.member("format"); format.text() != format_name)
        format.complain(fmt::format("expected \"{}\"; this is not a profile", format_name));
    if (auto version = root.member("version"); !root.error()) {
        const int number = version.whole_number(1);
        if (number < oldest_version || number > format_version)
            version.complain(fmt::format("not a version from {} to {}, which this alltold reads; "
                                         "make the profile again with 'alltold fit'",
                                         oldest_version, format_version));
    }
    Profile profile;
    if (root.error())
        return *root.error();
    profile.source = root.member("source").text();
    profile.assumed = root.member("assumed").text();
    profile.provenance = read_provenance(root.member("provenance"));
    if (const auto local = root.optional_member("local"))
        profile.local = read_hockney(*local);
    if (const auto wide = root.optional_member("wide"))
        profile.wide = read_hockney(*wide);
    if (const auto alltoall = root.optional_member("alltoall"))
        profile.alltoall = read_signature(*alltoall);
    if (const auto congestion = root.optional_member("congestion"))
        profile.congestion = read_congestion(*congestion);
    if (const auto plogp = root.optional_member("plogp"))
        profile.plogp = read_plogp(*plogp);
    if (const auto cluster = root.optional_member("cluster_model"))
        profile.cluster = read_cluster_model(*cluster);
    if (const auto links = root.optional_member("links"))
        profile.links = read_link_network(*links);
    if (const auto library = root.optional_member("library"))
        profile.library = read_library_times(*library);
    if (auto corrections = root.optional_member("corrections"))
        for (const auto& item : corrections->items())
            if (auto correction = read_correction(item))
                profile.corrections.push_back(std::move(*correction));
    if (const auto rules = root.optional_member("rules"))
        profile.rules = read_rules(*rules);
    profile.refused = read_refusals(root.member("refused"));
    root.only({"format", "version", "source", "assumed", "provenance", "local", "wide", "alltoall",
               "congestion", "plogp", "cluster_model", "links", "library", "corrections", "rules",
               "refused"});
    if (root.error())
        return *root.error();
    return profile;
}

} // namespace alltold

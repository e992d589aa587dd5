// SPDX-License-Identifier: BSD-3-Clause
// Format, version and the order of a profile's parts.
#include "store/profile_json.hpp"

#include <fmt/format.h>

#include "network/cost_model.hpp"
#include "predict/parse.hpp"
#include "store/profile_parts.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

constexpr const char* format_name = "alltold profile";
constexpr int format_version = 3;

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
                      {"assumed", profile.network.assumed},
                      {"provenance", to_json(profile.provenance)}};
    for (const auto* model : cost_models())
        for (const auto& field : model->fields)
            if (auto parameters = field.write(profile.network); !parameters.is_null())
                json[std::string(field.key)] = std::move(parameters);
    if (!profile.network.library.empty())
        json["library"] = to_json(profile.network.library);
    for (const auto& correction : profile.network.corrections)
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
        if (number != format_version)
            version.complain(fmt::format("another version than {}, which this alltold reads; make "
                                         "the profile again with 'alltold fit'",
                                         format_version));
    }
    Profile profile;
    if (root.error())
        return *root.error();
    profile.source = root.member("source").text();
    profile.network.assumed = root.member("assumed").text();
    profile.provenance = read_provenance(root.member("provenance"));
    std::vector<std::string> keys{"format",  "version",     "source", "assumed", "provenance",
                                  "library", "corrections", "rules",  "refused"};
    for (const auto* model : cost_models())
        for (const auto& field : model->fields) {
            keys.emplace_back(field.key);
            if (const auto parameters = root.optional_member(keys.back()))
                field.read(profile.network, *parameters);
        }
    if (const auto library = root.optional_member("library"))
        profile.network.library = read_library_times(*library);
    if (auto corrections = root.optional_member("corrections"))
        for (const auto& item : corrections->items())
            if (auto correction = read_correction(item))
                profile.network.corrections.push_back(std::move(*correction));
    if (const auto rules = root.optional_member("rules"))
        profile.rules = read_rules(*rules);
    profile.refused = read_refusals(root.member("refused"));
    root.only(keys);
    if (root.error())
        return *root.error();
    return profile;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Format, version and the order of a profile's parts.
#include "store/profile_json.hpp"

#include <fmt/format.h>

#include "network/cost_model.hpp"
#include "network/json/profile_network.hpp"
#include "predict/rules/parse.hpp"
#include "store/profile_fields.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

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

ordered_json notes_to_json(const std::vector<FitNote>& notes) {
    auto list = ordered_json::array();
    for (const auto& note : notes)
        list.push_back({{"what", note.what}, {"note", note.text}});
    return list;
}

std::vector<FitNote> read_notes(JsonCursor at) {
    std::vector<FitNote> notes;
    for (auto item : at.items()) {
        notes.push_back({item.member("what").text(), item.member("note").text()});
        item.only({"what", "note"});
    }
    return notes;
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
    ordered_json json{{"format", profile_format},
                      {"version", profile_version},
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
    if (!profile.algorithm_errors.empty())
        json["algorithm_errors"] = to_json(profile.algorithm_errors);
    if (!profile.rules.empty())
        json["rules"] = profile.rules;
    json["refused"] = refusals_to_json(profile.refused);
    if (!profile.notes.empty())
        json["notes"] = notes_to_json(profile.notes);
    return json;
}

Result<Profile> profile_from_json(std::string_view text, const std::string& file) {
    auto root = profile_root(text, file);
    Profile profile;
    if (root.error())
        return *root.error();
    profile.source = root.member("source").text();
    profile.network.assumed = root.member("assumed").text();
    profile.provenance = read_provenance(root.member("provenance"));
    profile.network.defaults_of = known_defaults(profile.provenance.mpi_library);
    auto keys = read_parameters(root, profile.network);
    keys.insert(keys.end(), {"format", "version", "source", "assumed", "provenance", "library",
                             "corrections", "algorithm_errors", "rules", "refused", "notes"});
    if (const auto library = root.optional_member("library"))
        profile.network.library = read_library_times(*library);
    if (auto corrections = root.optional_member("corrections"))
        for (const auto& item : corrections->items())
            if (auto correction = read_correction(item))
                profile.network.corrections.push_back(std::move(*correction));
    if (const auto errors = root.optional_member("algorithm_errors"))
        profile.algorithm_errors = read_algorithm_errors(*errors);
    if (const auto rules = root.optional_member("rules"))
        profile.rules = read_rules(*rules);
    profile.refused = read_refusals(root.member("refused"));
    if (const auto notes = root.optional_member("notes"))
        profile.notes = read_notes(*notes);
    root.only(keys);
    if (root.error())
        return *root.error();
    return profile;
}

} // namespace alltold

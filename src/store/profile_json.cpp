// SPDX-License-Identifier: BSD-3-Clause
#include "store/profile_json.hpp"

#include <fmt/format.h>

#include "network/json/profile_network.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

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

std::uint64_t read_size_bytes(JsonCursor at) {
    const double size_bytes = at.number(in_bytes);
    if (size_bytes != std::floor(size_bytes) || size_bytes > static_cast<double>(most_size_bytes))
        at.complain(fmt::format("expected a whole number of bytes of at most {}, got {}",
                                most_size_bytes, size_bytes));
    return at.error() ? 0 : static_cast<std::uint64_t>(size_bytes);
}

void size_bytes_member(JsonMembers& json, std::uint64_t& size_bytes) {
    json.part(
        "size_bytes", [&] { return ordered_json(size_bytes); },
        [&](JsonCursor at) { size_bytes = read_size_bytes(std::move(at)); });
}

ordered_json to_json(const Clusters& clusters) {
    return clusters.text();
}
void from_json(JsonCursor at, Clusters& clusters) {
    at.take(Clusters::parse(at.text()), clusters);
}
ordered_json to_json(Collective collective) {
    return name_of(collective);
}
void from_json(JsonCursor at, Collective& collective) {
    at.take(parse_collective(at.text(), uniform_collectives), collective);
}
ordered_json to_json(StartMode start_mode) {
    return name_of(start_mode);
}
void from_json(JsonCursor at, StartMode& start_mode) {
    at.take(parse_start_mode(at.text()), start_mode);
}

static void members(JsonMembers& json, Provenance& where) {
    json("hosts", where.hosts);
    json.part(
        "clusters", [&] { return to_json(where.clusters); },
        [&](JsonCursor at) {
            from_json(at, where.clusters);
            const auto ranks = static_cast<std::size_t>(where.clusters.ranks());
            if (!where.hosts.empty() && where.hosts.size() != ranks)
                at.complain(fmt::format("expected {} ranks, one per entry of hosts, got {}",
                                        where.hosts.size(), ranks));
        });
    json("clusters_from", where.clusters_from);
    json("mpi_library", where.mpi_library);
    json("kernel", where.kernel);
    json("clock_method", where.clock_method);
    json("start", where.start_mode);
}

static void members(JsonMembers& json, Refusal& refusal) {
    json("what", refusal.what);
    json("reason", refusal.reason);
}

static void members(JsonMembers& json, FitNote& note) {
    json("what", note.what);
    json("note", note.text);
}

static void members(JsonMembers& json, LibraryTime& one) {
    json("collective", one.collective);
    json.younger("algorithm", one.algorithm);
    json("clusters", one.clusters);
    size_bytes_member(json, one.size_bytes);
    json("time_s", one.time_s, in_seconds);
    json.unless(false, "mean_of_ranks", one.mean_of_ranks);
}

static void members(JsonMembers& json, Plausibility::Beaten& beaten) {
    json("calls", beaten.calls, 1);
    json("rate_factor", beaten.rate_factor, from_one);
    json("latency_factor", beaten.latency_factor, from_one);
    json("means", beaten.means);
    json("least", beaten.least);
    json("least_bound_s", beaten.least_bound_s, in_seconds);
}

static void members(JsonMembers& json, Plausibility::Slow& slow) {
    json("call", slow.call);
    json("bound_s", slow.bound_s, seconds_above_zero);
}

static void members(JsonMembers& json, Plausibility::TimedOut& timed_out) {
    json("call", timed_out.call);
    json("quick_s", timed_out.quick_s, in_seconds);
    json("free_bytes", timed_out.free_bytes, in_bytes);
}

static void members(JsonMembers& json, Plausibility& plausibility) {
    json("beaten", plausibility.beaten);
    json("slow", plausibility.slow);
    json("timed_out", plausibility.timed_out);
}

static void members(JsonMembers& json, AlgorithmErrors& one) {
    json.part(
        "algorithm", [&] { return ordered_json(one.algorithm); },
        [&](JsonCursor at) {
            one.algorithm = at.text();
            if (const auto known = find_algorithm(one.algorithm); !known)
                at.complain(known.error().message);
        });
    several_clusters_member(json, one.several_clusters);
    json("calls", one.calls, 1);
    json("models", one.models);
}

ordered_json profile_to_json(const Profile& profile) {
    ordered_json json{{"format", profile_format},
                      {"version", profile_version},
                      {"source", profile.source},
                      {"assumed", profile.network.assumed},
                      {"provenance", as_json(profile.provenance)}};
    for (const auto* model : cost_models())
        for (const auto& field : model->fields)
            if (auto parameters = field.write(profile.network); !parameters.is_null())
                json[std::string(field.key)] = std::move(parameters);
    if (!profile.network.library.empty())
        json["library"] = as_json(profile.network.library);
    if (auto plausibility = as_json(profile.network.plausibility); !plausibility.empty())
        json["plausibility"] = std::move(plausibility);
    for (const auto& correction : profile.network.corrections)
        json["corrections"].push_back(to_json(correction));
    if (!profile.algorithm_errors.empty())
        json["algorithm_errors"] = as_json(profile.algorithm_errors);
    if (!profile.rules.empty())
        json["rules"] = profile.rules;
    json["refused"] = as_json(profile.refused);
    if (!profile.notes.empty())
        json["notes"] = as_json(profile.notes);
    return json;
}

Result<Profile> profile_from_json(std::string_view text, const std::string& file) {
    auto root = profile_root(text, file);
    Profile profile;
    if (root.error())
        return *root.error();
    profile.source = root.member("source").text();
    profile.network.assumed = root.member("assumed").text();
    read_json(root.member("provenance"), profile.provenance);
    profile.network.defaults_of = known_defaults(profile.provenance.mpi_library);
    auto keys = read_parameters(root, profile.network);
    keys.insert(keys.end(),
                {"format", "version", "source", "assumed", "provenance", "library", "plausibility",
                 "corrections", "algorithm_errors", "rules", "refused", "notes"});
    if (const auto library = root.optional_member("library"))
        read_json(*library, profile.network.library);
    if (const auto plausibility = root.optional_member("plausibility"))
        read_json(*plausibility, profile.network.plausibility);
    if (auto corrections = root.optional_member("corrections"))
        for (const auto& item : corrections->items())
            if (auto correction = read_correction(item))
                profile.network.corrections.push_back(std::move(*correction));
    share_errors(profile.network.corrections);
    if (const auto errors = root.optional_member("algorithm_errors"))
        read_json(*errors, profile.algorithm_errors);
    if (const auto rules = root.optional_member("rules"))
        profile.rules = read_rules(*rules);
    read_json(root.member("refused"), profile.refused);
    if (const auto notes = root.optional_member("notes"))
        read_json(*notes, profile.notes);
    root.only(keys);
    if (root.error())
        return *root.error();
    return profile;
}

} // namespace alltold

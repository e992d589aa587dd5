// SPDX-License-Identifier: BSD-3-Clause
// A profile as JSON: its parts in order, and those that belong to no model.
#include "store/profile_json.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/limits.hpp"
#include "network/cost_model.hpp"
#include "network/json/profile_network.hpp"
#include "predict/rules/parse.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "store/profile_fields.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

/// Refusals and notes: what each is about, and its sentence under `key`.
template <typename T>
ordered_json sentences_to_json(const std::vector<T>& list, const char* key,
                               std::string T::*sentence) {
    auto json = ordered_json::array();
    for (const auto& item : list)
        json.push_back({{"what", item.what}, {key, item.*sentence}});
    return json;
}

template <typename T>
std::vector<T> read_sentences(JsonCursor at, const char* key) {
    std::vector<T> list;
    for (auto item : at.items()) {
        list.push_back({item.member("what").text(), item.member(key).text()});
        item.only({"what", key});
    }
    return list;
}

Collective read_collective(JsonCursor at) {
    const auto collective = parse_collective(at.text(), uniform_collectives);
    if (!collective)
        at.complain(collective.error().message);
    return collective ? *collective : Collective::alltoall;
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

ordered_json to_json(const Provenance& where) {
    return {{"hosts", where.hosts},
            {"clusters", where.clusters.text()},
            {"clusters_from", where.clusters_from},
            {"mpi_library", where.mpi_library},
            {"kernel", where.kernel},
            {"clock_method", where.clock_method},
            {"start", name_of(where.start_mode)}};
}

Provenance read_provenance(JsonCursor at) {
    Provenance where;
    for (auto host : at.member("hosts").items())
        where.hosts.push_back(host.text());
    auto field = at.member("clusters");
    if (auto clusters = Clusters::parse(field.text()))
        where.clusters = std::move(*clusters);
    else
        field.complain(clusters.error().message);
    where.clusters_from = at.member("clusters_from").text();
    where.mpi_library = at.member("mpi_library").text();
    where.kernel = at.member("kernel").text();
    where.clock_method = at.member("clock_method").text();
    auto start = at.member("start");
    if (const auto start_mode = parse_start_mode(start.text()))
        where.start_mode = *start_mode;
    else
        start.complain(start_mode.error().message);
    at.only(
        {"hosts", "clusters", "clusters_from", "mpi_library", "kernel", "clock_method", "start"});
    const auto ranks = static_cast<std::size_t>(where.clusters.ranks());
    if (!where.hosts.empty() && where.hosts.size() != ranks)
        field.complain(fmt::format("expected {} ranks, one per entry of hosts, got {}",
                                   where.hosts.size(), ranks));
    return where;
}

std::uint64_t read_size_bytes(JsonCursor at) {
    const double size_bytes = at.number(in_bytes);
    if (size_bytes != std::floor(size_bytes) || size_bytes > static_cast<double>(most_size_bytes))
        at.complain(fmt::format("expected a whole number of bytes of at most {}, got {}",
                                most_size_bytes, size_bytes));
    return at.error() ? 0 : static_cast<std::uint64_t>(size_bytes);
}

ordered_json to_json(const std::vector<LibraryTime>& library) {
    auto list = ordered_json::array();
    for (const auto& [collective, clusters, size_bytes, time_s, algorithm] : library)
        list.push_back({{"collective", name_of(collective)},
                        {"algorithm", algorithm},
                        {"clusters", clusters.text()},
                        {"size_bytes", size_bytes},
                        {"time_s", to_json(time_s)}});
    return list;
}

std::vector<LibraryTime> read_library_times(JsonCursor at) {
    std::vector<LibraryTime> library;
    for (auto item : at.items()) {
        LibraryTime one;
        one.collective = read_collective(item.member("collective"));
        if (auto algorithm = item.optional_member("algorithm"))
            one.algorithm = algorithm->text();
        auto field = item.member("clusters");
        if (auto clusters = Clusters::parse(field.text()))
            one.clusters = std::move(*clusters);
        else
            field.complain(clusters.error().message);
        one.size_bytes = read_size_bytes(item.member("size_bytes"));
        one.time_s = read_estimate(item.member("time_s"), in_seconds);
        item.only({"collective", "algorithm", "clusters", "size_bytes", "time_s"});
        library.push_back(std::move(one));
    }
    return library;
}

ordered_json to_json(const std::vector<AlgorithmErrors>& errors) {
    auto list = ordered_json::array();
    for (const auto& [algorithm, several_clusters, calls, models] : errors)
        list.push_back({{"algorithm", algorithm},
                        {"on", clusters_word(several_clusters)},
                        {"calls", calls},
                        {"models", as_json(models)}});
    return list;
}

std::vector<AlgorithmErrors> read_algorithm_errors(JsonCursor at) {
    std::vector<AlgorithmErrors> errors;
    for (auto item : at.items()) {
        AlgorithmErrors one;
        auto algorithm = item.member("algorithm");
        one.algorithm = algorithm.text();
        if (const auto known = find_algorithm(one.algorithm); !known)
            algorithm.complain(known.error().message);
        one.several_clusters = read_several_clusters(item.member("on"));
        one.calls = item.member("calls").whole_number(1);
        read_json(item.member("models"), one.models);
        item.only({"algorithm", "on", "calls", "models"});
        errors.push_back(std::move(one));
    }
    return errors;
}

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
    json["refused"] = sentences_to_json(profile.refused, "reason", &Refusal::reason);
    if (!profile.notes.empty())
        json["notes"] = sentences_to_json(profile.notes, "note", &FitNote::text);
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
    share_errors(profile.network.corrections);
    if (const auto errors = root.optional_member("algorithm_errors"))
        profile.algorithm_errors = read_algorithm_errors(*errors);
    if (const auto rules = root.optional_member("rules"))
        profile.rules = read_rules(*rules);
    profile.refused = read_sentences<Refusal>(root.member("refused"), "reason");
    if (const auto notes = root.optional_member("notes"))
        profile.notes = read_sentences<FitNote>(*notes, "note");
    root.only(keys);
    if (root.error())
        return *root.error();
    return profile;
}

} // namespace alltold

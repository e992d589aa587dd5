// SPDX-License-Identifier: BSD-3-Clause
// One function per part of a profile and direction; units are in the keys.
#include "store/profile_json.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "store/json_cursor.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

constexpr const char* format_name = "alltold profile";
constexpr int format_version = 1;

constexpr NumberRange seconds{"seconds", 0};
constexpr NumberRange seconds_per_byte{"seconds per byte", 0, true};
constexpr NumberRange bytes{"bytes", 0};
constexpr NumberRange ratio{"", 0};
constexpr NumberRange at_least_one{"", 1};

constexpr std::array saturations{std::pair{Saturation::saturated, "saturated"},
                                 std::pair{Saturation::not_saturated, "not saturated"},
                                 std::pair{Saturation::unknown, "unknown"}};

ordered_json to_json(const Estimate& estimate) {
    return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

Estimate read_estimate(JsonCursor at, const NumberRange& range) {
    Estimate estimate;
    estimate.value = at.member("value").number(range);
    estimate.low = at.member("low").number(any_number);
    estimate.high = at.member("high").number(any_number);
    at.only({"value", "low", "high"});
    if (!(estimate.low <= estimate.value && estimate.value <= estimate.high))
        at.complain(fmt::format("expected low <= value <= high, got {}, {}, {}", estimate.low,
                                estimate.value, estimate.high));
    return estimate;
}

ordered_json to_json(const Surroundings& where) {
    return {{"hosts", where.hosts},
            {"clusters", where.clusters.text()},
            {"mpi_library", where.mpi_library},
            {"kernel", where.kernel},
            {"clock_method", where.clock_method}};
}

Surroundings read_surroundings(JsonCursor at) {
    Surroundings where;
    for (auto host : at.member("hosts").items())
        where.hosts.push_back(host.text());
    auto field = at.member("clusters");
    if (auto clusters = Clusters::parse(field.text()))
        where.clusters = std::move(*clusters);
    else
        field.complain(clusters.error().message);
    where.mpi_library = at.member("mpi_library").text();
    where.kernel = at.member("kernel").text();
    where.clock_method = at.member("clock_method").text();
    at.only({"hosts", "clusters", "mpi_library", "kernel", "clock_method"});
    const auto ranks = static_cast<std::size_t>(where.clusters.ranks());
    if (!where.hosts.empty() && where.hosts.size() != ranks)
        field.complain(fmt::format("expected {} ranks, one per entry of hosts, got {}",
                                   where.hosts.size(), ranks));
    return where;
}

ordered_json to_json(const HockneyFit& fit) {
    return {{"alpha_s", to_json(fit.alpha_s)},
            {"beta_s_per_byte", to_json(fit.beta_s_per_byte)},
            {"latency_s", to_json(fit.latency_s)},
            {"covariance",
             {{"alpha_alpha_s2", fit.covariance[0]},
              {"alpha_beta_s2_per_byte", fit.covariance[1]},
              {"beta_beta_s2_per_byte2", fit.covariance[2]}}},
            {"residual_relative", fit.residual_relative},
            {"smallest_bytes", fit.smallest_bytes},
            {"largest_bytes", fit.largest_bytes}};
}

/// Variance, covariance, variance, under these names.
std::array<double, 3> read_covariance(JsonCursor at, const std::vector<std::string>& names) {
    const std::array<double, 3> covariance{at.member(names[0]).number(ratio),
                                           at.member(names[1]).number(any_number),
                                           at.member(names[2]).number(ratio)};
    at.only(names);
    return covariance;
}

HockneyFit read_hockney(JsonCursor at) {
    HockneyFit fit;
    fit.alpha_s = read_estimate(at.member("alpha_s"), seconds);
    fit.beta_s_per_byte = read_estimate(at.member("beta_s_per_byte"), seconds_per_byte);
    fit.latency_s = read_estimate(at.member("latency_s"), seconds);
    fit.covariance =
        read_covariance(at.member("covariance"),
                        {"alpha_alpha_s2", "alpha_beta_s2_per_byte", "beta_beta_s2_per_byte2"});
    fit.residual_relative = at.member("residual_relative").number(ratio);
    fit.smallest_bytes = at.member("smallest_bytes").number(bytes);
    fit.largest_bytes = at.member("largest_bytes").number({"bytes", fit.smallest_bytes});
    at.only({"alpha_s", "beta_s_per_byte", "latency_s", "covariance", "residual_relative",
             "smallest_bytes", "largest_bytes"});
    return fit;
}

ordered_json models_to_json(const std::vector<ModelScore>& models) {
    auto list = ordered_json::array();
    for (const auto& model : models)
        list.push_back({{"name", model.name},
                        {"leave_one_out", model.leave_one_out},
                        {"leave_one_out_worst", model.leave_one_out_worst}});
    return list;
}

std::vector<ModelScore> read_models(JsonCursor at) {
    std::vector<ModelScore> models;
    for (auto item : at.items()) {
        models.push_back({item.member("name").text(), item.member("leave_one_out").number(ratio),
                          item.member("leave_one_out_worst").number(ratio)});
        item.only({"name", "leave_one_out", "leave_one_out_worst"});
    }
    return models;
}

const char* saturation_name(Saturation saturation) {
    return std::find_if(saturations.begin(), saturations.end(),
                        [&](const auto& row) { return row.first == saturation; })
        ->second;
}

Saturation read_saturation(JsonCursor at) {
    const auto name = at.text();
    for (const auto& [saturation, known] : saturations)
        if (name == known)
            return saturation;
    at.complain(
        fmt::format("expected \"saturated\", \"not saturated\" or \"unknown\", got \"{}\"", name));
    return Saturation::unknown;
}

ordered_json to_json(const SignatureFit& fit) {
    return {{"network",
             {{"alpha_s", fit.network.alpha_s}, {"beta_s_per_byte", fit.network.beta_s_per_byte}}},
            {"gamma", to_json(fit.gamma)},
            {"delta_s", to_json(fit.delta_s)},
            {"threshold_bytes", to_json(fit.threshold_bytes)},
            {"covariance",
             {{"gamma_gamma", fit.covariance[0]},
              {"gamma_delta_s", fit.covariance[1]},
              {"delta_delta_s2", fit.covariance[2]}}},
            {"residual_relative", fit.residual_relative},
            {"reference_n", fit.reference_n},
            {"sizes_bytes", fit.sizes_bytes},
            {"smallest_bytes", fit.smallest_bytes},
            {"largest_bytes", fit.largest_bytes},
            {"models", models_to_json(fit.models)},
            {"saturation", saturation_name(fit.saturation)},
            {"saturation_reason", fit.saturation_reason}};
}

SignatureFit read_signature(JsonCursor at) {
    SignatureFit fit;
    auto network = at.member("network");
    fit.network = {network.member("alpha_s").number(seconds),
                   network.member("beta_s_per_byte").number(seconds_per_byte)};
    network.only({"alpha_s", "beta_s_per_byte"});
    fit.gamma = read_estimate(at.member("gamma"), at_least_one);
    fit.delta_s = read_estimate(at.member("delta_s"), seconds);
    fit.threshold_bytes = read_estimate(at.member("threshold_bytes"), bytes);
    fit.covariance = read_covariance(at.member("covariance"),
                                     {"gamma_gamma", "gamma_delta_s", "delta_delta_s2"});
    fit.residual_relative = at.member("residual_relative").number(ratio);
    fit.reference_n = at.member("reference_n").whole_number(0);
    for (auto size : at.member("sizes_bytes").items())
        fit.sizes_bytes.push_back(size.number(bytes));
    fit.smallest_bytes = at.member("smallest_bytes").number(bytes);
    fit.largest_bytes = at.member("largest_bytes").number({"bytes", fit.smallest_bytes});
    fit.models = read_models(at.member("models"));
    fit.saturation = read_saturation(at.member("saturation"));
    fit.saturation_reason = at.member("saturation_reason").text();
    at.only({"network", "gamma", "delta_s", "threshold_bytes", "covariance", "residual_relative",
             "reference_n", "sizes_bytes", "smallest_bytes", "largest_bytes", "models",
             "saturation", "saturation_reason"});
    return fit;
}

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

} // namespace

ordered_json profile_to_json(const Profile& profile) {
    ordered_json json{{"format", format_name},
                      {"version", format_version},
                      {"source", profile.source},
                      {"assumed", profile.assumed},
                      {"surroundings", to_json(profile.surroundings)}};
    if (profile.local)
        json["local"] = to_json(*profile.local);
    if (profile.wide)
        json["wide"] = to_json(*profile.wide);
    if (profile.alltoall)
        json["alltoall"] = to_json(*profile.alltoall);
    json["refused"] = refusals_to_json(profile.refused);
    return json;
}

Result<Profile> profile_from_json(std::string_view text, const std::string& file) {
    auto root = JsonCursor::parse(text, file);
    if (auto format = root.member("format"); format.text() != format_name)
        format.complain(fmt::format("expected \"{}\"; this is no profile", format_name));
    if (auto version = root.member("version"); version.whole_number(1) != format_version)
        version.complain(fmt::format("another version than {}, which this alltold reads; make the "
                                     "profile again with 'alltold fit'",
                                     format_version));
    Profile profile;
    if (root.error())
        return *root.error();
    profile.source = root.member("source").text();
    profile.assumed = root.member("assumed").text();
    profile.surroundings = read_surroundings(root.member("surroundings"));
    if (const auto local = root.optional_member("local"))
        profile.local = read_hockney(*local);
    if (const auto wide = root.optional_member("wide"))
        profile.wide = read_hockney(*wide);
    if (const auto alltoall = root.optional_member("alltoall"))
        profile.alltoall = read_signature(*alltoall);
    profile.refused = read_refusals(root.member("refused"));
    root.only({"format", "version", "source", "assumed", "surroundings", "local", "wide",
               "alltoall", "refused"});
    if (root.error())
        return *root.error();
    return profile;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Measured calls beside a model, as JSON.
#include <fmt/format.h>

#include "store/profile_json.hpp"

namespace alltold {

using nlohmann::ordered_json;

namespace {

constexpr const char* of_ours = "ours";
constexpr const char* of_library = "library";
constexpr const char* on_one = "one cluster";
constexpr const char* on_several = "several clusters";

struct Key {
    const char* name;
    double ResidualKernel::*value;
};
constexpr std::array keys{Key{"common_sd", &ResidualKernel::common_sd},
                          Key{"own_sd", &ResidualKernel::own_sd},
                          Key{"brief_common_sd", &ResidualKernel::brief_common_sd},
                          Key{"brief_own_sd", &ResidualKernel::brief_own_sd},
                          Key{"brief_growth_sd", &ResidualKernel::brief_growth_sd},
                          Key{"brief_s", &ResidualKernel::brief_s},
                          Key{"noise_sd", &ResidualKernel::noise_sd},
                          Key{"jitter_s", &ResidualKernel::jitter_s},
                          Key{"size_octaves", &ResidualKernel::size_octaves},
                          Key{"ranks_octaves", &ResidualKernel::ranks_octaves},
                          Key{"power_gap", &ResidualKernel::power_gap},
                          Key{"rendezvous_gap", &ResidualKernel::rendezvous_gap},
                          Key{"timeouts", &ResidualKernel::timeouts},
                          Key{"loss_sd", &ResidualKernel::loss_sd},
                          Key{"window_sd", &ResidualKernel::window_sd},
                          Key{"own_window_sd", &ResidualKernel::own_window_sd}};

/// The members of a measured call, one of `of`.
void call_members(JsonMembers& json, MeasuredCall& call, const CorrectedCalls& of) {
    json.part(
        "algorithm",
        [&] {
            return ordered_json(text_of({call.algorithm, call.parameters}));
        },
        [&](JsonCursor at) {
            if (auto choice = parse_choice(at.text()); !choice)
                at.complain(choice.error().message);
            else if (of.of_library ? !choice->is_default()
                                   : !choice->algorithm ||
                                         choice->algorithm->collective != of.probe.collective)
                at.complain(of.of_library
                                ? "expected \"mpi\""
                                : fmt::format("expected one of alltold's algorithms for {}",
                                              name_of(of.probe.collective)));
            else {
                call.algorithm = choice->algorithm;
                call.parameters = std::move(choice->parameters);
            }
        });
    json.part(
        "clusters", [&] { return to_json(call.clusters); },
        [&](JsonCursor at) {
            if (auto clusters = Clusters::parse(at.text());
                clusters && (clusters->count() > 1) != of.several_clusters)
                at.complain("does not belong to these corrections");
            else
                at.take(std::move(clusters), call.clusters);
        });
    auto& modelled = call.modelled;
    size_bytes_member(json, call.size_bytes);
    json("measured_s", call.measured_s, seconds_above_zero);
    json("relative_error", call.relative_error, from_zero);
    json("modelled_s", modelled.time_s.value, seconds_above_zero);
    json.unless(0, "repetitions", call.repetitions, 1);
    json.unless(0, "timed_out", call.timed_out, 1);
    json.unless(0., "timeouts_s", modelled.timeouts_s.value, seconds_above_zero);
    json.unless(0., "fullest", modelled.fullest, from_zero);
    json.unless(0., "timeout_sd", modelled.timeout_sd, from_zero);
    json.unless(0., "overflow_bytes", modelled.overflow_bytes, from_zero);
    if (json.reads()) {
        modelled.time_s = Estimate::exact(modelled.time_s.value);
        modelled.timeouts_s = Estimate::exact(modelled.timeouts_s.value);
        modelled.may_lose = modelled.overflow_bytes > 0;
    }
    json.unless(false, "may_lose", modelled.may_lose);
    json.unless(0., "window_share", modelled.window_share, from_zero);
    json.unless(false, "rendezvous", modelled.rendezvous);
    json.unless(std::string(), "runs", modelled.runs);
    json.unless(false, "outlier", call.outlier);
    json.unless(0., "lower_quartile_s", call.lower_quartile_s, seconds_above_zero);
}

ordered_json call_to_json(const MeasuredCall& call, const CorrectedCalls& of) {
    JsonMembers json;
    call_members(json, const_cast<MeasuredCall&>(call), of); // which only reads it
    return std::move(json).written();
}

MeasuredCall read_call(JsonCursor at, const CorrectedCalls& of) {
    MeasuredCall call;
    JsonMembers json(std::move(at));
    call_members(json, call, of);
    json.only_these();
    return call;
}

ordered_json baseline_to_json(const Baseline& baseline) {
    ordered_json json{{"model", baseline.model->name}};
    if (baseline.resembles)
        json["resembles"] = baseline.resembles->name;
    if (baseline.by_defaults)
        json["by_defaults"] = true;
    return json;
}

Baseline read_baseline(JsonCursor at, const CorrectedCalls& of) {
    Baseline baseline;
    auto field = at.optional_member("resembles");
    if (field) {
        const auto algorithm = find_algorithm(field->text());
        if (!algorithm)
            field->complain(algorithm.error().message);
        else if ((*algorithm)->collective != of.probe.collective)
            field->complain(
                fmt::format("expected an algorithm for {}", name_of(of.probe.collective)));
        else
            baseline.resembles = *algorithm;
    }
    if (auto by_defaults = at.optional_member("by_defaults"))
        baseline.by_defaults = by_defaults->boolean();
    auto name = at.member("model");
    name.take(of.of_library && !field && !baseline.by_defaults ? library_model(name.text())
                                                               : algorithm_model(name.text()),
              baseline.model);
    at.only({"model", "resembles", "by_defaults"});
    return baseline;
}

} // namespace

void several_clusters_member(JsonMembers& json, bool& several) {
    json.part(
        "on", [&] { return ordered_json(several ? on_several : on_one); },
        [&](JsonCursor at) {
            several = at.text() == on_several;
            if (!several && at.text() != on_one)
                at.complain("expected \"one cluster\" or \"several clusters\"");
        });
}

static void members(JsonMembers& json, ResidualKernel& kernel) {
    for (const auto& [name, value] : keys)
        json(name, kernel.*value, above_zero);
}

static void members(JsonMembers& json, LeftOut& left_out) {
    json("calls", left_out.calls, 0);
    json("median_error", left_out.median_error, from_zero);
    json("worst_error", left_out.worst_error, from_zero);
    json("covered", left_out.covered, 0);
}

namespace {

/// All that a Correction is made of.
struct Parts {
    CorrectedCalls of;
    Baseline baseline;
    ResidualFit fit;
    std::vector<RejectedBaseline> rejected;
    std::vector<MeasuredCall> calls;
};

void members(JsonMembers& json, Parts& parts) {
    auto& [of, baseline, fit, rejected, calls] = parts;
    json("collective", of.probe.collective);
    json.part(
        "of", [&] { return ordered_json(of.of_library ? of_library : of_ours); },
        [&](JsonCursor at) {
            of.of_library = at.text() == of_library;
            if (!of.of_library && at.text() != of_ours)
                at.complain("expected \"library\" or \"ours\"");
        });
    several_clusters_member(json, of.several_clusters);
    json("start", of.probe.start_mode);
    json.part(
        "baseline", [&] { return baseline_to_json(baseline); },
        [&](JsonCursor at) { baseline = read_baseline(std::move(at), of); });
    json("left_out", fit.left_out);
    json("left_out_score", fit.left_out_score, any_number);
    json("reach", fit.reach, above_zero);
    json("kernel", fit.kernel);
    json.part(
        "rejected",
        [&] {
            auto list = ordered_json::array();
            for (const auto& [other, left_out] : rejected)
                list.push_back(
                    {{"baseline", baseline_to_json(other)}, {"left_out", as_json(left_out)}});
            return list;
        },
        [&](JsonCursor at) {
            for (auto item : at.items()) {
                auto& [other, left_out] = rejected.emplace_back();
                other = read_baseline(item.member("baseline"), of);
                read_json(item.member("left_out"), left_out);
                item.only({"baseline", "left_out"});
            }
        });
    json.part(
        "measured",
        [&] {
            auto list = ordered_json::array();
            for (const auto& call : calls)
                list.push_back(call_to_json(call, of));
            return list;
        },
        [&](JsonCursor at) {
            for (auto& item : at.items())
                calls.push_back(read_call(item, of));
        });
}

} // namespace

ordered_json to_json(const Correction& correction) {
    return as_json(Parts{correction.of(), correction.baseline(), correction.fit(),
                         correction.rejected(), correction.calls()});
}

std::optional<Correction> read_correction(JsonCursor at) {
    Parts parts;
    JsonMembers json(at);
    members(json, parts);
    if (parts.calls.empty())
        at.complain("has no measured calls");
    json.only_these();
    if (at.error())
        return std::nullopt;
    return Correction(parts.of, parts.baseline, std::move(parts.calls), parts.fit,
                      std::move(parts.rejected));
}

} // namespace alltold

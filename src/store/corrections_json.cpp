// SPDX-License-Identifier: BSD-3-Clause
// Measured calls beside a model, as JSON.
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "network/cost_model.hpp"
#include "predict/choice/choice.hpp"
#include "store/profile_fields.hpp"

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

ordered_json kernel_to_json(const ResidualKernel& kernel) {
    ordered_json json;
    for (const auto& [name, value] : keys)
        json[name] = kernel.*value;
    return json;
}

ResidualKernel read_kernel(JsonCursor at) {
    ResidualKernel kernel;
    std::vector<std::string> names;
    for (const auto& [name, value] : keys) {
        kernel.*value = at.member(name).number(above_zero);
        names.emplace_back(name);
    }
    at.only(names);
    return kernel;
}

ordered_json left_out_to_json(const LeftOut& left_out) {
    return {{"calls", left_out.calls},
            {"median_error", left_out.median_error},
            {"worst_error", left_out.worst_error},
            {"covered", left_out.covered}};
}

LeftOut read_left_out(JsonCursor at) {
    const LeftOut left_out{
        at.member("calls").whole_number(0), at.member("median_error").number(from_zero),
        at.member("worst_error").number(from_zero), at.member("covered").whole_number(0)};
    at.only({"calls", "median_error", "worst_error", "covered"});
    return left_out;
}

ordered_json call_to_json(const MeasuredCall& call) {
    ordered_json json{{"algorithm", text_of({call.algorithm, call.parameters})},
                      {"clusters", call.clusters.text()},
                      {"size_bytes", call.size_bytes},
                      {"measured_s", call.measured_s},
                      {"relative_error", call.relative_error},
                      {"modelled_s", call.modelled.time_s.value}};
    if (call.repetitions > 0)
        json["repetitions"] = call.repetitions;
    if (call.timed_out > 0)
        json["timed_out"] = call.timed_out;
    if (call.modelled.timeouts_s.value > 0)
        json["timeouts_s"] = call.modelled.timeouts_s.value;
    if (call.modelled.fullest > 0)
        json["fullest"] = call.modelled.fullest;
    if (call.modelled.timeout_sd > 0)
        json["timeout_sd"] = call.modelled.timeout_sd;
    if (call.modelled.overflow_bytes > 0)
        json["overflow_bytes"] = call.modelled.overflow_bytes;
    if (call.modelled.may_lose)
        json["may_lose"] = true;
    if (call.modelled.window_share > 0)
        json["window_share"] = call.modelled.window_share;
    if (call.modelled.rendezvous)
        json["rendezvous"] = true;
    if (!call.modelled.runs.empty())
        json["runs"] = call.modelled.runs;
    if (call.outlier)
        json["outlier"] = true;
    if (call.lower_quartile_s > 0)
        json["lower_quartile_s"] = call.lower_quartile_s;
    return json;
}

MeasuredCall read_call(JsonCursor at, const CorrectedCalls& of) {
    MeasuredCall call;
    auto algorithm = at.member("algorithm");
    if (auto choice = parse_choice(algorithm.text()); !choice)
        algorithm.complain(choice.error().message);
    else if (of.of_library
                 ? !choice->is_default()
                 : !choice->algorithm || choice->algorithm->collective != of.probe.collective)
        algorithm.complain(of.of_library
                               ? "expected \"mpi\""
                               : fmt::format("expected one of alltold's algorithms for {}",
                                             name_of(of.probe.collective)));
    else {
        call.algorithm = choice->algorithm;
        call.parameters = std::move(choice->parameters);
    }
    auto field = at.member("clusters");
    if (auto clusters = Clusters::parse(field.text()); !clusters)
        field.complain(clusters.error().message);
    else if ((clusters->count() > 1) != of.several_clusters)
        field.complain("does not belong to these corrections");
    else
        call.clusters = std::move(*clusters);
    call.size_bytes = read_size_bytes(at.member("size_bytes"));
    call.measured_s = at.member("measured_s").number(seconds_above_zero);
    call.relative_error = at.member("relative_error").number(from_zero);
    call.modelled.time_s = Estimate::exact(at.member("modelled_s").number(seconds_above_zero));
    if (auto count = at.optional_member("repetitions"))
        call.repetitions = count->whole_number(1);
    if (auto count = at.optional_member("timed_out"))
        call.timed_out = count->whole_number(1);
    if (auto seconds = at.optional_member("timeouts_s"))
        call.modelled.timeouts_s = Estimate::exact(seconds->number(seconds_above_zero));
    if (auto share = at.optional_member("fullest"))
        call.modelled.fullest = share->number(from_zero);
    if (auto sd = at.optional_member("timeout_sd"))
        call.modelled.timeout_sd = sd->number(from_zero);
    if (auto bytes = at.optional_member("overflow_bytes"))
        call.modelled.overflow_bytes = bytes->number(from_zero);
    call.modelled.may_lose = call.modelled.overflow_bytes > 0;
    if (auto may_lose = at.optional_member("may_lose"))
        call.modelled.may_lose = may_lose->boolean();
    if (auto share = at.optional_member("window_share"))
        call.modelled.window_share = share->number(from_zero);
    if (auto rendezvous = at.optional_member("rendezvous"))
        call.modelled.rendezvous = rendezvous->boolean();
    if (auto runs = at.optional_member("runs"))
        call.modelled.runs = runs->text();
    if (auto outlier = at.optional_member("outlier"))
        call.outlier = outlier->boolean();
    if (auto quartile = at.optional_member("lower_quartile_s"))
        call.lower_quartile_s = quartile->number(seconds_above_zero);
    at.only({"algorithm", "clusters", "size_bytes", "measured_s", "relative_error", "modelled_s",
             "repetitions", "timed_out", "timeouts_s", "fullest", "timeout_sd", "overflow_bytes",
             "may_lose", "window_share", "rendezvous", "runs", "outlier", "lower_quartile_s"});
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
    const auto model = of.of_library && !field && !baseline.by_defaults
                           ? library_model(name.text())
                           : algorithm_model(name.text());
    if (model)
        baseline.model = *model;
    else
        name.complain(model.error().message);
    at.only({"model", "resembles", "by_defaults"});
    return baseline;
}

CorrectedCalls read_corrected_calls(JsonCursor at) {
    CorrectedCalls of;
    auto collective = at.member("collective");
    if (const auto known = parse_collective(collective.text(), uniform_collectives))
        of.probe.collective = *known;
    else
        collective.complain(known.error().message);
    auto whose = at.member("of");
    of.of_library = whose.text() == of_library;
    if (!of.of_library && whose.text() != of_ours)
        whose.complain("expected \"library\" or \"ours\"");
    of.several_clusters = read_several_clusters(at.member("on"));
    if (auto start = at.optional_member("start")) {
        if (const auto known = parse_start_mode(start->text()))
            of.probe.start_mode = *known;
        else
            start->complain(known.error().message);
    }
    return of;
}

} // namespace

const char* clusters_word(bool several) {
    return several ? on_several : on_one;
}

bool read_several_clusters(JsonCursor at) {
    const bool several = at.text() == on_several;
    if (!several && at.text() != on_one)
        at.complain("expected \"one cluster\" or \"several clusters\"");
    return several;
}

ordered_json to_json(const Correction& correction) {
    const auto& fit = correction.fit();
    const auto& of = correction.of();
    ordered_json json{{"collective", name_of(of.probe.collective)},
                      {"of", of.of_library ? of_library : of_ours},
                      {"on", clusters_word(of.several_clusters)}};
    if (of.probe.start_mode)
        json["start"] = name_of(*of.probe.start_mode);
    json.update({{"baseline", baseline_to_json(correction.baseline())},
                 {"left_out", left_out_to_json(fit.left_out)},
                 {"left_out_score", fit.left_out_score},
                 {"reach", fit.reach},
                 {"kernel", kernel_to_json(fit.kernel)}});
    json["rejected"] = ordered_json::array();
    for (const auto& [rejected, left_out] : correction.rejected())
        json["rejected"].push_back(
            {{"baseline", baseline_to_json(rejected)}, {"left_out", left_out_to_json(left_out)}});
    json["measured"] = ordered_json::array();
    for (const auto& call : correction.calls())
        json["measured"].push_back(call_to_json(call));
    return json;
}

std::optional<Correction> read_correction(JsonCursor at) {
    const auto of = read_corrected_calls(at);
    const auto baseline = read_baseline(at.member("baseline"), of);
    ResidualFit fit;
    fit.left_out = read_left_out(at.member("left_out"));
    fit.left_out_score = at.member("left_out_score").number(any_number);
    fit.reach = at.member("reach").number(above_zero);
    fit.kernel = read_kernel(at.member("kernel"));
    std::vector<RejectedBaseline> rejected;
    for (auto item : at.member("rejected").items()) {
        rejected.push_back(
            {read_baseline(item.member("baseline"), of), read_left_out(item.member("left_out"))});
        item.only({"baseline", "left_out"});
    }
    std::vector<MeasuredCall> calls;
    for (auto item : at.member("measured").items())
        calls.push_back(read_call(item, of));
    if (calls.empty())
        at.complain("has no measured calls");
    at.only({"collective", "of", "on", "start", "baseline", "left_out", "left_out_score", "reach",
             "kernel", "rejected", "measured"});
    if (at.error())
        return std::nullopt;
    return Correction(of, baseline, std::move(calls), fit, std::move(rejected));
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
#include "report/page/figures.hpp"

#include <tuple>

#include "predict/bounds/bounds.hpp"

namespace alltold {

nlohmann::ordered_json to_json(const Figure& figure) {
    auto columns = nlohmann::ordered_json::array();
    for (const auto& column : figure.columns)
        columns.push_back({{"key", column.key}, {"title", column.title}, {"unit", column.unit}});
    return {{"id", figure.id},           {"chart", figure.chart},     {"title", figure.title},
            {"text", figure.text},       {"columns", columns},        {"rows", figure.rows},
            {"filters", figure.filters}, {"missing", figure.missing}, {"svg", figure.svg}};
}

nlohmann::ordered_json number_or_null(double value) {
    // Six digits: more than any measurement has, and half the page's size.
    if (!std::isfinite(value))
        return nullptr;
    if (value == 0)
        return 0;
    const double scale = std::pow(10., 5 - std::floor(std::log10(std::abs(value))));
    return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

void append(nlohmann::ordered_json& row, const Estimate& estimate) {
    for (const double value : {estimate.value, estimate.low, estimate.high})
        row.push_back(number_or_null(value));
}

namespace {

constexpr double worth_a_word = 1.05;
constexpr int fewest_repetitions_of_a_verdict = 3;

CallTimes& call_of(std::vector<CallTimes>& calls, const ValidatedPoint& point,
                   const Network& network) {
    const auto found = std::ranges::find_if(calls, [&](const CallTimes& call) {
        return call.collective == point.collective && call.start_mode == point.start_mode &&
               call.clusters == point.clusters && call.size_bytes == point.size_bytes;
    });
    if (found != calls.end())
        return *found;
    const auto specification = Specification::of(point.collective, point.n(), 0, point.size_bytes);
    calls.push_back({point.collective, point.start_mode, point.clusters, point.size_bytes,
                     collective_bound_s(specification, point.clusters, network)});
    return calls.back();
}

} // namespace

double over_bound(const Estimate& time_s, double bound_s) {
    return bound_s > 0 ? std::max(1., time_s.value / bound_s) : 0;
}

std::vector<CallTimes> call_times(const PageInput& input) {
    std::vector<CallTimes> calls;
    for (const auto& point : input.validation.points)
        call_of(calls, point, input.fitted.network).library = &point;
    for (const auto& point : input.validation.ours) {
        auto& call = call_of(calls, point, input.fitted.network);
        if (!call.ours || point.measured_s.value < call.ours->measured_s.value)
            call.ours = &point;
    }
    for (auto& call : calls)
        for (const auto* point : {call.library, call.ours})
            if (point && (point->bound_doubtful() ||
                          point->measured_s.value * bounds_known < call.bound_s)) {
                call.bound_wrong = true;
                call.bound_s = 0;
            }
    std::ranges::stable_sort(calls, {}, [](const CallTimes& call) {
        return std::tuple(call.collective, call.start_mode, call.clusters.ranks(),
                          call.clusters.text(), call.size_bytes);
    });
    return calls;
}

const CallTimes* best_gain(std::span<const CallTimes> calls) {
    const auto counts = [](const CallTimes& call) {
        return !call.start_mode && call.library && call.ours &&
               std::min(call.library->repetitions, call.ours->repetitions) >=
                   fewest_repetitions_of_a_verdict;
    };
    int highest_n = 0;
    for (const auto& call : calls)
        if (counts(call))
            highest_n = std::max(highest_n, call.clusters.ranks());
    const CallTimes* best = nullptr;
    for (const auto& call : calls)
        if (counts(call) && call.clusters.ranks() == highest_n && call.gain() > worth_a_word &&
            (!best || call.gain() > best->gain()))
            best = &call;
    return best;
}

} // namespace alltold

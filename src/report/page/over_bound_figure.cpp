// SPDX-License-Identifier: BSD-3-Clause
// Time over bound against size.
#include <fmt/format.h>

#include "predict/bounds/plausibility.hpp"
#include "report/page/figures.hpp"

namespace alltold {
namespace {

void add_row(Figure& figure, const CallTimes& call, const ValidatedPoint* point, const char* series,
             StartMode usual) {
    if (!point || !(over_bound(point->measured_s, call.bound_s) > 0))
        return;
    const auto ratio = [&](double time_s) { return number_or_null(time_s / call.bound_s); };
    nlohmann::ordered_json row{std::string(name_of(call.collective)),
                               std::string(name_of(call.start_mode.value_or(usual))),
                               call.clusters.text(),
                               call.clusters.ranks(),
                               call.size_bytes,
                               series,
                               point->ours() ? point->algorithm : "library's own"};
    append(row, point->measured_s);
    row.push_back(number_or_null(call.bound_s));
    row.push_back(number_or_null(over_bound(point->measured_s, call.bound_s)));
    row.push_back(ratio(point->measured_s.low));
    row.push_back(ratio(point->measured_s.high));
    row.push_back(point->repetitions);
    const double overflow_bytes = point->predicted.modelled.overflow_bytes;
    row.push_back(overflow_bytes > 0 ? number_or_null(overflow_bytes) : nullptr);
    row.push_back(point->retransmitted ? number_or_null(*point->retransmitted) : nullptr);
    figure.rows.push_back(std::move(row));
}

} // namespace

Figure over_bound_figure(std::span<const CallTimes> calls, StartMode usual) {
    Figure figure{
        .id = "over-bound",
        .chart = "over_bound",
        .title = "Measured time over the lower bound",
        .text =
            "Measured time divided by the least time in which the links can move the bytes, for "
            "the MPI library and for the quickest of alltold's algorithms that was measured. 1 is "
            "the lower bound. Bars are 95 % intervals of the median; fewer than six repetitions "
            "have none. The table has the bytes that switch buffers cannot hold by the model "
            "(empty where it expects none, or knows no buffers) and the TCP segments that the "
            "hosts retransmitted per call (empty where they were not counted).",
        .columns = {{"collective", "call"},
                    {"start", "after"},
                    {"clusters", "hosts"},
                    {"ranks", "n"},
                    {"size_bytes", "m", "B"},
                    {"series", "who"},
                    {"algorithm", "algorithm"},
                    {"time_s", "time", "s"},
                    {"low_s", "low", "s"},
                    {"high_s", "high", "s"},
                    {"bound_s", "bound", "s"},
                    {"over_bound", "time / bound", "ratio"},
                    {"over_bound_low", "low", "ratio"},
                    {"over_bound_high", "high", "ratio"},
                    {"repetitions", "repetitions"},
                    {"overflow_bytes", "buffers overflow by (model)", "B"},
                    {"retransmitted", "TCP segments retransmitted"}},
        .filters = {"collective", "start", "clusters"}};
    for (const auto& call : calls) {
        add_row(figure, call, call.library, "MPI library", usual);
        add_row(figure, call, call.ours, "best of alltold", usual);
    }
    if (const auto wrong = std::ranges::count_if(calls, &CallTimes::bound_wrong); wrong > 0)
        figure.text += fmt::format(
            " {} calls are left out: measured times are below their bounds, which are doubtful: "
            "{}, ranks may be placed otherwise, or times are means over the ranks.",
            wrong, why_bounds_are_beaten);
    if (figure.rows.empty())
        figure.missing =
            "No bound is known, since the rate of the links is not, or no collective was measured.";
    return figure;
}

Figure retransmitted_figure(const Figure& over_bound) {
    const auto column = std::ranges::find(over_bound.columns, "retransmitted", &Column::key);
    const auto at = static_cast<std::size_t>(column - over_bound.columns.begin());
    auto figure = over_bound;
    figure.id = figure.chart = "retransmitted";
    figure.title = "Packets lost";
    figure.text = "TCP segments that the hosts retransmitted per call, the mean over the "
                  "repetitions, as their systems count them: at least about as many packets were "
                  "lost. Calls without a count are left out.";
    std::erase_if(figure.rows, [&](const auto& row) { return row[at].is_null(); });
    const bool any = std::ranges::any_of(
        figure.rows, [&](const auto& row) { return row[at].template get<double>() > 0; });
    if (!any) {
        figure.missing = figure.rows.empty()
                             ? "The hosts did not count them."
                             : "No TCP segment was retransmitted in any of these calls: no packet "
                               "was lost, or messages do not use TCP.";
        figure.rows.clear();
    }
    return figure;
}

} // namespace alltold

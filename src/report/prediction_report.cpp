// SPDX-License-Identifier: BSD-3-Clause
// Prints predictions.
#include "report/prediction_report.hpp"

#include <algorithm>

#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "report/wrapped.hpp"

namespace alltold {
namespace {

/// Each sentence once, in order of first occurrence.
std::vector<std::string> distinct_caveats(const std::vector<PredictedPoint>& points) {
    std::vector<std::string> distinct;
    for (const auto& point : points)
        for (const auto& caveat : point.prediction.caveats)
            if (std::find(distinct.begin(), distinct.end(), caveat) == distinct.end())
                distinct.push_back(caveat);
    return distinct;
}

} // namespace

std::string prediction_table(const std::vector<PredictedPoint>& points, const char* interval) {
    const bool sequential = std::ranges::any_of(
        points, [](const PredictedPoint& point) { return point.prediction.proposition_1_s > 0; });
    TextTable table;
    for (const char* heading : {"n", "m", "predicted", interval, "bound"})
        table.column(heading);
    if (sequential)
        table.column("prop. 1");
    const auto known = [](double bound_s) { return bound_s > 0 ? format_time(bound_s) : "-"; };
    const bool any_unknown = std::ranges::any_of(
        points, [](const PredictedPoint& point) { return says_nothing(point.prediction.time_s); });
    for (const auto& [clusters, size_bytes, prediction] : points) {
        std::vector<std::string> cells{
            clusters.text(), format_size(static_cast<double>(size_bytes)),
            format_predicted(prediction.time_s), format_interval(prediction.time_s),
            known(prediction.bound_s)};
        if (sequential)
            cells.push_back(known(prediction.proposition_1_s));
        table.row(std::move(cells));
    }
    auto text = table.text() + "\n" + (any_unknown ? not_known_legend : "");
    text +=
        "bound: for any algorithm, the bytes of the busiest link over its rate, and one latency\n";
    if (sequential)
        text +=
            "prop. 1: (n-1)(alpha + beta m), the least without forwarding and with start-ups one "
            "after\n  the other (SMT07)\n";
    for (const auto& caveat : distinct_caveats(points))
        text += wrapped("note: " + caveat, 2);
    return text;
}

nlohmann::ordered_json predictions_to_json(const std::vector<PredictedPoint>& points) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [clusters, size_bytes, prediction] : points)
        list.push_back({{"n", clusters.ranks()},
                        {"clusters", clusters.text()},
                        {"size_bytes", size_bytes},
                        {"time_s", to_json(prediction.time_s)},
                        {"bound_s", prediction.bound_s},
                        {"proposition_1_s", prediction.proposition_1_s},
                        {"caveats", prediction.caveats}});
    return list;
}

} // namespace alltold

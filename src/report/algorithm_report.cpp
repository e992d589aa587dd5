// SPDX-License-Identifier: BSD-3-Clause
// Prints predictions of algorithms.
#include "report/algorithm_report.hpp"

#include <algorithm>

#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "predict/choice/rank.hpp"
#include "report/format.hpp"
#include "report/legend.hpp"
#include "report/text_table.hpp"
#include "report/wrapped.hpp"

namespace alltold {

namespace {

std::string_view name_of(const CallTime& time) {
    return time.choice.algorithm ? time.choice.algorithm->name : "mpi";
}

bool same_call(const AlgorithmPoint& one, const AlgorithmPoint& other) {
    return one.clusters == other.clusters && one.size_bytes == other.size_bytes;
}

} // namespace

bool is_one_call(const std::vector<AlgorithmPoint>& points) {
    return std::ranges::all_of(
        points, [&](const AlgorithmPoint& point) { return same_call(point, points.front()); });
}

std::string algorithm_table(const std::vector<AlgorithmPoint>& points) {
    TextTable table;
    Legend legend;
    table.column("algorithm", TextTable::Align::left);
    for (const char* heading : {"segment", "window", "predicted", "interval", "bound", "x bound"})
        table.column(heading);
    table.column("by", TextTable::Align::left);
    std::vector<std::string> caveats;
    bool any_unknown = false;
    const bool grouped = !is_one_call(points);
    const AlgorithmPoint* before = nullptr;
    for (const auto& point : points) {
        const auto& time = point.predicted;
        const auto& [segment_bytes, window, inter_cluster_window, clusters] =
            time.choice.parameters;
        const bool bounded = time.bound_s > 0, unknown = says_nothing(time.time_s);
        any_unknown = any_unknown || unknown;
        if (grouped && (!before || !same_call(point, *before)))
            table.group(call_text(point.clusters, point.size_bytes));
        before = &point;
        table.row({std::string(name_of(time)),
                   segment_bytes > 0 ? format_size(static_cast<double>(segment_bytes)) : "-",
                   windows_text(window, inter_cluster_window), format_predicted(time.time_s),
                   format_interval(time.time_s), bounded ? format_time(time.bound_s) : "-",
                   unknown ? "-" : format_over_bound(time.time_s.value, time.bound_s),
                   legend.mark(time.choice.algorithm ? basis_text(time.model, time.method)
                                                     : library_basis_text(time.model))});
        for (const auto& caveat : time.caveats)
            if (std::find(caveats.begin(), caveats.end(), caveat) == caveats.end())
                caveats.push_back(caveat);
    }
    auto text = table.text() + "\n" + legend.text("by") + (any_unknown ? not_known_legend : "");
    for (const auto& caveat : caveats)
        text += wrapped("note: " + caveat, 2);
    return text;
}

nlohmann::ordered_json algorithms_to_json(const std::vector<AlgorithmPoint>& points) {
    using Json = nlohmann::ordered_json;
    auto list = Json::array();
    for (const auto& [clusters, size_bytes, time] : points) {
        const auto& [segment_bytes, window, inter_cluster_window, unused] = time.choice.parameters;
        list.push_back({{"algorithm", name_of(time)},
                        {"n", clusters.ranks()},
                        {"clusters", clusters.text()},
                        {"size_bytes", size_bytes},
                        {"segment_bytes", segment_bytes > 0 ? Json(segment_bytes) : Json(nullptr)},
                        {"window", window > 0 ? Json(window) : Json(nullptr)},
                        {"inter_cluster_window",
                         inter_cluster_window > 0 ? Json(inter_cluster_window) : Json(nullptr)},
                        {"time_s", to_json(time.time_s)},
                        {"bound_s", time.bound_s > 0 ? Json(time.bound_s) : Json(nullptr)},
                        {"model", time.model},
                        {"method", time.method},
                        {"caveats", time.caveats}});
    }
    return list;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Prints predictions of algorithms.
#include "report/algorithm_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units.hpp"
#include "report/format.hpp"
#include "report/legend.hpp"
#include "report/text_table.hpp"
#include "report/wrapped.hpp"

namespace alltold {

std::string algorithm_table(const std::vector<AlgorithmPoint>& points) {
    TextTable table;
    Legend legend;
    table.column("algorithm", TextTable::Align::left);
    for (const char* heading :
         {"n", "m", "segment", "window", "predicted", "interval", "bound", "x bound"})
        table.column(heading);
    table.column("by", TextTable::Align::left);
    std::vector<std::string> caveats;
    for (const auto& [clusters, size_bytes, predicted] : points) {
        const auto& time = predicted.prediction;
        const bool bounded = time.bound_s > 0;
        table.row({std::string(predicted.algorithm->name), clusters.text(),
                   format_size(static_cast<double>(size_bytes)),
                   predicted.segment_bytes > 0
                       ? format_size(static_cast<double>(predicted.segment_bytes))
                       : "-",
                   predicted.window > 0 ? std::to_string(predicted.window) : "-",
                   format_time(time.time_s.value), format_interval(time.time_s),
                   bounded ? format_time(time.bound_s) : "-",
                   format_over_bound(time.time_s.value, time.bound_s),
                   legend.mark(basis_text(time.model, predicted.method))});
        for (const auto& caveat : time.caveats)
            if (std::find(caveats.begin(), caveats.end(), caveat) == caveats.end())
                caveats.push_back(caveat);
    }
    auto text = table.text() + "\n" + legend.text("by");
    for (const auto& caveat : caveats)
        text += wrapped("note: " + caveat, 2);
    return text;
}

nlohmann::ordered_json algorithms_to_json(const std::vector<AlgorithmPoint>& points) {
    using Json = nlohmann::ordered_json;
    auto list = Json::array();
    for (const auto& [clusters, size_bytes, predicted] : points) {
        const auto& time = predicted.prediction;
        list.push_back(
            {{"algorithm", predicted.algorithm->name},
             {"n", clusters.ranks()},
             {"clusters", clusters.text()},
             {"size_bytes", size_bytes},
             {"segment_bytes",
              predicted.segment_bytes > 0 ? Json(predicted.segment_bytes) : Json(nullptr)},
             {"window", predicted.window > 0 ? Json(predicted.window) : Json(nullptr)},
             {"time_s", time.time_s.value},
             {"low_s", time.time_s.low},
             {"high_s", time.time_s.high},
             {"bound_s", time.bound_s > 0 ? Json(time.bound_s) : Json(nullptr)},
             {"model", time.model},
             {"method", predicted.method},
             {"caveats", time.caveats}});
    }
    return list;
}

} // namespace alltold

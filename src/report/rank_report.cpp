// SPDX-License-Identifier: BSD-3-Clause
// Prints rankings.
#include "report/rank_report.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "report/format.hpp"
#include "report/legend.hpp"
#include "report/text_table.hpp"
#include "report/wrapped.hpp"

namespace alltold {
namespace {

/// Only the caveats of the best candidates; the others' would hide them.
std::vector<std::string> first_caveats(const Ranking& ranking) {
    std::vector<std::string> caveats;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, ranking.candidates.size()); ++i)
        for (const auto& caveat : ranking.candidates[i].caveats)
            if (std::find(caveats.begin(), caveats.end(), caveat) == caveats.end())
                caveats.push_back(caveat);
    return caveats;
}

} // namespace

std::string rank_table(const Ranking& ranking) {
    TextTable table;
    Legend legend;
    table.column("algorithm", TextTable::Align::left);
    for (const char* heading : {"segment", "window", "predicted", "interval", "bound", "x bound"})
        table.column(heading);
    table.column("by", TextTable::Align::left);
    bool any_unknown = false;
    for (const auto& candidate : ranking.candidates) {
        const auto& [segment_bytes, window, inter_cluster_window, clusters] =
            candidate.choice.parameters;
        const auto& time = candidate;
        const bool bounded = time.bound_s > 0;
        const bool unknown = time.model != "measured" && says_nothing(time.time_s);
        any_unknown = any_unknown || unknown;
        table.row({algorithm_name(candidate.choice),
                   segment_bytes > 0 ? format_size(static_cast<double>(segment_bytes)) : "-",
                   windows_text(window, inter_cluster_window),
                   unknown ? format_predicted(time.time_s) : format_time(time.time_s.value),
                   format_interval(time.time_s), bounded ? format_time(time.bound_s) : "-",
                   unknown ? "-" : format_over_bound(time.time_s.value, time.bound_s),
                   legend.mark(candidate.choice.is_default() && time.model != "measured"
                                   ? library_basis_text(time.model)
                                   : basis_text(time.model, candidate.method))});
    }
    auto text = table.text() + "\n" + legend.text("by") + (any_unknown ? not_known_legend : "");
    for (const auto& caveat : first_caveats(ranking))
        text += wrapped("note: " + caveat, 2);
    for (const auto& [name, why] : ranking.unranked)
        text += wrapped(why.starts_with(name) ? "not ranked: " + why
                                              : fmt::format("not ranked: {}: {}", name, why),
                        2);
    return text;
}

nlohmann::ordered_json rank_to_json(const Ranking& ranking) {
    using Json = nlohmann::ordered_json;
    const auto or_null = [](auto value) { return value > 0 ? Json(value) : Json(nullptr); };
    auto candidates = Json::array(), unranked = Json::array();
    for (const auto& candidate : ranking.candidates) {
        const auto& [segment_bytes, window, inter_cluster_window, clusters] =
            candidate.choice.parameters;
        const auto& time = candidate;
        candidates.push_back({{"algorithm", algorithm_name(candidate.choice)},
                              {"choice", text_of(candidate.choice)},
                              {"segment_bytes", or_null(segment_bytes)},
                              {"window", or_null(window)},
                              {"inter_cluster_window", or_null(inter_cluster_window)},
                              {"time_s", to_json(time.time_s)},
                              {"bound_s", or_null(time.bound_s)},
                              {"model", time.model},
                              {"method", candidate.method},
                              {"fan_in", or_null(candidate.fan_in)},
                              {"caveats", time.caveats}});
    }
    for (const auto& [name, why] : ranking.unranked)
        unranked.push_back({{"name", name}, {"why", why}});
    return {{"candidates", std::move(candidates)}, {"not_ranked", std::move(unranked)}};
}

} // namespace alltold

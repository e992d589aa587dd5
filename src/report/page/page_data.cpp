// SPDX-License-Identifier: BSD-3-Clause
// The page's sections in their order.
#include <fmt/format.h>

#include "core/text.hpp"
#include "report/format.hpp"
#include "report/page/figures.hpp"

namespace alltold {
namespace {

nlohmann::ordered_json section(const char* id, const std::string& title,
                               const std::vector<Figure>& figures) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& figure : figures)
        list.push_back(to_json(figure));
    return {{"id", id}, {"title", title}, {"figures", list}};
}

nlohmann::ordered_json prefer_of(const Verdict& verdict, StartMode usual) {
    if (!verdict.call)
        return nlohmann::ordered_json::object({{"start", name_of(usual)}});
    const auto& call = *verdict.call;
    return {{"collective", name_of(call.collective)}, {"start", name_of(usual)},
            {"cluster_count", call.clusters.count()}, {"clusters", call.clusters.text()},
            {"ranks", call.clusters.ranks()},         {"size_bytes", call.size_bytes}};
}

nlohmann::ordered_json lines_of(const std::string& text) {
    auto lines = nlohmann::ordered_json::array();
    for (const auto line : split_at(text, '\n'))
        if (!line.empty())
            lines.push_back(std::string(line));
    return lines;
}

} // namespace

nlohmann::ordered_json page_data(const PageInput& input) {
    const auto calls = call_times(input);
    const auto verdict = page_verdict(input, calls);
    const auto& where = input.fitted.provenance;
    const auto over_bound = over_bound_figure(calls, where.start_mode);
    auto sections = nlohmann::ordered_json::array(
        {section("bound", "Against the lower bound",
                 {over_bound, retransmitted_figure(over_bound)}),
         section("run", "What to run", {winner_map(input), schedule_figure(calls, verdict.call)}),
         section("algorithms", "Algorithms", algorithm_figures(input)),
         section("contention", "Contention", signature_figures(input)),
         section("network", "The network", {latency_matrix(input), plogp_curves(input)}),
         section("campaign", "What was measured", campaign_tables(input))});
    if (input.since)
        sections.insert(sections.begin(), section("changes", fmt::format("Since {}", input.before),
                                                  diff_figures(*input.since)));
    return {{"title", fmt::format("alltold: {}, {}", hosts_text(where.clusters),
                                  mpi_library_text(where.mpi_library))},
            {"verdict", verdict.sentences},
            {"next", verdict.next},
            {"settings", lines_of(input.settings)},
            {"prefer", prefer_of(verdict, where.start_mode)},
            {"sections", sections}};
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
#include "report/algorithm_report.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"

namespace alltold {
namespace {

std::string_view name_of(const CallTime& time) {
    return time.choice.algorithm ? time.choice.algorithm->name : "mpi";
}

bool same_call(const PredictedCall& one, const PredictedCall& other) {
    return one.clusters == other.clusters && one.size_bytes == other.size_bytes;
}

void add_caveats(std::vector<std::string>& caveats, const CallTime& time) {
    for (const auto& caveat : time.caveats)
        if (std::ranges::find(caveats, caveat) == caveats.end())
            caveats.push_back(caveat);
}

std::string notes_of(const std::vector<std::string>& caveats) {
    std::string text;
    for (const auto& caveat : caveats)
        text += wrapped("note: " + caveat, 2);
    return text;
}

/// How the time is known: of the library's own choice, as what it is modelled.
std::string basis_of(const CallTime& time) {
    const bool modelled =
        time.choice.is_default() && time.model != "measured" && time.model != "growth";
    return modelled ? "the MPI library's own, modelled as " + time.model
                    : basis_text(time.model, time.method);
}

/// Times one a row, and below what the table does not say.
class TimesTable {
  public:
    TimesTable() {
        table.column("algorithm", TextTable::Align::left);
        table.columns({"segment", "window", "predicted", "interval", "bound", "x bound"});
        table.column("by", TextTable::Align::left);
    }

    void add(std::string name, const CallTime& time, bool unknown, bool with_caveats = true) {
        const auto& [segment_bytes, window, inter_cluster_window, clusters] =
            time.choice.parameters;
        any_unknown_ = any_unknown_ || unknown;
        table.row({std::move(name), segment_bytes > 0 ? format_size(segment_bytes) : "-",
                   windows_text(window, inter_cluster_window),
                   unknown ? format_predicted(time.time_s) : format_time(time.time_s.value),
                   format_interval(time.time_s), format_bound(time.bound_s, time.bound_doubtful()),
                   unknown || time.bound_doubtful()
                       ? "-"
                       : format_over_bound(time.time_s.value, time.bound_s),
                   legend_.mark(basis_of(time))});
        if (with_caveats)
            add_caveats(caveats_, time);
    }
    std::string text() const {
        return table.text() + "\n" + legend_.text("by") + (any_unknown_ ? not_known_legend : "") +
               notes_of(caveats_);
    }

    TextTable table;

  private:
    Legend legend_;
    bool any_unknown_ = false;
    std::vector<std::string> caveats_;
};

/// null for what is not known or not taken.
nlohmann::ordered_json or_null(auto value) {
    return value > 0 ? nlohmann::ordered_json(value) : nullptr;
}

/// `row` with the parameters of the choice, its time and where that is from.
nlohmann::ordered_json with_time(nlohmann::ordered_json row, const CallTime& time) {
    const auto& [segment_bytes, window, inter_cluster_window, clusters] = time.choice.parameters;
    row["segment_bytes"] = or_null(segment_bytes);
    row["window"] = or_null(window);
    row["inter_cluster_window"] = or_null(inter_cluster_window);
    row["time_s"] = to_json(time.time_s);
    row["bound_s"] = or_null(time.bound_s);
    row["bound_doubtful"] = time.bound_doubtful();
    row["model"] = time.model;
    row["method"] = time.method;
    return row;
}

} // namespace

bool is_one_call(const std::vector<PredictedCall>& points) {
    return std::ranges::all_of(
        points, [&](const PredictedCall& point) { return same_call(point, points.front()); });
}

std::string algorithm_table(const std::vector<PredictedCall>& points) {
    TimesTable times;
    const bool grouped = !is_one_call(points);
    const PredictedCall* before = nullptr;
    for (const auto& point : points) {
        const auto& time = point.predicted;
        if (grouped && (!before || !same_call(point, *before)))
            times.table.group(call_text(point.clusters, point.size_bytes));
        before = &point;
        times.add(std::string(name_of(time)), time, says_nothing(time.time_s));
    }
    return times.text();
}

nlohmann::ordered_json algorithms_to_json(const std::vector<PredictedCall>& points) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [clusters, size_bytes, time] : points) {
        auto& row = list.emplace_back(with_time({{"algorithm", name_of(time)},
                                                 {"n", clusters.ranks()},
                                                 {"clusters", clusters.text()},
                                                 {"size_bytes", size_bytes}},
                                                time));
        row["caveats"] = time.caveats;
    }
    return list;
}

std::string unranked_text(std::string_view label, const std::vector<Unranked>& unranked) {
    std::vector<std::pair<std::string, std::vector<std::string_view>>> by_reason;
    for (const auto& [name, why] : unranked) {
        const auto reason = why.starts_with(name + " ") ? why.substr(name.size() + 1) : why;
        auto known =
            std::ranges::find(by_reason, reason, [](const auto& one) { return one.first; });
        if (known == by_reason.end())
            known = by_reason.insert(known, {reason, {}});
        known->second.push_back(name);
    }
    std::string text;
    for (const auto& [reason, names] : by_reason)
        text += wrapped(fmt::format("{}: {}: {}", label, fmt::join(names, ", "), reason), 2);
    return text;
}

std::string rank_table(const Ranking& ranking) {
    constexpr std::size_t with_caveats = 3; // those of the others would hide them
    TimesTable times;
    for (std::size_t i = 0; i < ranking.candidates.size(); ++i) {
        const auto& time = ranking.candidates[i];
        times.add(algorithm_name(time.choice), time,
                  time.model != "measured" && says_nothing(time.time_s), i < with_caveats);
    }
    return times.text() + unranked_text("not ranked", ranking.unranked);
}

nlohmann::ordered_json rank_to_json(const Ranking& ranking) {
    auto candidates = nlohmann::ordered_json::array(), unranked = nlohmann::ordered_json::array();
    for (const auto& time : ranking.candidates) {
        auto& row = candidates.emplace_back(with_time(
            {{"algorithm", algorithm_name(time.choice)}, {"choice", text_of(time.choice)}}, time));
        row["fan_in"] = or_null(time.fan_in);
        row["caveats"] = time.caveats;
    }
    for (const auto& [name, why] : ranking.unranked)
        unranked.push_back({{"name", name}, {"why", why}});
    return {{"candidates", std::move(candidates)}, {"not_ranked", std::move(unranked)}};
}

std::string prediction_table(const std::vector<PredictedCall>& points, const char* interval) {
    const bool sequential = std::ranges::any_of(
        points, [](const PredictedCall& point) { return point.predicted.proposition_1_s > 0; });
    TextTable table;
    table.columns({"n", "m", "predicted", interval, "bound"});
    if (sequential)
        table.column("prop. 1");
    const bool any_unknown = std::ranges::any_of(
        points, [](const PredictedCall& point) { return says_nothing(point.predicted.time_s); });
    for (const auto& [clusters, size_bytes, predicted] : points) {
        std::vector<std::string> cells{clusters.text(), format_size(size_bytes),
                                       format_predicted(predicted.time_s),
                                       format_interval(predicted.time_s),
                                       format_bound(predicted.bound_s, predicted.bound_doubtful())};
        if (sequential)
            cells.push_back(format_bound(predicted.proposition_1_s, false));
        table.row(std::move(cells));
    }
    auto text = table.text() + "\n" + (any_unknown ? not_known_legend : "");
    text +=
        "bound: for any algorithm, the bytes of the busiest link over its rate, and one latency\n";
    if (sequential)
        text += "prop. 1: (n-1)(alpha + beta m), the least without forwarding and with start-ups "
                "one after\n  the other (SMT07)\n";
    std::vector<std::string> caveats;
    for (const auto& point : points)
        add_caveats(caveats, point.predicted);
    return text + notes_of(caveats);
}

nlohmann::ordered_json predictions_to_json(const std::vector<PredictedCall>& points) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [clusters, size_bytes, predicted] : points)
        list.push_back({{"n", clusters.ranks()},
                        {"clusters", clusters.text()},
                        {"size_bytes", size_bytes},
                        {"time_s", to_json(predicted.time_s)},
                        {"bound_s", predicted.bound_s},
                        {"bound_doubtful", predicted.bound_doubtful()},
                        {"proposition_1_s", predicted.proposition_1_s},
                        {"caveats", predicted.caveats}});
    return list;
}

} // namespace alltold

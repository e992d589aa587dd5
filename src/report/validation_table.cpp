// SPDX-License-Identifier: BSD-3-Clause
#include "report/validation_table.hpp"

#include <iterator>

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

ordered_json point_to_json(const ValidatedPoint& point) {
    ordered_json json{{"collective", name_of(point.collective)}};
    if (point.start_mode)
        json["start"] = name_of(*point.start_mode);
    json.update({{"algorithm", point.algorithm},
                 {"n", point.n()},
                 {"clusters", point.clusters.text()},
                 {"size_bytes", point.size_bytes},
                 {"repetitions", point.repetitions},
                 {"measured_s", to_json(point.measured_s)},
                 {"predicted_s", to_json(point.predicted.time_s)},
                 {"bound_s", point.predicted.bound_s},
                 {"bound_doubtful", point.bound_doubtful()},
                 {"error", point.error()},
                 {"covered", point.covered()},
                 {"fitted", point.fitted}});
    return json;
}

/// Of a median's 95 % interval; unknown with few repetitions.
std::string half_width_of(const Estimate& measured_s) {
    const double half_width = measured_s.relative_half_width();
    return std::isfinite(half_width) ? format_percent(half_width) : "-";
}

std::string table_of(const std::vector<ValidatedPoint>& points, Rows rows) {
    TextTable table;
    table.columns({"n", "m", "measured", "+-", "predicted", "interval", "bound", "error", "in"});
    table.column("", TextTable::Align::left);
    std::string group;
    for (const auto& point : points) {
        if (rows == Rows::held_out && point.fitted)
            continue;
        auto call = point.ours() ? point.algorithm : std::string(name_of(point.collective));
        if (point.start_mode)
            call += fmt::format(", {}", in_words(*point.start_mode));
        if (call != group) {
            group = std::move(call);
            table.group(group);
        }
        table.row({point.clusters.text(), format_size(point.size_bytes),
                   format_time(point.measured_s.value), half_width_of(point.measured_s),
                   format_time(point.predicted.time_s.value),
                   format_interval(point.predicted.time_s),
                   format_bound(point.predicted.bound_s, point.bound_doubtful()),
                   format_signed_percent(point.error()), point.covered() ? "yes" : "no",
                   point.fitted ? "fitted" : "held out"});
    }
    return table.text();
}

ordered_json points_to_json(const std::vector<ValidatedPoint>& points) {
    auto list = ordered_json::array();
    for (const auto& point : points)
        list.push_back(point_to_json(point));
    return list;
}

std::vector<AlgorithmErrors> measured_on(bool several_clusters,
                                         const std::vector<AlgorithmErrors>& errors) {
    std::vector<AlgorithmErrors> rows;
    std::ranges::copy_if(errors, std::back_inserter(rows), [&](const AlgorithmErrors& row) {
        return row.several_clusters == several_clusters;
    });
    return rows;
}

const ModelError* error_of(const AlgorithmErrors& row, std::string_view model) {
    const auto found = std::ranges::find(row.models, model, &ModelError::name);
    return found == row.models.end() ? nullptr : &*found;
}

std::string errors_table(const std::vector<AlgorithmErrors>& rows, const char* where) {
    std::vector<std::string_view> models;
    for (const auto* model : cost_models())
        if (std::ranges::any_of(rows, [&](const auto& row) { return error_of(row, model->name); }))
            models.push_back(model->name);
    TextTable table;
    table.column(where, TextTable::Align::left);
    table.column("calls");
    for (const auto model : models)
        table.column(std::string(model));
    table.column("best", TextTable::Align::left);
    for (const auto& row : rows) {
        std::vector<std::string> cells{row.algorithm, std::to_string(row.calls)};
        for (const auto model : models) {
            const auto* error = error_of(row, model);
            cells.push_back(error ? format_percent(error->leave_one_out, error->leave_one_out < 1)
                                  : "-");
        }
        cells.push_back(row.models.empty() ? "-" : row.models.front().name);
        table.row(std::move(cells));
    }
    return table.text();
}

} // namespace

ordered_json summary_to_json(const ErrorSummary& summary) {
    ordered_json json{{"points", summary.points}};
    if (summary.points == 0)
        return json;
    json["median_error"] = summary.median_error;
    json["worst_error"] = summary.worst_error;
    json["worst_algorithm"] = summary.worst_algorithm;
    json["worst_clusters"] = summary.worst_clusters.text();
    json["worst_size_bytes"] = summary.worst_size_bytes;
    json["covered"] = summary.covered;
    return json;
}

std::string summary_line(const ErrorSummary& summary, const std::string& what) {
    if (summary.points == 0)
        return fmt::format("{}: no points", what);
    return fmt::format("{}: {} of {} inside the interval; error median {}, worst {} ({}n = {}, m = "
                       "{})",
                       what, summary.covered, summary.points, format_percent(summary.median_error),
                       format_percent(summary.worst_error),
                       summary.worst_algorithm == "mpi" ? "" : summary.worst_algorithm + ", ",
                       summary.worst_clusters.text(), format_size(summary.worst_size_bytes));
}

std::string summary_text(const ErrorSummary& summary, const std::string& what) {
    return wrapped(summary_line(summary, what), 2);
}

std::string validation_table(const Validation& validation, Rows rows) {
    if (validation.points.empty())
        return "";
    return table_of(validation.points, rows) + "\n" +
           summary_text(validation.held_out, "held out") +
           summary_text(validation.fitted, "fitted");
}

std::string ours_table(const Validation& validation, Rows rows) {
    if (validation.ours.empty())
        return "";
    auto text = table_of(validation.ours, rows) + "\n";
    for (const auto& [collective, errors] : validation.ours_errors)
        text += summary_text(errors, std::string(name_of(collective)));
    if (validation.ours_held_out.points > 0)
        text += summary_text(validation.ours_held_out, "held out");
    if (validation.ours_fitted.points > 0)
        text += summary_text(validation.ours_fitted, "fitted");
    return text;
}

std::string notes_of(const Validation& validation) {
    std::string text;
    for (const auto& note : validation.notes)
        text += wrapped("note: " + note, 2);
    return text;
}

ordered_json validation_to_json(const Validation& validation) {
    auto errors = ordered_json::object();
    for (const auto& [collective, summary] : validation.ours_errors)
        errors[std::string(name_of(collective))] = summary_to_json(summary);
    return {{"points", points_to_json(validation.points)},
            {"held_out", summary_to_json(validation.held_out)},
            {"fitted", summary_to_json(validation.fitted)},
            {"ours", points_to_json(validation.ours)},
            {"ours_errors", errors},
            {"ours_held_out", summary_to_json(validation.ours_held_out)},
            {"ours_fitted", summary_to_json(validation.ours_fitted)},
            {"notes", validation.notes}};
}

std::string algorithm_errors_table(const std::vector<AlgorithmErrors>& errors) {
    auto text = wrapped("alltold's algorithms: median error of each model on measured calls, to "
                        "which none was fitted");
    for (const auto& [several_clusters, where] :
         {std::pair{false, "on one cluster"}, std::pair{true, "on several clusters"}})
        if (const auto rows = measured_on(several_clusters, errors); !rows.empty())
            text += "\n" + errors_table(rows, where);
    return text;
}

} // namespace alltold

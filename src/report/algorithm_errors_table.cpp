// SPDX-License-Identifier: BSD-3-Clause
// The models of all rows beside each other, in the order of the registry.
#include "report/algorithm_errors_table.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/percent.hpp"
#include "network/cost_model.hpp"
#include "report/text_table.hpp"
#include "report/wrapped.hpp"

namespace alltold {
namespace {

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

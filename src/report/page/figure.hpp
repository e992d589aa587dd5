// SPDX-License-Identifier: BSD-3-Clause
// One chart of the page with the table of its numbers.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/estimate.hpp"

namespace alltold {

/// A column of a figure's table. Numbers are in SI units; the page shows them with the unit.
struct Column {
    std::string key;       ///< of the CSV file, with the unit: "time_s"
    std::string title;     ///< "time"
    std::string unit = {}; ///< "s", "B", "ratio", "share"; empty: text or a count
};

/// A chart, or a table alone, as the page receives it.
struct Figure {
    std::string id = {};    ///< unique on the page
    std::string chart = {}; ///< the drawing in web/src/charts.js; empty: a table alone
    std::string title = {};
    std::string text = {};            ///< what it shows, also for those who cannot see it
    std::vector<Column> columns = {}; ///< of `rows`
    /// Arrays of numbers, strings, booleans and nulls (not known), in the order of the columns.
    std::vector<nlohmann::ordered_json> rows = {};
    std::vector<std::string> filters = {}; ///< keys of columns whose value the reader selects
    std::string missing = {};              ///< without rows: why
    std::string svg = {};                  ///< a picture made already
};

nlohmann::ordered_json to_json(const Figure& figure);

/// null where JSON has no such number: infinite and unknown ones.
nlohmann::ordered_json number_or_null(double value);
/// Value, low and high.
void append(nlohmann::ordered_json& row, const Estimate& estimate);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Figures as JSON.
#include "report/page/figures.hpp"

#include <cmath>

namespace alltold {

nlohmann::ordered_json to_json(const Figure& figure) {
    auto columns = nlohmann::ordered_json::array();
    for (const auto& column : figure.columns)
        columns.push_back({{"key", column.key}, {"title", column.title}, {"unit", column.unit}});
    return {{"id", figure.id},           {"chart", figure.chart},     {"title", figure.title},
            {"text", figure.text},       {"columns", columns},        {"rows", figure.rows},
            {"filters", figure.filters}, {"missing", figure.missing}, {"svg", figure.svg}};
}

nlohmann::ordered_json number_or_null(double value) {
    // Six digits: more than any measurement has, and half the page's size.
    if (!std::isfinite(value))
        return nullptr;
    if (value == 0)
        return 0;
    const double scale = std::pow(10., 5 - std::floor(std::log10(std::abs(value))));
    return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

void append(nlohmann::ordered_json& row, const Estimate& estimate) {
    for (const double value : {estimate.value, estimate.low, estimate.high})
        row.push_back(number_or_null(value));
}

} // namespace alltold

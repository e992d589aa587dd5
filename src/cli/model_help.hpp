// SPDX-License-Identifier: BSD-3-Clause
// The registry of cost models as the help of an option.
#pragma once

#include <string>

#include <fmt/format.h>

#include "network/cost_model.hpp"

namespace alltold::cli {

/// "model of WHAT (...): NAME (HELP); ...", of the models that are able, the preferred first.
inline std::string model_help(std::string_view what, bool (CostModel::*able)() const) {
    std::string text =
        fmt::format("model of {} (default: the first of these that the profile has)", what);
    const char* separator = ": ";
    for (const auto* model : cost_models())
        if ((model->*able)()) {
            text += fmt::format("{}{} ({})", separator, model->name, model->help);
            separator = "; ";
        }
    return text;
}

} // namespace alltold::cli

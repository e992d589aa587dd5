// SPDX-License-Identifier: BSD-3-Clause
// Which model predicts which algorithms best.
#pragma once

#include <string>
#include <vector>

#include "predict/corrections/algorithm_errors.hpp"

namespace alltold {

/// A heading, then a table for calls on one cluster and one for those on several, as far as there
/// are some: a row per algorithm, a column per model; ends with a newline.
std::string algorithm_errors_table(const std::vector<AlgorithmErrors>& errors);

} // namespace alltold

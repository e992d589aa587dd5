// SPDX-License-Identifier: BSD-3-Clause
// Models that take no part in a comparison, and why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alltold {

struct NotCompared {
    std::string_view model;
    std::string reason; ///< "lacks a cluster model"
};

/// Those with the same reason together, in the order of their first model: "cluster, tw99: lacks a
/// cluster model; smt: ...".
std::string text_of(const std::vector<NotCompared>& models);

} // namespace alltold

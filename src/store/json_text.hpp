// SPDX-License-Identifier: BSD-3-Clause
// JSON as text that is easy to read and to compare.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace alltold {

/// One member per line, except that groups of plain values stay on one line if they fit; keeps the
/// order of members. Numbers read back as exactly the same doubles. Ends with a newline.
std::string json_text(const nlohmann::ordered_json& value);

} // namespace alltold

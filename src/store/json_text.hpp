// SPDX-License-Identifier: BSD-3-Clause
// JSON as text that is easy to read and to compare.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace alltold {

/// One member a line, but what holds plain values only and fits is kept on one line; members in
/// the order given. Numbers read back as exactly the same doubles. Ends with a newline.
std::string json_text(const nlohmann::ordered_json& value);

} // namespace alltold

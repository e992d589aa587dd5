// SPDX-License-Identifier: BSD-3-Clause
// Printing JSON: short groups of plain values stay on one line.
#include "store/json_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace alltold {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t longest_line = 120;

/// Bytes that are no UTF-8, as file names may have them, become a replacement character.
std::string dumped(const ordered_json& value) {
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// {"value": 1, "low": 0.5, "high": 2}
std::string on_one_line(const ordered_json& value) {
    if (!value.is_structured())
        return dumped(value);
    std::string text;
    for (const auto& [key, item] : value.items()) {
        text += text.empty() ? "" : ", ";
        text += value.is_object() ? fmt::format("{}: ", dumped(key)) : "";
        text += on_one_line(item);
    }
    return fmt::format("{}{}{}", value.is_object() ? '{' : '[', text,
                       value.is_object() ? '}' : ']');
}

bool holds_plain_values_only(const ordered_json& value) {
    return std::none_of(value.begin(), value.end(),
                        [](const auto& item) { return item.is_structured(); });
}

void print(const ordered_json& value, std::size_t indent, std::size_t used, std::string& text) {
    const auto line = on_one_line(value);
    if (!value.is_structured() || value.empty() ||
        (holds_plain_values_only(value) && indent + used + line.size() <= longest_line)) {
        text += line;
        return;
    }
    text += value.is_object() ? '{' : '[';
    const char* separator = "\n";
    for (const auto& [key, item] : value.items()) {
        text += separator;
        separator = ",\n";
        const auto label = value.is_object() ? fmt::format("{}: ", dumped(key)) : std::string();
        text += std::string(indent + 2, ' ') + label;
        print(item, indent + 2, label.size(), text);
    }
    text += fmt::format("\n{}{}", std::string(indent, ' '), value.is_object() ? '}' : ']');
}

} // namespace

std::string json_text(const ordered_json& value) {
    std::string text;
    print(value, 0, 0, text);
    return text + "\n";
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// One reason after the other.
#include "network/not_compared.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace alltold {

std::string text_of(const std::vector<NotCompared>& models) {
    std::vector<std::pair<std::string, std::string>> names; // and their reason
    for (const auto& [model, reason] : models) {
        const auto same = std::ranges::find(names, reason, &decltype(names)::value_type::second);
        if (same == names.end())
            names.emplace_back(model, reason);
        else
            same->first += fmt::format(", {}", model);
    }
    std::string text;
    for (const auto& [some, reason] : names)
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", some, reason);
    return text;
}

} // namespace alltold

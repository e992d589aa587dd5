// SPDX-License-Identifier: BSD-3-Clause
// Option values that are lists: "4,8,12" and "1KiB,64KiB".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace alltold::cli {

/// Whole numbers of at least `least`. Fails, naming `option` and the entry.
Result<std::vector<int>> parse_counts(std::string_view option, std::string_view text, int least);

/// Sizes as parse_size reads them, in bytes. Fails, naming `option` and the entry.
Result<std::vector<std::uint64_t>> parse_sizes(std::string_view option, std::string_view text);

} // namespace alltold::cli

// SPDX-License-Identifier: BSD-3-Clause
// Option values that are sizes, or lists such as "4,8,12" and "1KiB,64KiB".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace alltold::cli {

/// Integers from `least` to `most`. Fails and names `option` and the bad entry.
Result<std::vector<int>> parse_counts(std::string_view option, std::string_view text, int least,
                                      int most);

/// Sizes in bytes, each parsed by parse_size. Fails and names `option` and the bad entry.
Result<std::vector<std::uint64_t>> parse_sizes(std::string_view option, std::string_view text);

/// A single size, parsed by parse_size. Fails and names `option`, also for a list.
Result<std::uint64_t> parse_one_size(std::string_view option, std::string_view text);

/// The values of -m in ascending order, each once, for subcommands that time calls. Fails for more
/// than 1 GiB.
Result<std::vector<std::uint64_t>> sizes_to_time(std::vector<std::uint64_t> sizes_bytes);

} // namespace alltold::cli

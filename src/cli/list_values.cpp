// SPDX-License-Identifier: BSD-3-Clause
// Parses comma-separated lists.
#include "cli/list_values.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/split_at.hpp"
#include "core/units.hpp"

namespace alltold::cli {
namespace {

/// Applies `parse` to each entry and puts `option` before its error.
template <typename T, typename Parse>
Result<std::vector<T>> parse_list(std::string_view option, std::string_view text, Parse parse) {
    std::vector<T> values;
    for (const auto entry : split_at(text, ',')) {
        ALLTOLD_TRY(value, in_context(option, Result<T>(parse(entry))));
        values.push_back(*value);
    }
    return values;
}

} // namespace

Result<std::vector<int>> parse_counts(std::string_view option, std::string_view text, int least,
                                      int most) {
    return parse_list<int>(option, text, [=](std::string_view entry) -> Result<int> {
        int value = 0;
        const auto [end, code] = std::from_chars(entry.data(), entry.data() + entry.size(), value);
        const bool whole = code == std::errc{} && end == entry.data() + entry.size();
        if (whole && value > most)
            return bad_input(fmt::format("{} is above {}, the most there may be", value, most));
        if (whole && value >= least)
            return value;
        return bad_input(
            fmt::format("'{}' is not an integer of at least {}; write 8 or 4,8,12", entry, least));
    });
}

Result<std::vector<std::uint64_t>> parse_sizes(std::string_view option, std::string_view text) {
    return parse_list<std::uint64_t>(option, text, parse_size);
}

Result<std::uint64_t> parse_one_size(std::string_view option, std::string_view text) {
    if (text.find(',') != text.npos)
        return bad_input(fmt::format("{} takes one size here, not {}", option, text));
    return in_context(option, parse_size(text));
}

Result<std::vector<std::uint64_t>> sizes_to_time(std::vector<std::uint64_t> sizes_bytes) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
    std::ranges::sort(sizes_bytes);
    sizes_bytes.erase(std::unique(sizes_bytes.begin(), sizes_bytes.end()), sizes_bytes.end());
    if (!sizes_bytes.empty() && sizes_bytes.back() > most_bytes)
        return bad_input(
            fmt::format("-m: {} is more than 1GiB", format_size_word(sizes_bytes.back())));
    return sizes_bytes;
}

} // namespace alltold::cli

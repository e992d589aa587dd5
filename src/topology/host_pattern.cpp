// SPDX-License-Identifier: BSD-3-Clause
// Matching from left to right; a '*' tries all lengths.
#include "topology/host_pattern.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/split_at.hpp"

namespace alltold {
namespace {

bool is_a_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::optional<std::uint64_t> number_in(std::string_view digits) {
    std::uint64_t number = 0;
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (wrong != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return number;
}

struct NumberRange {
    std::uint64_t least = 0, most = 0;
};

/// "7", "1-400" or "1-".
std::optional<NumberRange> range_in(std::string_view text) {
    const auto dash = text.find('-');
    const auto least = number_in(text.substr(0, dash));
    if (!least || dash == text.npos)
        return least ? std::optional(NumberRange{*least, *least}) : std::nullopt;
    const auto last = text.substr(dash + 1);
    const auto most =
        last.empty() ? std::optional(std::numeric_limits<std::uint64_t>::max()) : number_in(last);
    if (!most || *most < *least)
        return std::nullopt;
    return NumberRange{*least, *most};
}

bool holds_number(std::string_view ranges, std::uint64_t number) {
    return std::ranges::any_of(split_at(ranges, ','), [&](std::string_view text) {
        const auto range = range_in(text);
        return range && range->least <= number && number <= range->most;
    });
}

bool matches(std::string_view pattern, std::string_view name) {
    if (pattern.empty())
        return name.empty();
    const auto rest = pattern.substr(1);
    if (pattern.front() == '*') {
        for (std::size_t skipped = 0; skipped <= name.size(); ++skipped)
            if (matches(rest, name.substr(skipped)))
                return true;
        return false;
    }
    if (name.empty())
        return false;
    if (const auto close = pattern.find(']'); pattern.front() == '[' && close != pattern.npos) {
        const auto end = std::find_if_not(name.begin(), name.end(), is_a_digit);
        const auto digits = static_cast<std::size_t>(end - name.begin());
        const auto number = number_in(name.substr(0, digits));
        return number && holds_number(pattern.substr(1, close - 1), *number) &&
               matches(pattern.substr(close + 1), name.substr(digits));
    }
    return (pattern.front() == '?' || pattern.front() == name.front()) &&
           matches(rest, name.substr(1));
}

} // namespace

bool names_host(std::string_view pattern, std::string_view host) {
    const auto dot = pattern.find('.'), dot_of_host = host.find('.');
    if (dot == pattern.npos || dot_of_host == host.npos) {
        pattern = pattern.substr(0, dot);
        host = host.substr(0, dot_of_host);
    }
    return matches(pattern, host);
}

Status check_host_pattern(std::string_view pattern) {
    for (auto rest = pattern; !rest.empty();) {
        const auto open = rest.find_first_of("[]");
        if (open == rest.npos)
            break;
        const auto close = rest.find(']', open);
        const auto ranges = close == rest.npos || rest[open] == ']'
                                ? std::string_view()
                                : rest.substr(open + 1, close - open - 1);
        if (!std::ranges::all_of(split_at(ranges, ','),
                                 [](auto text) { return range_in(text).has_value(); }))
            return bad_input(fmt::format("'{}' is not a pattern of host names; brackets hold "
                                         "numbers, such as node[1-400,500] or node[1-]",
                                         pattern));
        rest = rest.substr(close + 1);
    }
    return Done{};
}

} // namespace alltold

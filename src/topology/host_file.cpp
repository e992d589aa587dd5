// SPDX-License-Identifier: BSD-3-Clause
#include "topology/host_file.hpp"

#include <cctype>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/text.hpp"

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

namespace {

constexpr std::string_view blanks = " \t\r\f\v";
constexpr std::string_view keyword = "cluster";

/// The text after "cluster:" or "cluster=" in a comment; nothing in any other comment.
std::optional<std::string_view> keyword_value(std::string_view comment) {
    auto rest = trimmed(comment, blanks);
    if (!rest.starts_with(keyword))
        return std::nullopt;
    rest = trimmed(rest.substr(keyword.size()), blanks);
    if (rest.empty() || (rest.front() != ':' && rest.front() != '='))
        return std::nullopt;
    return trimmed(rest.substr(1), blanks);
}

/// "n1" of "n1 slots=2", "user@n1" and "n1:2".
std::string host_of(std::string_view line) {
    auto name = line.substr(0, line.find_first_of(blanks));
    if (const auto at = name.find('@'); at != std::string_view::npos)
        name = name.substr(at + 1);
    // More than one colon is an IPv6 address.
    if (const auto colon = name.find(':'); colon == name.rfind(':'))
        name = name.substr(0, colon);
    return std::string(name);
}

} // namespace

bool same_host(std::string_view a, std::string_view b) {
    const auto dot_a = a.find('.');
    const auto dot_b = b.find('.');
    if (dot_a != std::string_view::npos && dot_b != std::string_view::npos)
        return a == b;
    return a.substr(0, dot_a) == b.substr(0, dot_b);
}

Result<HostFile> HostFile::parse(std::string_view text, std::string name) {
    HostFile file;
    file.file_ = std::move(name);
    std::string section;
    const auto wrong = [&](int line, std::string_view what) {
        return bad_input(fmt::format("{}: line {}: {}", file.file_, line, what));
    };
    int number = 0;
    for (std::size_t from = 0; from < text.size(); ++number) {
        const auto to = std::min(text.find('\n', from), text.size());
        const auto line = text.substr(from, to - from);
        from = to + 1;
        const auto hash = std::min(line.find('#'), line.size());
        const auto host = trimmed(line.substr(0, hash), blanks);
        const auto value = keyword_value(line.substr(std::min(hash + 1, line.size())));
        if (value && (value->empty() || value->find_first_of(blanks) != std::string_view::npos))
            return wrong(
                number + 1,
                fmt::format("'{}' is not a cluster name; write one word, such as # cluster: nancy",
                            trimmed(line.substr(hash), blanks)));
        for (const auto& word : {host_of(host), std::string(value.value_or(""))})
            if (plain_text(word) != word)
                return wrong(number + 1, fmt::format("'{}' has characters that no name has", word));
        if (host.empty())
            section = value ? std::string(*value) : section;
        else
            file.hosts_.push_back(
                {host_of(host), value ? std::string(*value) : section, number + 1});
    }
    if (file.silent())
        return file;
    std::map<std::string, const Host*> seen;
    for (const auto& host : file.hosts_) {
        if (host.cluster.empty())
            return wrong(host.line, fmt::format("host '{}' has no cluster although others do; "
                                                "write # cluster: NAME after it or above it",
                                                host.name));
        const auto& first = *seen.try_emplace(host.name, &host).first->second;
        if (first.cluster != host.cluster)
            return wrong(host.line,
                         fmt::format("host '{}' is in cluster '{}' here and in '{}' in line {}",
                                     host.name, host.cluster, first.cluster, first.line));
    }
    return file;
}

bool HostFile::silent() const {
    return std::ranges::all_of(hosts_, [](const auto& host) { return host.cluster.empty(); });
}

const HostFile::Host* HostFile::find(std::string_view host) const {
    const auto found = std::ranges::find_if(
        hosts_, [&](const auto& known) { return names_host(known.name, host); });
    return found == hosts_.end() ? nullptr : &*found;
}

Status HostFile::check_patterns() const {
    for (const auto& host : hosts_)
        if (auto right = check_host_pattern(host.name); !right)
            return bad_input(
                fmt::format("{}: line {}: {}", file_, host.line, right.error().message));
    return Done{};
}

Result<std::vector<int>> HostFile::clusters_of(std::span<const std::string> hosts) const {
    std::map<std::string, int> numbers;
    std::vector<int> cluster_of;
    for (const auto& wanted : hosts) {
        const auto* const found = find(wanted);
        if (!found)
            return bad_input(fmt::format(
                "{}: host '{}' runs a rank but is not in the file; add it to its cluster", file_,
                wanted));
        cluster_of.push_back(
            numbers.try_emplace(found->cluster, static_cast<int>(numbers.size())).first->second);
    }
    return cluster_of;
}

} // namespace alltold

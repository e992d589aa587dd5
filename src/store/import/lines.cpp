// SPDX-License-Identifier: BSD-3-Clause
#include "store/import/lines.hpp"

#include <charconv>

#include <fmt/format.h>

#include "store/campaign.hpp"

namespace alltold {
namespace {

bool blank(char c) {
    return c == ' ' || c == '\t';
}
bool digit(char c) {
    return c >= '0' && c <= '9';
}
bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Without ANSI escape sequences: ESC [ parameters letter.
std::string without_escapes(std::string_view line) {
    std::string text;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] != '\x1b') {
            text += line[at];
        } else if (at + 1 < line.size() && line[at + 1] == '[') {
            for (at += 2; at < line.size() && !letter(line[at]);)
                ++at;
        }
    }
    return text;
}

std::string_view trimmed(std::string_view line) {
    while (!line.empty() && blank(line.front()))
        line.remove_prefix(1);
    while (!line.empty() && (blank(line.back()) || line.back() == '\r'))
        line.remove_suffix(1);
    return line;
}

/// The length of a launcher's prefix: Open MPI's "[1,0]<stdout>:" (--tag-output), Hydra's "[0] "
/// (-l), Slurm's "0: " (-l); 0 without one.
std::size_t prefix_of(std::string_view line) {
    const auto digits_from = [&](std::size_t at) {
        while (at < line.size() && digit(line[at]))
            ++at;
        return at;
    };
    const auto is = [&](std::size_t at, char c) { return at < line.size() && line[at] == c; };
    if (is(0, '[')) {
        if (const auto tag = line.find("]<std"); tag != line.npos)
            if (const auto end = line.find(">:", tag); end != line.npos)
                return end + 2;
        const auto end = digits_from(1);
        return end > 1 && is(end, ']') && (is(end + 1, ' ') || end + 1 == line.size()) ? end + 1
                                                                                       : 0;
    }
    const auto end = digits_from(0);
    return end > 0 && is(end, ':') && (is(end + 1, ' ') || end + 1 == line.size()) ? end + 1 : 0;
}

std::string cleaned(std::string_view raw) {
    const auto line = without_escapes(raw);
    auto rest = trimmed(line);
    for (auto prefix = prefix_of(rest); prefix > 0; prefix = prefix_of(rest))
        rest = trimmed(rest.substr(prefix));
    return std::string(rest);
}

/// "2 processes killed": words follow the number, and no other number.
bool is_sentence(const std::vector<std::string_view>& words) {
    constexpr std::ptrdiff_t fewest_words = 2;
    const auto rest = std::span(words).subspan(1);
    return std::ranges::none_of(rest, [](auto word) { return std::ranges::any_of(word, digit); }) &&
           std::ranges::count_if(rest, [](auto word) {
               return letter(word.front()) && !number_of(word);
           }) >= fewest_words;
}

/// "03:55:43", "2024-11-30", "30/11/2024".
bool is_date(std::string_view word) {
    return std::ranges::count(word, ':') > 0 || std::ranges::count(word, '/') > 1 ||
           std::ranges::count(word.substr(1), '-') > 1;
}

} // namespace

std::vector<TextLine> lines_of(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    std::vector<TextLine> lines;
    int number = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.push_back({++number, cleaned(text.substr(0, end))});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

void Noise::add(std::string_view file, const TextLine& line) {
    constexpr std::size_t most = 60;
    if (lines++ == 0)
        first = fmt::format("{}:{}: '{}'", file, line.number, line.text.substr(0, most));
}

void Noise::add(const Noise& other) {
    if (lines == 0)
        first = other.first;
    lines += other.lines;
}

LineKind kind_of(std::string_view line) {
    const auto words = words_of(line);
    if (words.empty())
        return LineKind::blank;
    const auto first = words.front();
    if (first.front() == '#')
        return LineKind::comment;
    const auto number = first.substr(first.find_first_not_of("+-.") == 1 ? 1 : 0);
    if (!digit(number.front()) || is_date(first) || is_sentence(words))
        return LineKind::other;
    return LineKind::row;
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t from = 0; from < line.size();) {
        if (blank(line[from])) {
            ++from;
            continue;
        }
        const auto to = std::min(line.find_first_of(" \t", from), line.size());
        words.push_back(line.substr(from, to - from));
        from = to;
    }
    return words;
}

std::optional<std::uint64_t> count_of(std::string_view word) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || end != word.data() + word.size())
        return std::nullopt;
    return value;
}

std::optional<double> number_of(std::string_view word) {
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<double> seconds_of(std::string_view word, double unit_s) {
    const auto number = number_of(word);
    if (!number)
        return std::nullopt;
    const double time_s = *number * unit_s;
    return time_s > 0 && time_s <= most_sample ? std::optional(time_s) : std::nullopt;
}

} // namespace alltold

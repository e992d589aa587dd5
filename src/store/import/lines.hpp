// SPDX-License-Identifier: BSD-3-Clause
// Lines and words of a benchmark's output, without what launchers and terminals put into it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alltold {

struct TextLine {
    int number = 0;
    std::string text;
};

/// The lines without what is not the benchmark's: ANSI escape sequences, carriage returns, blanks
/// at both ends, and the rank that a launcher puts in front ("[1,0]<stdout>:", "[0] ", "0: ").
std::vector<TextLine> lines_of(std::string_view text);

/// Lines that belong to no benchmark: of shells, launchers, batch systems.
struct Noise {
    int lines = 0;
    std::string first; ///< "file:12: 'the line'"

    void add(std::string_view file, const TextLine& line);
    void add(const Noise& other);
};

/// Kinds of lines in a log with tables of numbers.
enum class LineKind : std::uint8_t {
    blank,
    comment, ///< begins with #
    row,     ///< begins with a number and is no sentence or date: of a table, maybe malformed
    other,
};
LineKind kind_of(std::string_view line);

/// Separated by blanks.
std::vector<std::string_view> words_of(std::string_view line);

/// Where the title is in a list of them; empty if it is not there.
template <typename Titles>
std::optional<std::size_t> place_in(const Titles& titles, std::string_view title) {
    const auto found = std::ranges::find(titles, title);
    if (found == titles.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - titles.begin());
}

/// The whole word as a number; nothing if it is none.
std::optional<std::uint64_t> count_of(std::string_view word);
std::optional<double> number_of(std::string_view word);
/// The whole word, in units of `unit_s`, as seconds; nothing if it is no number above 0, or larger
/// than a campaign may hold.
std::optional<double> seconds_of(std::string_view word, double unit_s);

} // namespace alltold

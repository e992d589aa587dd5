// SPDX-License-Identifier: BSD-3-Clause
// The readers behind import_formats(), and what they share: lines and words of a benchmark's
// output, with errors that name the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "store/import/import.hpp"

namespace alltold {

/// One line and its number, counted from 1.
struct TextLine {
    int number = 0;
    std::string_view text;
};

std::vector<TextLine> lines_of(std::string_view text);
/// Separated by blanks.
std::vector<std::string_view> words_of(std::string_view line);
/// Separated by two blanks or more, as titles of columns are that hold blanks themselves.
std::vector<std::string_view> titles_of(std::string_view line);

/// The whole word as a number; nothing if it is none.
std::optional<std::uint64_t> count_of(std::string_view word);
/// The whole word, in units of `unit_s`, as seconds; nothing if it is no number above 0, or larger
/// than a campaign may hold.
std::optional<double> seconds_of(std::string_view word, double unit_s);

/// "results.txt:12: why, in 'the line'".
Error bad_line(const ImportSource& source, const TextLine& line, std::string_view why);

/// The point of a collective of that probe, or of a ping-pong between ranks 0 and 1, on the first
/// `ranks` of the source's ranks, all of them where it is 0. Fails if the source has fewer ranks,
/// and for a larger size than a campaign may hold.
Result<Point> imported_point(const ImportSource& source, std::string_view probe,
                             std::uint64_t size_bytes, int ranks = 0);

/// One sample per row and file: the mean over iterations. The ranks are the source's.
Result<ImportedTimes> read_osu(const ImportSource& source);
/// One sample per row; the ranks are the first ones of the source's, as many as the text says.
Result<ImportedTimes> read_imb(const ImportSource& source);
/// One sample per row, each a repetition. The ranks are the source's.
Result<ImportedTimes> read_repro(const ImportSource& source);

} // namespace alltold

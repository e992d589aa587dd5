// SPDX-License-Identifier: BSD-3-Clause
// Breaks the lines that CLI11 lays out in two columns.
#include "cli/help.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

#include "report/wrapped.hpp"

namespace alltold::cli {
namespace {

/// The width of standard output. A narrower one would leave no room beside the names of options.
std::size_t columns() {
    constexpr std::size_t fewest = 60;
    winsize size{};
    if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
        size.ws_col == 0)
        return page_columns;
    return std::clamp<std::size_t>(size.ws_col, fewest, page_columns);
}

/// Calls `add` with every line of the text.
template <typename Add>
void for_lines(std::string_view text, Add add) {
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        add(std::string(line));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
}

} // namespace

std::string Help::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
    std::string text;
    if (!example_.empty()) {
        for_lines("Example: " + example_,
                  [&](const std::string& line) { text += wrapped(line, 6, columns(), " \\"); });
        text += '\n';
    }
    for_lines(Formatter::make_help(app, std::move(name), mode), [&](const std::string& line) {
        text += wrapped(line, line.starts_with(' ') ? get_column_width() : 0, columns());
    });
    return text;
}

} // namespace alltold::cli

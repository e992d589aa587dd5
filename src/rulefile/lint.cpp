// SPDX-License-Identifier: BSD-3-Clause
#include "rulefile/lint.hpp"

#include <fmt/format.h>

namespace alltold::rulefile {
namespace {

/// Whether its first line that is no comment begins as alltold's rules do: "bcast:64KiB-".
bool is_alltolds(std::string_view text) {
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const auto start = line.find_first_not_of(" \t\r");
        if (start == line.npos || line[start] == '#')
            continue;
        const auto word = line.substr(start, line.find(':', start) - start);
        return line.find(':', start) != line.npos && collective_named(word).has_value();
    }
    return false;
}

/// The first quoted word.
std::string_view first_key(std::string_view text) {
    const auto start = text.find('"');
    if (start == text.npos)
        return {};
    const auto end = text.find('"', start + 1);
    return end == text.npos ? std::string_view() : text.substr(start + 1, end - start - 1);
}

} // namespace

std::string_view name_of(Format format) {
    switch (format) {
    case Format::openmpi_classic:
        return "Open MPI rules";
    case Format::openmpi_json:
        return "Open MPI rules as JSON";
    case Format::mpich_json:
        break;
    }
    return "MPICH selection tree";
}

Result<Format> format_of(std::string_view text, MpiLibrary library) {
    const auto start = text.find_first_not_of(" \t\r\n");
    if (is_alltolds(text))
        return bad_input("these are rules of alltold, as --rules and ALLTOLD_RULES take them; lint "
                         "checks rules files of Open MPI and MPICH");
    if (start != text.npos && text[start] == '{' && first_key(text).empty() &&
        library == MpiLibrary::mpich) // nothing in it says whose it is
        return Format::mpich_json;
    if (start != text.npos && text[start] == '{')
        return first_key(text).find('=') != std::string_view::npos ||
                       text.find("\"collective=") != text.npos
                   ? Format::mpich_json
                   : Format::openmpi_json;
    if (start != text.npos && (text[start] == '#' || text[start] == '-' || text[start] == 'r' ||
                               (text[start] >= '0' && text[start] <= '9')))
        return Format::openmpi_classic;
    return bad_input("neither rules of Open MPI (numbers with # comments, or JSON) nor a selection "
                     "tree of MPICH (JSON)");
}

Result<Lint> lint(std::string_view text, const Target& target) {
    ALLTOLD_TRY(format, format_of(text, target.library));
    const auto library = *format == Format::mpich_json ? MpiLibrary::mpich : MpiLibrary::open_mpi;
    if (target.library != MpiLibrary::other && target.library != library)
        return bad_input(fmt::format("this is a file for {}, not {}", name_of(library),
                                     name_of(target.library)));
    Findings findings;
    switch (*format) {
    case Format::openmpi_classic:
        lint_classic(text, target, findings);
        break;
    case Format::openmpi_json:
        lint_openmpi_json(text, target, findings);
        break;
    case Format::mpich_json:
        lint_mpich(text, target, findings);
        break;
    }
    return Lint{*format, std::move(findings).sorted()};
}

} // namespace alltold::rulefile

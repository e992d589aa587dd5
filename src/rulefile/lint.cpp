// SPDX-License-Identifier: BSD-3-Clause
// Tells the formats apart.
#include "rulefile/lint.hpp"

#include <fmt/format.h>

namespace alltold::rulefile {
namespace {

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

Result<Format> format_of(std::string_view text) {
    const auto start = text.find_first_not_of(" \t\r\n");
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
    const auto format = format_of(text);
    if (!format)
        return format.error();
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

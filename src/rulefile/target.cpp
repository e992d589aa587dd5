// SPDX-License-Identifier: BSD-3-Clause
// Versions are compared number by number; a missing one counts as 0.
#include "rulefile/target.hpp"

#include <charconv>
#include <tuple>

#include <fmt/format.h>

namespace alltold::rulefile {
namespace {

/// Reads "4.1.4" and leaves what follows, also a point without a number; false without a number.
bool read_version(std::string_view& text, Target& target) {
    auto rest = text;
    for (auto* part : {&target.major, &target.minor, &target.patch}) {
        unsigned short number = 0; // of a signed one "-0" would be a number
        const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (failed != std::errc())
            break;
        *part = number;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        text = rest;
        if (rest.empty() || rest.front() != '.')
            break;
        rest.remove_prefix(1);
    }
    return target.major.has_value();
}

/// Fails for a version that may read files as none of those known here does.
Result<Target> known(const Target& target) {
    constexpr int last_open_mpi = 6, last_mpich = 5;
    if (*target.major <= (target.library == MpiLibrary::mpich ? last_mpich : last_open_mpi))
        return target;
    return bad_input(fmt::format("{}: versions are known up to openmpi-{} and mpich-{}",
                                 target.text(), last_open_mpi, last_mpich));
}

std::tuple<int, int, int> numbers(const Target& target) {
    return {target.major.value_or(0), target.minor.value_or(0), target.patch.value_or(0)};
}

} // namespace

bool Target::from(int a, int b, int c) const {
    return major && numbers(*this) >= std::tuple(a, b, c);
}

bool Target::before(int a, int b, int c) const {
    return major && numbers(*this) < std::tuple(a, b, c);
}

std::string Target::text() const {
    std::string text = library == MpiLibrary::open_mpi ? "openmpi"
                       : library == MpiLibrary::mpich  ? "mpich"
                                                       : "other";
    char before = '-';
    for (const auto& part : {major, minor, patch})
        if (part) {
            text += fmt::format("{}{}", before, *part);
            before = '.';
        }
    return text;
}

Result<Target> parse_target(std::string_view text) {
    Target target;
    auto rest = text;
    for (const auto& [name, library] :
         {std::pair{"openmpi", MpiLibrary::open_mpi}, std::pair{"mpich", MpiLibrary::mpich}})
        if (rest.starts_with(name)) {
            target.library = library;
            rest.remove_prefix(std::string_view(name).size());
            break;
        }
    if (target.library != MpiLibrary::other) {
        if (rest.empty())
            return target;
        rest.remove_prefix(1);
        if (text[text.size() - rest.size() - 1] == '-' && read_version(rest, target) &&
            rest.empty())
            return known(target);
    }
    return bad_input(fmt::format("'{}' is no library with its version; use openmpi, mpich, or one "
                                 "such as openmpi-4.1 or mpich-4.0",
                                 text));
}

Target target_of(std::string_view library_version) {
    Target target;
    target.library = library_named(library_version);
    const auto digit = library_version.find_first_of("0123456789");
    if (target.library == MpiLibrary::other || digit == library_version.npos)
        return target;
    auto rest = library_version.substr(digit);
    read_version(rest, target);
    return target;
}

} // namespace alltold::rulefile

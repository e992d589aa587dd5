// SPDX-License-Identifier: BSD-3-Clause
// Reading a choice, and the choices made where the caller makes none.
#include "runtime/choice.hpp"

#include <cassert>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "base/units.hpp"

namespace alltold {
namespace {

Status set_parameter(Parameters& parameters, std::string_view word) {
    const auto equals = word.find('=');
    const auto key = word.substr(0, equals);
    const auto value = equals == word.npos ? std::string_view{} : word.substr(equals + 1);
    if (key != "segment" && key != "window" && key != "wide_window")
        return bad_input(fmt::format("'{}' is no parameter; write segment=8KiB, window=4 or "
                                     "wide_window=4",
                                     word));
    const auto number = parse_size(value);
    if (!number)
        return bad_input(fmt::format("{}: {}", key, number.error().message));
    if (*number == 0)
        return bad_input(fmt::format("{}=0: it must be at least 1", key));
    if (key == "segment")
        parameters.segment_bytes = *number;
    else
        (key == "window" ? parameters.window : parameters.wide_window) =
            static_cast<int>(std::min<std::uint64_t>(*number, 1u << 30));
    return Done{};
}

constexpr std::string_view default_name(Collective collective) {
    switch (collective) {
    case Collective::bcast:
        return "bcast.binomial";
    case Collective::scatter:
        return "scatter.binomial";
    case Collective::gather:
        return "gather.binomial";
    case Collective::alltoall:
    case Collective::alltoallv:
        break;
    }
    return "alltoall.pairwise";
}

} // namespace

Result<Choice> parse_choice(std::string_view text) {
    std::istringstream words{std::string(text)};
    std::string word;
    words >> word;
    const auto algorithm = find_algorithm(word);
    if (!algorithm)
        return algorithm.error();
    Choice choice{*algorithm, {}};
    while (words >> word)
        if (const auto set = set_parameter(choice.parameters, word); !set)
            return set.error();
    return choice;
}

Choice default_choice(Collective collective) {
    const auto algorithm = find_algorithm(default_name(collective));
    assert(algorithm);
    return {*algorithm, {}};
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
#include "predict/choice/choice.hpp"

#include <mutex>

#include <fmt/format.h>

#include "core/limits.hpp"
#include "core/units.hpp"

namespace alltold {
namespace {

Status set_parameter(Parameters& parameters, std::string_view word) {
    const auto equals = word.find('=');
    const auto key = word.substr(0, equals);
    const auto value = equals == word.npos ? std::string_view{} : word.substr(equals + 1);
    if (key != "segment" && key != "window" && key != "inter_cluster_window")
        return bad_input(fmt::format("'{}' is not a parameter; write segment=8KiB, window=4 or "
                                     "inter_cluster_window=4",
                                     word));
    const auto number = parse_size(value);
    if (!number)
        return bad_input(fmt::format("{}: {}", key, number.error().message));
    if (*number == 0)
        return bad_input(fmt::format("{}=0: must be at least 1", key));
    if (key == "segment")
        parameters.segment_bytes = *number;
    else
        (key == "window" ? parameters.window : parameters.inter_cluster_window) =
            static_cast<int>(std::min<std::uint64_t>(*number, most_window));
    return Done{};
}

/// Cuts the first word off `text`; empty at its end.
std::string_view next_word(std::string_view& text) {
    constexpr std::string_view blanks = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const auto word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

/// Of the collective, if one is given.
Result<Choice> parsed_choice(std::string_view text, std::optional<Collective> collective,
                             std::string_view* wrong) {
    auto word = next_word(text);
    const auto fail = [&](const Error& error) {
        if (wrong)
            *wrong = word;
        return error;
    };
    Choice choice;
    if (names_library_algorithm(word)) {
        const auto name = library_algorithm_name(word);
        if (!name)
            return fail(name.error());
        choice.library = *name;
    } else if (word != "mpi") {
        const auto algorithm =
            collective ? find_algorithm(word, *collective) : find_algorithm(word);
        if (!algorithm)
            return fail(algorithm.error());
        choice.algorithm = *algorithm;
    }
    for (word = next_word(text); !word.empty(); word = next_word(text))
        if (const auto set = set_parameter(choice.parameters, word); !set)
            return fail(set.error());
        else if (choice.is_default())
            return fail(bad_input("mpi, the library's own choice, takes no parameters"));
    return choice;
}

} // namespace

bool operator==(const Choice& a, const Choice& b) {
    return a.algorithm == b.algorithm && a.parameters.segment_bytes == b.parameters.segment_bytes &&
           a.parameters.window == b.parameters.window &&
           a.parameters.inter_cluster_window == b.parameters.inter_cluster_window &&
           a.library == b.library;
}

Result<Choice> parse_choice(std::string_view text, std::string_view* wrong) {
    return parsed_choice(text, std::nullopt, wrong);
}

Result<Choice> parse_choice(std::string_view text, Collective collective, std::string_view* wrong) {
    return parsed_choice(text, collective, wrong);
}

Choice measured_choice(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, Choice> choices; // some point to their names
    const std::lock_guard lock(mutex);
    const auto [place, added] = choices.try_emplace(name);
    if (added) {
        const auto known = parse_choice(name);
        place->second = known ? *known : Choice{nullptr, {}, place->first};
    }
    return place->second;
}

std::string algorithm_name(const Choice& choice) {
    if (choice.algorithm)
        return std::string(choice.algorithm->name);
    if (choice.is_default())
        return "mpi";
    const bool of_library = choice.library.find('.') == choice.library.npos;
    return fmt::format("{}{}", of_library ? "mpi." : "", choice.library);
}

std::string text_of(const Choice& choice) {
    auto text = algorithm_name(choice);
    const auto& [segment_bytes, window, inter_cluster_window, clusters] = choice.parameters;
    if (segment_bytes > 0)
        text += " segment=" + format_size_word(segment_bytes);
    if (window > 0)
        text += fmt::format(" window={}", window);
    if (inter_cluster_window > 0)
        text += fmt::format(" inter_cluster_window={}", inter_cluster_window);
    return text;
}

} // namespace alltold

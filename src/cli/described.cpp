// SPDX-License-Identifier: BSD-3-Clause
// Reads CLI11's declarations; the values to offer come from the registries.
#include "cli/described.hpp"

#include <fmt/format.h>

#include "cli/subcommand.hpp"
#include "network/cost_model.hpp"
#include "store/profile.hpp"

namespace alltold::cli {
namespace {

using Words = std::vector<std::string>;

template <typename List, typename Name>
Words words_of(const List& list, Name name) {
    Words words;
    for (const auto& one : list)
        words.emplace_back(std::invoke(name, one));
    return words;
}

/// The values of options and arguments that are one of a few words, by name. "profile" may also be
/// a file.
const std::map<std::string_view, Words>& offered() {
    const auto named = [](auto one) { return name_of(one); };
    static const auto collectives = words_of(uniform_collectives, named),
                      algorithms = words_of(registry(), &Algorithm::name),
                      models = words_of(cost_models(), &CostModel::name),
                      starts = words_of(
                          std::array{StartMode::silence, StartMode::barrier, StartMode::loop},
                          named),
                      profiles = words_of(builtin_profiles(), &Profile::name);
    static const std::map<std::string_view, Words> words{
        {"collective", collectives}, {"--collective", collectives}, {"algorithm", algorithms},
        {"--algorithm", algorithms}, {"--model", models},           {"--algorithm-model", models},
        {"--start", starts},         {"profile", profiles},
    };
    return words;
}

/// "TEXT" of "TEXT:INT in [1 - 8]"; empty for a flag.
std::string value_of(const CLI::Option& option) {
    if (option.get_items_expected_max() == 0)
        return "";
    const auto type = option.get_type_name();
    return type.empty() ? "VALUE" : type.substr(0, type.find(':'));
}

std::string names_of(const std::set<CLI::Option*>& options) {
    std::string names;
    for (const auto* option : options)
        names += (names.empty() ? "" : ", ") + option->get_name();
    return names;
}

std::string description_of(CLI::Option& option) {
    auto text = option.get_description();
    if (const auto usual = option.get_default_str();
        !usual.empty() && text.find("default:") == text.npos)
        text += fmt::format(" (default: {})", usual);
    if (const auto needed = option.get_needs(); !needed.empty())
        text += fmt::format("; with {}", names_of(needed));
    if (const auto excluded = option.get_excludes(); !excluded.empty())
        text += fmt::format("; not with {}", names_of(excluded));
    return text;
}

DescribedOption described_option(CLI::Option& option) {
    DescribedOption made;
    for (const auto& name : option.get_snames())
        made.names.push_back("-" + name);
    for (const auto& name : option.get_lnames())
        made.names.push_back("--" + name);
    if (made.names.empty())
        made.names.push_back(option.get_single_name());
    made.value = value_of(option);
    made.description = description_of(option);
    made.required = option.get_required();
    made.several = option.get_items_expected_max() > 1;
    for (const auto& name : made.names)
        if (const auto found = offered().find(name); found != offered().end())
            made.words = found->second;
    made.files = !made.value.empty() && made.value != "INT" && made.value != "UINT" &&
                 (made.words.empty() || made.names.front() == "profile");
    return made;
}

DescribedCommand described_as(const CLI::App& app, const std::string& name) {
    DescribedCommand made;
    made.name = name;
    made.description = app.get_description();
    made.footer = app.get_footer();
    if (const auto* help = dynamic_cast<const Help*>(app.get_formatter().get()))
        made.example = help->example();
    made.runs_command = app.get_prefix_command();
    // Not const: CLI11 gives only mutable options the accessors that are needed here.
    for (auto* option : const_cast<CLI::App&>(app).get_options()) {
        if (option->get_group().empty())
            continue;
        auto one = described_option(*option);
        const auto& first = one.names.front();
        if (first == "command" || first == "launcher")
            made.runs_command = true;
        (first.starts_with('-') ? made.options : made.arguments).push_back(std::move(one));
    }
    for (const auto* subcommand : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!subcommand->get_group().empty())
            made.subcommands.push_back(described_as(*subcommand, name + (name.empty() ? "" : " ") +
                                                                     subcommand->get_name()));
    return made;
}

} // namespace

DescribedCommand described(const CLI::App& app) {
    return described_as(app, "");
}

} // namespace alltold::cli

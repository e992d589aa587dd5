// SPDX-License-Identifier: BSD-3-Clause
// Reading the environment at rank 0, and handing what it says to the others as text.
#include "runtime/environment.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "network/json/profile_network.hpp"

namespace alltold {
namespace {

constexpr const char* rules_variable = "ALLTOLD_RULES";
constexpr const char* profile_variable = "ALLTOLD_PROFILE";

using mpi::NamedText;

Result<NamedText> read_rules(const std::string& value) {
    if (value.find('=') != value.npos)
        return NamedText{rules_variable, value};
    ALLTOLD_TRY(text,
                read_text_file(value, fmt::format("{} to name a file of rules, or to hold rules "
                                                  "such as alltoall:64KiB- = alltoall.pairwise",
                                                  rules_variable)));
    return NamedText{value, std::move(*text)};
}

/// The profile's rules alone: the runtime needs nothing else of it.
Result<NamedText> rules_of(JsonCursor root) {
    const auto& path = root.file();
    NamedText source{path + ": rules", {}};
    if (auto rules = root.optional_member("rules"))
        for (auto& rule : rules->items())
            source.text += rule.text() + "\n";
    if (root.error())
        return *root.error();
    if (source.text.empty())
        return bad_input(fmt::format("{0}: has no rules; run 'alltold rules {0} --write'", path));
    return source;
}

} // namespace

Result<std::vector<NamedText>> read_profile_text() {
    const char* path = std::getenv(profile_variable);
    if (!path || !*path)
        return std::vector<NamedText>();
    ALLTOLD_TRY(text,
                read_profile_file(path, "ALLTOLD_PROFILE to name a profile made by 'alltold fit'"));
    return std::vector<NamedText>{{path, std::move(*text)}};
}

Result<std::shared_ptr<const Network>> network_of_environment(MPI_Comm comm) {
    const auto texts = mpi::broadcast_texts(
        [] {
            static const auto once = read_profile_text();
            return once;
        },
        comm);
    if (!texts)
        return texts.error();
    if (texts->empty())
        return std::shared_ptr<const Network>();
    ALLTOLD_TRY(network,
                network_of_profile(profile_root(texts->front().text, texts->front().name)));
    return std::make_shared<const Network>(std::move(*network));
}

Result<std::vector<NamedText>> read_rule_sources(const std::vector<JsonCursor>& profiles) {
    std::vector<NamedText> sources;
    if (const char* value = std::getenv(rules_variable); value && *value) {
        ALLTOLD_TRY(source, read_rules(value));
        sources.push_back(std::move(*source));
    }
    for (const auto& profile : profiles) {
        ALLTOLD_TRY(source, rules_of(profile));
        sources.push_back(std::move(*source));
    }
    if (sources.empty())
        return bad_input(fmt::format("auto needs rules: set {} to a profile that has some, or {} "
                                     "to a file of rules",
                                     profile_variable, rules_variable));
    return sources;
}

Result<std::shared_ptr<const RuleSources>> parse_rule_sources(const std::vector<NamedText>& texts) {
    auto rules = std::make_shared<RuleSources>();
    for (const auto& [name, rule_text] : texts) {
        ALLTOLD_TRY(parsed, parse_rules(rule_text, name));
        rules->push_back(std::move(*parsed));
    }
    return std::shared_ptr<const RuleSources>(std::move(rules));
}

Result<std::shared_ptr<const RuleSources>> rules_of_environment(MPI_Comm comm) {
    const auto sources = mpi::broadcast_texts(
        [] {
            static const auto once = [] {
                const auto profiles = read_profile_text();
                if (!profiles)
                    return Result<std::vector<NamedText>>(profiles.error());
                std::vector<JsonCursor> roots;
                for (const auto& [name, text] : *profiles)
                    roots.push_back(profile_root(text, name));
                return read_rule_sources(roots);
            }();
            return once;
        },
        comm);
    if (!sources)
        return sources.error();
    return parse_rule_sources(*sources);
}

} // namespace alltold

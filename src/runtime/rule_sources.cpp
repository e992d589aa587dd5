// SPDX-License-Identifier: BSD-3-Clause
// Reading the environment at rank 0, and handing what it says to the others as text.
#include "runtime/rule_sources.hpp"

#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text_file.hpp"
#include "predict/parse.hpp"
#include "runtime/mpi/broadcast_text.hpp"

namespace alltold {
namespace {

constexpr const char* rules_variable = "ALLTOLD_RULES";
constexpr const char* profile_variable = "ALLTOLD_PROFILE";

/// Rules as text, and what errors call the place they are from.
struct Source {
    std::string name;
    std::string text;
};

Result<Source> read_rules(const std::string& value) {
    if (value.find('=') != value.npos)
        return Source{rules_variable, value};
    auto text = read_text_file(value, fmt::format("{} to name a file of rules, or to hold rules "
                                                  "such as alltoall:64KiB- = alltoall.pairwise",
                                                  rules_variable));
    if (!text)
        return text.error();
    return Source{value, std::move(*text)};
}

/// The profile's rules alone: the runtime needs nothing else of it.
Result<Source> read_profile(const std::string& path) {
    const auto text = read_text_file(
        path, fmt::format("{} to name a profile made by 'alltold fit'", profile_variable));
    if (!text)
        return text.error();
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (!json.is_object() || json.value("format", "") != "alltold profile")
        return bad_input(fmt::format("{}: not a profile made by 'alltold fit'", path));
    const auto rules = json.find("rules");
    if (rules == json.end() || !rules->is_array() || rules->empty())
        return bad_input(fmt::format("{0}: has no rules; run 'alltold rules {0} --write'", path));
    Source source{path + ": rules", {}};
    for (const auto& rule : *rules)
        source.text += (rule.is_string() ? rule.get<std::string>() : rule.dump()) + "\n";
    return source;
}

Result<std::vector<Source>> read_environment() {
    std::vector<Source> sources;
    for (const auto& [variable, read] :
         {std::pair{rules_variable, &read_rules}, std::pair{profile_variable, &read_profile}}) {
        const char* value = std::getenv(variable);
        if (!value || !*value)
            continue;
        auto source = read(value);
        if (!source)
            return source.error();
        sources.push_back(std::move(*source));
    }
    if (sources.empty())
        return bad_input(fmt::format("auto needs rules: set {} to a profile that has some, or {} "
                                     "to a file of rules",
                                     profile_variable, rules_variable));
    return sources;
}

/// Names and texts, each ended by a null character; of an error the message alone.
std::string packed(const Result<std::vector<Source>>& sources) {
    if (!sources)
        return sources.error().message;
    std::string text;
    for (const auto& source : *sources)
        text += source.name + '\0' + source.text + '\0';
    return text;
}

Result<std::vector<Source>> unpacked(const std::string& text) {
    std::vector<Source> sources;
    for (std::size_t at = 0; at < text.size();) {
        const auto middle = text.find('\0', at);
        if (middle == text.npos)
            return bad_input(text);
        const auto end = text.find('\0', middle + 1);
        sources.push_back(
            {text.substr(at, middle - at), text.substr(middle + 1, end - middle - 1)});
        at = end + 1;
    }
    return sources;
}

} // namespace

Result<std::shared_ptr<const RuleSources>> rules_of_environment(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::string text;
    if (rank == 0) {
        static const std::string read_once = packed(read_environment());
        text = read_once;
    }
    if (auto sent = mpi::broadcast_text(text, comm); !sent)
        return sent.error();
    const auto sources = unpacked(text);
    if (!sources)
        return sources.error();
    auto rules = std::make_shared<RuleSources>();
    for (const auto& [name, rule_text] : *sources) {
        auto parsed = parse_rules(rule_text, name);
        if (!parsed)
            return parsed.error();
        rules->push_back(std::move(*parsed));
    }
    return std::shared_ptr<const RuleSources>(std::move(rules));
}

} // namespace alltold

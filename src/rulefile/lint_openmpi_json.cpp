// SPDX-License-Identifier: BSD-3-Clause
// Reads JSON rules as Open MPI 6 does: the first rule that fits decides, an unknown field is
// skipped.
#include <charconv>
#include <initializer_list>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rulefile/json_tree.hpp"
#include "rulefile/openmpi_table.hpp"

namespace alltold::rulefile {
namespace {

using Kind = JsonTree::Kind;

class OpenMpiJson {
  public:
    OpenMpiJson(const Target& target, Findings& findings) : target_(target), findings_(findings) {}

    void read(const JsonTree& root) {
        if (target_.before(6))
            findings_.add(
                root.line,
                fmt::format("{} reads numbers, not JSON{}", target_.text(), whole_file_dropped),
                "rules as numbers, or Open MPI 6 or later");
        known_only(root, {"rule_file_version", "module", "collectives"});
        const auto* collectives = root.find("collectives");
        if (!collectives || collectives->kind != Kind::object) {
            findings_.add(collectives ? collectives->line : root.line,
                          fmt::format("there is no object \"collectives\"{}", whole_file_dropped),
                          "\"collectives\": {\"alltoall\": [...]}");
            return;
        }
        for (const auto& member : collectives->members)
            read_collective(member);
    }

  private:
    void known_only(const JsonTree& object, std::initializer_list<std::string_view> keys) {
        for (const auto& member : object.members)
            if (std::ranges::find(keys, member.key) == keys.end()) {
                const bool segment = member.key == "segsize" || member.key == "segment_size";
                findings_.add(member.line, fmt::format("\"{}\" is skipped", member.key),
                              segment ? "\"seg_size\""
                                      : fmt::format("only \"{}\"", fmt::join(keys, "\", \"")));
            }
    }

    void read_collective(const JsonTree::Member& member) {
        const auto* collective = openmpi_collective(member.key);
        if (!collective) {
            const auto name = member.key == "reducescatter"        ? "reduce_scatter"
                              : member.key == "reducescatterblock" ? "reduce_scatter_block"
                                                                   : "";
            findings_.add(
                member.line,
                fmt::format("there is no collective \"{}\"{}", member.key, whole_file_dropped),
                *name ? fmt::format("\"{}\"", name)
                      : "alltoall, alltoallv, bcast, gather, reduce_scatter, scatter, ...");
            return;
        }
        if (member.value.kind != Kind::array) {
            findings_.add(member.value.line,
                          fmt::format("{} is no array{}", member.key, whole_file_dropped),
                          "an array of {\"comm_size_min\": ..., \"rules\": [...]}");
            return;
        }
        OpenMpiRules rules{member.line, collective, {}};
        for (const auto& item : member.value.items)
            read_ranks(item, rules);
        check_meaning(rules, target_, findings_);
    }

    void read_ranks(const JsonTree& item, OpenMpiRules& rules) {
        known_only(item, {"comm_size_min", "comm_size_max", "comm_rank_distribution", "rules"});
        OpenMpiRanks ranks;
        ranks.line = item.line;
        ranks.from_ranks = static_cast<std::int64_t>(number(item, "comm_size_min").value_or(0));
        ranks.to_ranks = static_cast<std::int64_t>(
            std::min<std::uint64_t>(number(item, "comm_size_max").value_or(ranks.to_ranks),
                                    std::numeric_limits<int>::max()));
        bool anywhere = true;
        if (const auto* where = item.find("comm_rank_distribution")) {
            constexpr std::array words{"any", "one-per-node", "single-node"};
            if (std::ranges::find(words, where->text) == words.end())
                findings_.add(where->line, fmt::format("\"{}\" counts as \"any\"", where->text),
                              fmt::format("\"{}\"", fmt::join(words, "\", \"")));
            else
                anywhere = where->text == "any";
        }
        if (ranks.to_ranks < ranks.from_ranks)
            findings_.add(item.line,
                          "no communicator size fits: comm_size_max is below comm_size_min",
                          "comm_size_min up to comm_size_max");
        for (const auto& before : rules.ranks)
            if (before.from_ranks <= ranks.from_ranks && ranks.to_ranks <= before.to_ranks) {
                never_reached(item.line, before.line, "communicators", "entry");
                break;
            }
        const auto* list = item.find("rules");
        if (!list || list->kind != Kind::array) {
            findings_.add(item.line,
                          fmt::format("an entry has no array \"rules\"{}", whole_file_dropped),
                          "\"rules\": [...]");
            return;
        }
        for (const auto& rule : list->items)
            read_rule(rule, *rules.collective, ranks);
        // One that fits some placements leaves the others to later entries.
        if (anywhere)
            rules.ranks.push_back(std::move(ranks));
        else
            check_meaning({rules.line, rules.collective, {std::move(ranks)}}, target_, findings_);
    }

    /// The line `before` fits everything that `line` does.
    void never_reached(int line, int before, const char* what, const char* whose) {
        findings_.add(line,
                      fmt::format("never reached: line {} fits the same {}, and the first that "
                                  "fits decides",
                                  before, what),
                      fmt::format("the narrower {} first", whose));
    }

    void read_rule(const JsonTree& item, const OpenMpiCollective& collective, OpenMpiRanks& ranks) {
        known_only(item, {"msg_size_min", "msg_size_max", "alg", "faninout", "seg_size", "reqs"});
        OpenMpiRule rule;
        rule.line = item.line;
        rule.from_bytes = number(item, "msg_size_min").value_or(0);
        rule.to_bytes = number(item, "msg_size_max").value_or(OpenMpiRule::endless);
        for (const auto* key : {"faninout", "seg_size", "reqs"})
            number(item, key);
        if (rule.to_bytes < rule.from_bytes)
            findings_.add(item.line, "no size fits: msg_size_max is below msg_size_min",
                          "msg_size_min up to msg_size_max");
        for (const auto& before : ranks.rules)
            if (before.from_bytes <= rule.from_bytes && rule.to_bytes <= before.to_bytes) {
                never_reached(item.line, before.line, "sizes", "rule");
                break;
            }
        rule.algorithm = algorithm(item, collective);
        ranks.rules.push_back(rule);
    }

    int algorithm(const JsonTree& item, const OpenMpiCollective& collective) {
        const auto* found = item.find("alg");
        if (!found) {
            findings_.add(item.line, "a rule without \"alg\" leaves the choice to the library",
                          "\"alg\": a name or number, or no rule");
            return 0;
        }
        const auto count = algorithm_count(collective, target_);
        int number = -1;
        if (found->kind == Kind::number) {
            const auto end = found->text.data() + found->text.size();
            if (std::from_chars(found->text.data(), end, number).ptr != end)
                number = -1;
        } else if (found->text == "ignore") {
            number = 0;
        } else {
            for (int i = 0; i < count; ++i)
                if (collective.algorithms[static_cast<std::size_t>(i)] == found->text)
                    number = i + 1;
        }
        if (number >= 0 && number <= count)
            return number;
        findings_.add(
            found->line,
            fmt::format("{} has no algorithm '{}'; this rule is skipped", collective.name,
                        found->text),
            fmt::format("0 to {}, or one of {}", count, fmt::join(collective.algorithms, ", ")));
        return 0;
    }

    /// A whole number or "inf".
    std::optional<std::uint64_t> number(const JsonTree& item, std::string_view key) {
        const auto* found = item.find(key);
        if (!found)
            return std::nullopt;
        if (found->kind == Kind::text &&
            (found->text.starts_with("inf") || found->text.starts_with("Inf") ||
             found->text.starts_with("INF")))
            return OpenMpiRule::endless;
        std::uint64_t value = 0;
        const auto end = found->text.data() + found->text.size();
        if (found->kind == Kind::number &&
            std::from_chars(found->text.data(), end, value).ptr == end)
            return value;
        findings_.add(
            found->line,
            fmt::format("\"{}\": '{}' is no whole number{}", key, found->text, whole_file_dropped),
            "a whole number without quotes, or \"inf\"");
        return std::nullopt;
    }

    const Target& target_;
    Findings& findings_;
};

} // namespace

void lint_openmpi_json(std::string_view text, const Target& target, Findings& findings) {
    int line = 1;
    const auto tree = read_json(text, line);
    if (!tree) {
        findings.add(line, fmt::format("no JSON: {}{}", tree.error().message, whole_file_dropped),
                     "valid JSON");
        return;
    }
    OpenMpiJson(target, findings).read(*tree);
}

} // namespace alltold::rulefile

// SPDX-License-Identifier: BSD-3-Clause
// Statements, conditions and right-hand sides; every view points into the text, which gives its
// place.
#include "predict/rules/rule.hpp"

#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "core/limits.hpp"
#include "core/text.hpp"
#include "core/units.hpp"

namespace alltold {
namespace {

constexpr std::string_view example = "alltoall:64KiB-:n>=8 = alltoall.pairwise";

/// Cuts the text before `separator`, or everything, off the front of `rest`.
std::string_view cut(std::string_view& rest, char separator) {
    const auto part = rest.substr(0, rest.find(separator));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    return part;
}

class Parser {
  public:
    Parser(std::string_view text, std::string_view source) : text_(text), source_(source) {}

    Result<std::vector<Rule>> run() {
        for (auto rest = text_; !rest.empty();) {
            auto line = cut(rest, '\n');
            for (line = line.substr(0, line.find('#')); !line.empty();)
                if (const auto statement = trimmed(cut(line, ';')); !statement.empty())
                    ALLTOLD_TRY_DONE(add(statement));
        }
        return std::move(rules_);
    }

  private:
    Error wrong(std::string_view where, std::string_view what) const {
        const auto at = static_cast<std::size_t>(where.data() - text_.data());
        const auto before = text_.substr(0, at);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const auto column = at - (before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1);
        return bad_input(fmt::format("{}:{}:{}: {}", source_, line, column + 1, what));
    }

    /// The "=" before the choice: on its left an "=" has a number behind it, a choice is a name.
    static std::size_t equals_of(std::string_view statement) {
        for (std::size_t at = 0; at < statement.size(); ++at)
            if (statement[at] == '=')
                if (const auto rest = trimmed(statement.substr(at + 1));
                    rest.empty() || !std::isdigit(static_cast<unsigned char>(rest.front())))
                    return at;
        return statement.npos;
    }

    Status add(std::string_view statement) {
        const auto equals = equals_of(statement);
        if (equals == statement.npos)
            return wrong(statement,
                         fmt::format("a rule needs '=' and an algorithm, such as {}", example));
        Rule rule;
        ALLTOLD_TRY_DONE(read_calls(rule, trimmed(statement.substr(0, equals))));
        ALLTOLD_TRY_DONE(read_candidates(rule, trimmed(statement.substr(equals + 1))));
        auto& alike = alike_[{rule.collective, rule.spread}];
        for (const auto i : alike)
            if (rules_[i].overlaps(rule))
                return wrong(
                    statement,
                    fmt::format("overlaps the rule in line {}, '{}'; each call must match at "
                                "most one rule",
                                lines_[i], text_of(rules_[i])));
        alike.push_back(rules_.size());
        rules_.push_back(std::move(rule));
        line_ += std::count(counted_, statement.data(), '\n');
        counted_ = statement.data();
        lines_.push_back(line_);
        return Done{};
    }

    Status read_calls(Rule& rule, std::string_view calls) {
        auto rest = calls;
        const auto name = trimmed(cut(rest, ':'));
        ALLTOLD_TRY_DONE(read_collective(rule, name));
        if (calls.find(':') == calls.npos)
            return wrong(calls, fmt::format("sizes are missing; write {0}:any, {0}:64KiB- or "
                                            "{0}:1KiB-64KiB",
                                            name));
        ALLTOLD_TRY_DONE(read_sizes(rule, trimmed(cut(rest, ':'))));
        while (!rest.empty())
            ALLTOLD_TRY_DONE(read_condition(rule, trimmed(cut(rest, ':'))));
        return Done{};
    }

    Status read_collective(Rule& rule, std::string_view name) const {
        const auto collective = parse_collective(name);
        if (!collective)
            return wrong(name, collective.error().message);
        rule.collective = *collective;
        return Done{};
    }

    Status read_sizes(Rule& rule, std::string_view sizes) const {
        if (sizes == "any")
            return Done{};
        if (rule.collective == Collective::alltoallv)
            return wrong(sizes, "the sizes of an alltoallv differ from rank to rank; write "
                                "alltoallv:any");
        if (sizes.empty() || sizes == "-")
            return wrong(sizes, "not a range of sizes; write any, 64KiB-, -64KiB or 1KiB-64KiB");
        const auto dash = sizes.find('-');
        const auto first = trimmed(sizes.substr(0, dash));
        auto& [least, most] = rule.size_bytes;
        ALLTOLD_TRY_DONE(read_size(least, first));
        if (dash == sizes.npos) {
            most = least;
            return Done{};
        }
        const auto second = trimmed(sizes.substr(dash + 1));
        if (second.empty())
            return Done{};
        ALLTOLD_TRY_DONE(read_size(most, second));
        if (most <= least)
            return wrong(sizes,
                         fmt::format("empty range: from {} up to, but excluding, {}", least, most));
        --most;
        return Done{};
    }

    /// Leaves `into` unchanged without text.
    Status read_size(std::uint64_t& into, std::string_view text) const {
        if (text.empty())
            return Done{};
        const auto size = parse_size(text);
        if (!size)
            return wrong(text, size.error().message);
        into = *size;
        return Done{};
    }

    Status read_condition(Rule& rule, std::string_view condition) const {
        const auto name = condition.substr(0, condition.find_first_of("<>= \t"));
        auto rest = trimmed(condition.substr(name.size()));
        Span* counts = name == "n"          ? &rule.ranks
                       : name == "clusters" ? &rule.clusters
                       : name == "hosts"    ? &rule.hosts
                       : name == "per-host" ? &rule.per_host
                                            : nullptr;
        const bool one_cluster = name == "one" && rest == "cluster";
        const auto length = std::min(rest.find_first_not_of("<>="), rest.size());
        const auto sign = rest.substr(0, length);
        rest = trimmed(rest.substr(length));
        if (name == "clusters" && sign == "=" && rest.find('+') != rest.npos)
            return read_spread(rule, condition, rest);
        std::optional<Span> wanted;
        if (one_cluster)
            wanted = Span{1, 1};
        else if (counts)
            wanted = counts_of(sign, rest);
        if (!wanted)
            return wrong(condition,
                         fmt::format("'{}' is not a condition; write n>=8, n<=8, n=8, n=8-16, "
                                     "clusters=2, clusters=6+6, one cluster, hosts>=2, "
                                     "or per-host=4",
                                     condition));
        return narrow(counts ? *counts : rule.clusters, *wanted, condition);
    }

    Status narrow(Span& counts, const Span& wanted, std::string_view condition) const {
        counts = {std::max(counts.least, wanted.least), std::min(counts.most, wanted.most)};
        if (counts.least > counts.most)
            return contradiction(condition);
        return Done{};
    }

    Error contradiction(std::string_view condition) const {
        return wrong(condition,
                     fmt::format("'{}' contradicts the conditions before it", condition));
    }

    /// Ranks of each cluster, "3+1+2".
    Status read_spread(Rule& rule, std::string_view condition, std::string_view text) const {
        const auto spread = Clusters::parse(text);
        if (!spread)
            return wrong(text, spread.error().message);
        if (!spread->one_rank_per_host())
            return wrong(text, "write the ranks of each cluster, such as clusters=6+6");
        const RankCounts counts(*spread);
        if (!rule.spread.empty() && rule.spread != counts.spread)
            return contradiction(condition);
        rule.spread = counts.spread;
        ALLTOLD_TRY_DONE(narrow(rule.clusters, {counts.clusters, counts.clusters}, condition));
        return narrow(rule.ranks, {counts.ranks, counts.ranks}, condition);
    }

    static std::optional<Span> counts_of(std::string_view sign, std::string_view text) {
        const auto dash = text.find('-');
        const auto first = count_of(trimmed(text.substr(0, dash)));
        if (!first)
            return std::nullopt;
        if (dash != text.npos) {
            const auto second = count_of(trimmed(text.substr(dash + 1)));
            return sign == "=" && second ? std::optional(Span{*first, *second}) : std::nullopt;
        }
        if (sign == ">=")
            return Span{*first, Span::endless};
        if (sign == ">" && *first < static_cast<std::uint64_t>(most_ranks))
            return Span{*first + 1, Span::endless};
        if (sign == "<=")
            return Span{1, *first};
        if (sign == "<")
            return Span{1, *first - 1};
        return sign == "=" ? std::optional(Span{*first, *first}) : std::nullopt;
    }

    static std::optional<std::uint64_t> count_of(std::string_view text) {
        int count = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (code != std::errc{} || end != text.data() + text.size() || count < 1 ||
            count > most_ranks)
            return std::nullopt;
        return static_cast<std::uint64_t>(count);
    }

    /// "mpi | alltoall.paced silence=0.7 | trial alltoall.direct"
    Status read_candidates(Rule& rule, std::string_view text) const {
        auto rest = text;
        Candidate first;
        ALLTOLD_TRY_DONE(read_candidate(rule, trimmed(cut(rest, '|')), '=', first));
        rule.choice = std::move(first.choice);
        rule.expected = first.expected;
        for (auto bars = std::ranges::count(text, '|'); bars > 0; --bars)
            if (auto read =
                    read_candidate(rule, trimmed(cut(rest, '|')), '|', rule.others.emplace_back());
                !read)
                return read;
        return Done{};
    }

    Status read_candidate(const Rule& rule, std::string_view text, char after,
                          Candidate& candidate) const {
        if (text.empty())
            return wrong(text, fmt::format("the algorithm after '{}' is missing, such as {}", after,
                                           example));
        const auto whole = text;
        if (text.starts_with(trial_word)) {
            if (after == '=')
                return wrong(text, "the first candidate runs, so it cannot be a trial");
            candidate.trial = true;
            text = trimmed(text.substr(trial_word.size()));
        }
        while (const auto last = text.find_last_of(" \t") + 1) { // which is 0 at the first word
            const auto word = text.substr(last);
            const auto equals = word.find('=');
            const auto start = parse_start_mode(word.substr(0, equals));
            if (equals == word.npos || !start)
                break;
            auto& ratio = candidate.expected.after(*start);
            if (ratio = ratio_of(word.substr(equals + 1)); !ratio)
                return wrong(word, fmt::format("'{}' is not a time over the library's own, such as "
                                               "{}=0.7",
                                               word, name_of(*start)));
            text = trimmed(text.substr(0, last));
        }
        auto where = text;
        auto choice = parse_choice(text, rule.collective, &where);
        if (!choice)
            return wrong(where, choice.error().message);
        if (!choice->library.empty())
            return wrong(where, "the runtime cannot select the MPI library's algorithms; "
                                "name mpi or one of alltold's algorithms");
        if (choice->algorithm)
            if (auto fits = check(rule, *choice); !fits)
                return wrong(whole, fits.error().message);
        candidate.choice = std::move(*choice);
        return Done{};
    }

    static std::optional<double> ratio_of(std::string_view text) {
        double ratio = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), ratio);
        const bool is_number = code == std::errc{} && end == text.data() + text.size();
        return is_number && ratio >= least_ratio && ratio <= most_ratio
                   ? std::optional(in_three_digits(ratio))
                   : std::nullopt;
    }

    /// Checks all that does not depend on the ranks of a call.
    static Status check(const Rule& rule, const Choice& choice) {
        const auto& algorithm = *choice.algorithm;
        auto parameters = choice.parameters;
        int ranks = 1;
        if (algorithm.clusters == Algorithm::Use::must) {
            if (rule.clusters.least < 2)
                return bad_input(fmt::format(
                    "{} needs two or more clusters; add :clusters>=2 to the rule", algorithm.name));
            ranks = 2;
            parameters.clusters = Clusters({1, 1});
        }
        if (algorithm.hosts == Algorithm::Use::must) {
            if (rule.per_host.least < 2)
                return bad_input(
                    fmt::format("{} needs several ranks per host; add :per-host>=2 to the rule",
                                algorithm.name));
            ranks = 2;
            parameters.clusters = Clusters::of_hosts({{2}});
        }
        return accepts(algorithm, rule.collective, ranks, -1, parameters);
    }

    std::string_view text_;
    std::string_view source_;
    std::vector<Rule> rules_;
    /// By what two rules that overlap have in common: a profile has a thousand rules.
    std::map<std::pair<Collective, std::vector<int>>, std::vector<std::size_t>> alike_;
    std::vector<std::ptrdiff_t> lines_; ///< of each rule
    std::ptrdiff_t line_ = 1;           ///< of `counted_`
    const char* counted_ = text_.data();
};

} // namespace

Result<std::vector<Rule>> parse_rules(std::string_view text, std::string_view source) {
    return Parser(text, source).run();
}

} // namespace alltold

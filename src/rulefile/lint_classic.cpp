// SPDX-License-Identifier: BSD-3-Clause
// Reads numbers as Open MPI's ompi_coll_tuned_read_rules_config_file does, and says what it skips.
#include <cctype>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "rulefile/openmpi_table.hpp"

namespace alltold::rulefile {
namespace {

constexpr std::string_view header = "rule-file-version-";

struct Number {
    int line = 0;
    long value = 0;
    std::string text;
};

/// fscanf's %li skips what is no number one character at a time, and # to the end of the line.
class Numbers {
  public:
    Numbers(std::string_view text, int line, Findings& findings)
        : text_(text), line_(line), findings_(findings) {}

    std::vector<Number> all() {
        std::vector<Number> numbers;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n')
                ++line_, ++at_;
            else if (c == '#')
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (std::isspace(static_cast<unsigned char>(c)))
                ++at_;
            else if (starts_number())
                numbers.push_back(number());
            else
                skip_word();
        }
        return numbers;
    }

  private:
    bool starts_number() const {
        const auto digit = [&](std::size_t i) {
            return i < text_.size() && std::isdigit(static_cast<unsigned char>(text_[i]));
        };
        return digit(at_) || ((text_[at_] == '-' || text_[at_] == '+') && digit(at_ + 1));
    }

    Number number() {
        const std::string rest(text_.substr(at_, 40));
        char* end = nullptr;
        Number number{line_, std::strtol(rest.c_str(), &end, 0), {}};
        number.text = rest.substr(0, static_cast<std::size_t>(end - rest.c_str()));
        at_ += number.text.size();
        const auto digits =
            number.text.substr(number.text.front() == '-' || number.text.front() == '+');
        if (digits.size() > 1 && digits.front() == '0')
            findings_.add(
                line_,
                fmt::format("{} is read as {}: a leading 0 makes it octal, 0x hexadecimal",
                            number.text, number.value),
                "a decimal number without a leading 0");
        return number;
    }

    void skip_word() {
        const auto start = at_;
        while (at_ < text_.size() && !starts_number() && text_[at_] != '#' &&
               !std::isspace(static_cast<unsigned char>(text_[at_])))
            ++at_;
        findings_.add(line_,
                      fmt::format("'{}' is skipped, and digits after it are read as a number",
                                  text_.substr(start, at_ - start)),
                      "numbers only; put words behind #");
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_;
    Findings& findings_;
};

class Classic {
  public:
    Classic(const Target& target, Findings& findings) : target_(target), findings_(findings) {}

    void read(std::string_view text) {
        const int line = read_header(text);
        numbers_ = Numbers(text, line, findings_).all();
        if (numbers_.empty()) {
            findings_.add(line,
                          std::string("there is no number of collectives") + whole_file_dropped,
                          "the number of collectives that have rules");
            return;
        }
        if (!collectives())
            return;
        if (at_ < numbers_.size())
            findings_.add(numbers_[at_].line,
                          fmt::format("{} further numbers are never read", numbers_.size() - at_),
                          "counts of collectives, communicator sizes and rules that cover them");
    }

  private:
    /// Removes the header; returns the line of what is left.
    int read_header(std::string_view& text) {
        const auto found = text.find(header);
        if (found == text.npos)
            return 1;
        const int line = 1 + static_cast<int>(std::count(
                                 text.begin(), text.begin() + static_cast<long>(found), '\n'));
        const auto number = text.find_first_not_of("0123456789", found + header.size());
        const auto version = text.substr(found + header.size(),
                                         std::min(number, text.size()) - found - header.size());
        const std::string no_header =
            fmt::format("the version is read as the number -{}{}", version, whole_file_dropped);
        if (found != 0)
            findings_.add(line, no_header, "the header on the first line, before any comment");
        else if (target_.before(4, 1, 8) || (target_.from(5) && target_.before(5, 0, 7)))
            findings_.add(line, fmt::format("{} knows no header: {}", target_.text(), no_header),
                          "no header and four numbers a rule, or 4.1.8, 5.0.7 or later");
        if (version != "1" && version != "2")
            findings_.add(line, fmt::format("there is no version '{}'", version),
                          "rule-file-version-2, or no header");
        version_ = version == "1" ? 1 : 2;
        text.remove_prefix(std::min(number, text.size()));
        return line;
    }

    /// The next number; reports where the file ends first, or where it is negative.
    std::optional<Number> next(std::string_view what) {
        if (at_ == numbers_.size()) {
            findings_.add(numbers_.back().line,
                          fmt::format("the file ends before {}{}", what, whole_file_dropped),
                          fmt::format("{}, or smaller counts before", what));
            return std::nullopt;
        }
        const auto& number = numbers_[at_++];
        if (number.value >= 0)
            return number;
        findings_.add(number.line, fmt::format("{} is negative{}", what, whole_file_dropped),
                      "a number from 0 on");
        return std::nullopt;
    }

    bool collectives() {
        const auto count = next("the number of collectives");
        if (!count)
            return false;
        const auto all = static_cast<long>(openmpi_collectives().size());
        if (count->value > all) {
            findings_.add(count->line,
                          fmt::format("{} collectives are more than there are{}", count->value,
                                      whole_file_dropped),
                          fmt::format("at most {}", all));
            return false;
        }
        std::set<long> seen;
        for (long i = 0; i < count->value; ++i) {
            const auto id = next("the number of a collective");
            if (!id)
                return false;
            if (id->value >= all) {
                findings_.add(
                    id->line,
                    fmt::format("there is no collective {}{}", id->value, whole_file_dropped),
                    "alltoall 3, alltoallv 4, bcast 7, gather 9, scatter 15, ...");
                return false;
            }
            if (!seen.insert(id->value).second)
                findings_.add(id->line,
                              fmt::format("rules of collective {} again: these replace the "
                                          "earlier ones",
                                          id->value),
                              "each collective once");
            OpenMpiRules rules{
                id->line, &openmpi_collectives()[static_cast<std::size_t>(id->value)], {}};
            if (!communicators(rules))
                return false;
            check_meaning(rules, target_, findings_);
            check_communicators(rules);
        }
        return true;
    }

    bool communicators(OpenMpiRules& rules) {
        const auto count = next("the number of communicator sizes");
        if (!count)
            return false;
        for (long i = 0; i < count->value; ++i) {
            const auto size = next("a communicator size");
            const auto rule_count = size ? next("the number of rules") : std::nullopt;
            if (!rule_count)
                return false;
            OpenMpiRanks ranks{size->line, size->value, std::numeric_limits<int>::max(), {}};
            if (i > 0) {
                auto& before = rules.ranks.back();
                before.to_ranks = size->value - 1;
                if (size->value <= before.from_ranks)
                    findings_.add(size->line,
                                  fmt::format("communicator size {} after {}: the search stops at "
                                              "the first larger one",
                                              size->value, before.from_ranks),
                                  "ascending communicator sizes");
            }
            for (long j = 0; j < rule_count->value; ++j)
                if (!rule(ranks))
                    return false;
            rules.ranks.push_back(std::move(ranks));
        }
        return true;
    }

    bool rule(OpenMpiRanks& ranks) {
        const bool starts_line =
            at_ == 0 || at_ >= numbers_.size() || numbers_[at_ - 1].line != numbers_[at_].line;
        const auto size = next("a message size");
        const auto algorithm = size ? next("an algorithm") : std::nullopt;
        const auto fan = algorithm ? next("a fan-in or fan-out") : std::nullopt;
        const auto segment = fan ? next("a segment size") : std::nullopt;
        if (!segment)
            return false;
        read_requests(*segment, starts_line);
        if (ranks.rules.empty() && size->value != 0) {
            findings_.add(
                size->line,
                fmt::format("the first rule begins at {} B{}", size->value, whole_file_dropped),
                "a first rule for 0 B, with algorithm 0 where the library is to decide");
            return false;
        }
        if (!ranks.rules.empty()) {
            auto& before = ranks.rules.back();
            const auto from = static_cast<std::uint64_t>(size->value);
            if (from <= before.from_bytes)
                findings_.add(size->line,
                              fmt::format("{} B after {} B: the search stops at the first larger "
                                          "size",
                                          from, before.from_bytes),
                              "ascending message sizes");
            before.to_bytes = from == 0 ? 0 : from - 1;
        }
        ranks.rules.push_back({size->line, static_cast<std::uint64_t>(size->value),
                               OpenMpiRule::endless, static_cast<int>(algorithm->value),
                               static_cast<std::uint64_t>(segment->value), 0});
        return true;
    }

    /// A fifth number on the line of a rule.
    void read_requests(const Number& segment, bool starts_line) {
        const auto on_line = [&](std::size_t i) {
            return i < numbers_.size() && numbers_[i].line == segment.line;
        };
        if (!on_line(at_) || (version_ == 1 && (!starts_line || on_line(at_ + 1))))
            return;
        if (version_ == 1)
            findings_.add(segment.line,
                          fmt::format("a fifth number, {}, is read as the size of the next rule",
                                      numbers_[at_].text),
                          "four numbers a rule; requests at once need the header "
                          "rule-file-version-2 and 4.1.8, 5.0.7 or later");
        ++at_;
    }

    void check_communicators(const OpenMpiRules& rules) {
        if (rules.ranks.empty() || rules.collective->algorithms.empty())
            return;
        const auto& first = rules.ranks.front();
        const bool decides =
            std::ranges::any_of(first.rules, [](const auto& rule) { return rule.algorithm != 0; });
        if (first.from_ranks > 2 && decides)
            findings_.add(first.line,
                          fmt::format("the first rules of {} also apply to communicators of fewer "
                                      "than {} ranks",
                                      rules.collective->name, first.from_ranks),
                          "a communicator size of 0 before, with the rule 0 0 0 0");
        if (target_.from(6) && rules.ranks.size() > 1)
            findings_.add(
                rules.ranks[1].line,
                fmt::format("{} applies the rules of {} ranks to {} to {} ranks: it reads "
                            "a communicator size as the end of its rules, not their start",
                            target_.text(), rules.ranks[1].from_ranks, first.from_ranks,
                            rules.ranks[1].from_ranks - 1),
                "JSON rules for Open MPI 6 and later");
    }

    const Target& target_;
    Findings& findings_;
    std::vector<Number> numbers_;
    std::size_t at_ = 0;
    int version_ = 1;
};

} // namespace

void lint_classic(std::string_view text, const Target& target, Findings& findings) {
    Classic(target, findings).read(text);
}

} // namespace alltold::rulefile

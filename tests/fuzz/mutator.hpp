// SPDX-License-Identifier: BSD-3-Clause
// Texts made wrong at random, the same ones from the same seed everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace alltold::fuzz {

/// Texts that parsers get wrong.
inline constexpr std::array<std::string_view, 24> words{
    "0",          "-1",  "1e308", "1e999", "-0.5", "9999999999999999999",
    "2147483648", "nan", "null",  "\"",    "{",    "}",
    "[",          "]",   ",",     ":",     "=",    "+",
    "\n",         "\t",  "\xff",  "#",     "mpi",  "1e-300"};

class Mutator {
  public:
    /// The corpus, at least one text, must outlive it.
    Mutator(const std::vector<std::string>& corpus, unsigned seed)
        : corpus_(corpus), random_(seed) {}

    /// Below `end`; std::uniform_int_distribution differs between libraries.
    std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

    std::string next() {
        auto text = corpus_[below(corpus_.size())];
        for (auto edits = 1 + below(4); edits > 0; --edits)
            edit(text);
        return text;
    }

  private:
    void edit(std::string& text) {
        const auto at = below(text.size() + 1);
        const auto length = std::min(below(16) + 1, text.size() - at);
        switch (below(7)) {
        case 0:
            if (at < text.size())
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(at, words[below(words.size())]);
            break;
        case 3:
            text.insert(below(text.size() + 1), text.substr(at, length));
            break;
        case 4:
            replace_number(text, at);
            break;
        case 5:
            text.resize(at);
            break;
        default: {
            const auto& other = corpus_[below(corpus_.size())];
            text = text.substr(0, at) + other.substr(std::min(at, other.size()));
        }
        }
    }

    /// The first number from `at` on becomes another one.
    void replace_number(std::string& text, std::size_t at) {
        constexpr const char* digits = "0123456789";
        const auto from = text.find_first_of(digits, at);
        if (from == text.npos)
            return;
        const auto to = std::min(text.find_first_not_of("0123456789.e+-", from), text.size());
        text.replace(from, to - from, words[below(8)]);
    }

    const std::vector<std::string>& corpus_;
    std::mt19937 random_;
};

} // namespace alltold::fuzz

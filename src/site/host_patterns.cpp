// SPDX-License-Identifier: BSD-3-Clause
// Names cut into words and numbers; names with the same words make one pattern.
#include "site/host_patterns.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "topology/host_file.hpp"

namespace alltold::site {
namespace {

/// "r1n12.org" as "r", "n", ".org" with the numbers 1 and 12.
struct CutName {
    std::vector<std::string> words;   ///< one more than numbers; may be empty
    std::vector<std::string> numbers; ///< as they are written
};

CutName cut(std::string_view name) {
    CutName parts{{""}, {}};
    bool in_number = false;
    // A domain is one word, whatever numbers it has.
    const auto dot = std::min(name.find('.'), name.size());
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool digit = i < dot && std::isdigit(static_cast<unsigned char>(name[i])) != 0;
        if (digit && !in_number)
            parts.numbers.emplace_back();
        if (!digit && in_number)
            parts.words.emplace_back();
        in_number = digit;
        (digit ? parts.numbers : parts.words).back() += name[i];
    }
    if (in_number)
        parts.words.emplace_back();
    return parts;
}

struct Pattern {
    std::vector<std::string> words;
    std::vector<std::set<std::string>> numbers;

    std::string text(bool open) const {
        std::string text = words.front();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto by_value = [](const std::string& a, const std::string& b) {
                return std::strtoull(a.c_str(), nullptr, 10) <
                       std::strtoull(b.c_str(), nullptr, 10);
            };
            const auto [least, most] =
                std::minmax_element(numbers[i].begin(), numbers[i].end(), by_value);
            text += least == most ? *least : fmt::format("[{}-{}]", *least, open ? "" : *most);
            text += words[i + 1];
        }
        return text;
    }
};

using Names = std::set<std::string>;

std::vector<std::string> patterns_of(const Names& names, const Names& others) {
    std::map<std::vector<std::string>, Pattern> groups;
    for (const auto& name : names) {
        const auto parts = cut(name);
        auto& group = groups[parts.words];
        group.words = parts.words;
        group.numbers.resize(parts.numbers.size());
        for (std::size_t i = 0; i < parts.numbers.size(); ++i)
            group.numbers[i].insert(parts.numbers[i]);
    }
    std::vector<std::string> lines;
    for (const auto& [words, group] : groups) {
        const auto fits_another = [&](const std::string& pattern) {
            return std::ranges::any_of(
                others, [&](const std::string& host) { return names_host(pattern, host); });
        };
        if (const auto open = group.text(true); !fits_another(open))
            lines.push_back(open);
        else if (const auto closed = group.text(false); !fits_another(closed))
            lines.push_back(closed);
        else
            for (const auto& name : names)
                if (cut(name).words == words)
                    lines.push_back(name);
    }
    return lines;
}

} // namespace

std::string host_patterns(std::span<const std::string> hosts, std::span<const int> cluster_of) {
    std::map<int, Names> clusters;
    for (std::size_t i = 0; i < hosts.size(); ++i)
        clusters[cluster_of[i]].insert(hosts[i]);
    std::string text;
    for (const auto& [cluster, names] : clusters) {
        Names others;
        for (const auto& [other, theirs] : clusters)
            if (other != cluster)
                others.insert(theirs.begin(), theirs.end());
        if (clusters.size() > 1)
            text += fmt::format("# cluster: {}\n", cluster + 1);
        for (const auto& line : patterns_of(names, others))
            text += line + "\n";
    }
    return text;
}

} // namespace alltold::site

// SPDX-License-Identifier: BSD-3-Clause
// By switches, then by names.
#include "preload/nearest_hosts.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

#include <fmt/format.h>

namespace alltold::preload {
namespace {

constexpr std::size_t most_named = 3; // hosts in a message; the others are counted

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Whether a word or a number of `name` goes on at `at`.
bool goes_on(std::string_view name, std::size_t at) {
    return at > 0 && at < name.size() && is_digit(name[at - 1]) == is_digit(name[at]);
}

/// The first host that `is_near` holds for, if all of them are in one cluster.
template <typename IsNear>
const KnownHost* one_of_a_cluster(std::span<const KnownHost> measured, IsNear is_near) {
    const KnownHost* first = nullptr;
    for (const auto& host : measured)
        if (is_near(host)) {
            if (first && host.cluster != first->cluster)
                return nullptr;
            first = first ? first : &host;
        }
    return first;
}

/// "n1, n2, n3 and 4 more"
std::string some_of(std::span<const TakenHost> hosts) {
    std::string text;
    for (std::size_t i = 0; i < std::min(hosts.size(), most_named); ++i)
        text += (i > 0 ? ", " : "") + hosts[i].host;
    if (hosts.size() > most_named)
        text += fmt::format(" and {} more", hosts.size() - most_named);
    return text;
}

} // namespace

std::size_t common_start(std::string_view a, std::string_view b) {
    const auto dot_a = a.find('.'), dot_b = b.find('.');
    constexpr auto none = std::string_view::npos;
    if (dot_a != none && dot_b != none && a.substr(dot_a) != b.substr(dot_b))
        return 0;
    a = a.substr(0, dot_a);
    b = b.substr(0, dot_b);
    const auto differs = std::ranges::mismatch(a, b).in1;
    auto end = static_cast<std::size_t>(differs - a.begin());
    while (goes_on(a, end) || goes_on(b, end))
        --end;
    return std::ranges::any_of(a.substr(0, end), is_letter) ? end : 0;
}

std::optional<TakenHost> nearest_host(const KnownHost& host, std::span<const KnownHost> measured) {
    if (host.switches != 0)
        if (const auto* nearest = one_of_a_cluster(
                measured, [&](const KnownHost& known) { return known.switches == host.switches; }))
            return TakenHost{host.name, nearest->name, *nearest->cluster, true};
    std::size_t longest = 0;
    for (const auto& known : measured)
        longest = std::max(longest, common_start(host.name, known.name));
    if (longest > 0)
        if (const auto* nearest = one_of_a_cluster(measured, [&](const KnownHost& known) {
                return common_start(host.name, known.name) == longest;
            }))
            return TakenHost{host.name, nearest->name, *nearest->cluster, false};
    return std::nullopt;
}

std::string text_of(std::span<const TakenHost> taken) {
    std::vector<TakenHost> sorted(taken.begin(), taken.end());
    const auto group = [](const TakenHost& host) {
        return std::tuple(host.cluster, host.by_switches, host.as);
    };
    std::ranges::stable_sort(sorted, {}, group);
    std::string text = "hosts that the profile was not measured on are taken to be in clusters of "
                       "others";
    for (auto from = sorted.begin(); from != sorted.end();) {
        const auto to = std::find_if(from, sorted.end(),
                                     [&](const auto& host) { return group(host) != group(*from); });
        text += fmt::format("{} {} in that of {} by {}", from == sorted.begin() ? ":" : ",",
                            some_of({from, to}), from->as,
                            from->by_switches ? "Slurm's switches" : "name");
        from = to;
    }
    return text + "; set ALLTOLD_CLUSTERS if that is wrong";
}

} // namespace alltold::preload

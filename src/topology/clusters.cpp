// SPDX-License-Identifier: BSD-3-Clause
#include "topology/clusters.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/limits.hpp"
#include "core/text.hpp"

namespace alltold {
namespace {

/// At least 1.
std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc{} && end == text.data() + text.size() && value >= 1
               ? std::optional(value)
               : std::nullopt;
}

/// Hosts that have as many ranks each, from "6x4", or "6" for one rank each.
std::optional<std::pair<int, int>> equal_hosts(std::string_view text) {
    const auto cross = text.find('x');
    const auto hosts = number(text.substr(0, cross));
    const auto each = cross == text.npos ? 1 : number(text.substr(cross + 1));
    return hosts && each ? std::optional(std::pair(*hosts, *each)) : std::nullopt;
}

/// The index of the last of `firsts` that is not above `rank`.
int last_from(const std::vector<int>& firsts, int rank) {
    return static_cast<int>(std::upper_bound(firsts.begin(), firsts.end(), rank) - firsts.begin()) -
           1;
}

} // namespace

Result<Clusters> Clusters::parse(std::string_view text) {
    std::vector<std::vector<int>> clusters;
    long total = 0;
    for (const auto cluster : split_at(text, '+')) {
        auto& hosts = clusters.emplace_back();
        for (const auto group : split_at(cluster, '/')) {
            const auto equal = equal_hosts(group);
            if (!equal)
                return bad_input(fmt::format(
                    "clusters '{}': '{}' is not a cluster size; write hosts per cluster, each at "
                    "least 1, such as 12, 6+6 or 4+8+4, or hosts x ranks per host, such as 6x4+3x8",
                    text, group));
            const auto [count, each] = *equal;
            total += static_cast<long>(count) * each;
            if (total > most_ranks)
                return bad_input(
                    fmt::format("clusters '{}': more than {} ranks", text, most_ranks));
            hosts.insert(hosts.end(), static_cast<std::size_t>(count), each);
        }
    }
    return of_hosts(clusters);
}

Clusters::Clusters(std::vector<int> sizes) : sizes_(std::move(sizes)), first_{0} {
    assert(!sizes_.empty());
    for (const int size : sizes_) {
        assert(size >= 1);
        first_.push_back(first_.back() + size);
    }
}

Clusters Clusters::of_hosts(const std::vector<std::vector<int>>& ranks_of_hosts) {
    std::vector<int> sizes, lowest{0};
    for (const auto& hosts : ranks_of_hosts) {
        const int before = lowest.back();
        for (const int ranks : hosts)
            lowest.push_back(lowest.back() + ranks);
        sizes.push_back(lowest.back() - before);
    }
    Clusters made(std::move(sizes));
    if (lowest.size() != static_cast<std::size_t>(made.ranks()) + 1)
        made.lowest_ = std::move(lowest);
    return made;
}

int Clusters::cluster_of(int rank) const {
    assert(rank >= 0 && rank < ranks());
    return last_from(first_, rank);
}

int Clusters::host_of(int rank) const {
    assert(rank >= 0 && rank < ranks());
    return one_rank_per_host() ? rank : last_from(lowest_, rank);
}

int Clusters::first_host(int cluster) const {
    return cluster == count() ? hosts() : host_of(first(cluster));
}

int Clusters::most_ranks_of_a_host() const {
    int most = 1;
    for (int host = 0; host < hosts(); ++host)
        most = std::max(most, ranks_of_host(host));
    return most;
}

std::vector<std::vector<int>> Clusters::ranks_of_hosts() const {
    std::vector<std::vector<int>> clusters(sizes_.size());
    for (int cluster = 0; cluster < count(); ++cluster)
        for (int host = first_host(cluster); host < first_host(cluster + 1); ++host)
            clusters[static_cast<std::size_t>(cluster)].push_back(ranks_of_host(host));
    return clusters;
}

Clusters Clusters::leaders() const {
    std::vector<int> sizes;
    for (int cluster = 0; cluster < count(); ++cluster)
        sizes.push_back(hosts(cluster));
    return Clusters(std::move(sizes));
}

std::string Clusters::text() const {
    if (one_rank_per_host())
        return fmt::format("{}", fmt::join(sizes_, "+"));
    std::string text;
    for (int cluster = 0; cluster < count(); ++cluster) {
        if (cluster > 0)
            text += "+";
        const int end = first_host(cluster + 1);
        for (int host = first_host(cluster); host < end;) {
            int next = host + 1;
            while (next < end && ranks_of_host(next) == ranks_of_host(host))
                ++next;
            text += host == first_host(cluster) ? "" : "/";
            text += ranks_of_host(host) == 1
                        ? std::to_string(next - host)
                        : fmt::format("{}x{}", next - host, ranks_of_host(host));
            host = next;
        }
    }
    return text;
}

} // namespace alltold

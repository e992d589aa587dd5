// SPDX-License-Identifier: BSD-3-Clause
// Parsing of cluster sizes and the rank-to-cluster map.
#include "topology/clusters.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/limits.hpp"

namespace alltold {

Result<Clusters> Clusters::parse(std::string_view text) {
    std::vector<int> sizes;
    long total = 0;
    for (std::size_t from = 0; from <= text.size();) {
        const auto to = std::min(text.find('+', from), text.size());
        const auto number = text.substr(from, to - from);
        int size = 0;
        const auto [end, code] =
            std::from_chars(number.data(), number.data() + number.size(), size);
        if (code != std::errc{} || end != number.data() + number.size() || size < 1)
            return bad_input(
                fmt::format("clusters '{}': '{}' is not a cluster size; write hosts per "
                            "cluster, each at least 1, such as 12, 6+6 or 4+8+4",
                            text, number));
        total += size;
        if (total > most_ranks)
            return bad_input(fmt::format("clusters '{}': more than {} hosts", text, most_ranks));
        sizes.push_back(size);
        from = to + 1;
    }
    return Clusters(std::move(sizes));
}

Clusters::Clusters(std::vector<int> sizes) : sizes_(std::move(sizes)), first_{0} {
    assert(!sizes_.empty());
    for (const int size : sizes_) {
        assert(size >= 1);
        first_.push_back(first_.back() + size);
    }
}

int Clusters::cluster_of(int rank) const {
    assert(rank >= 0 && rank < ranks());
    const auto after = std::upper_bound(first_.begin(), first_.end(), rank);
    return static_cast<int>(after - first_.begin()) - 1;
}

std::string Clusters::text() const {
    return fmt::format("{}", fmt::join(sizes_, "+"));
}

} // namespace alltold

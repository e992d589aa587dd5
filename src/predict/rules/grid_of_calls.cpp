// SPDX-License-Identifier: BSD-3-Clause
// About logarithmic grids.
#include "predict/rules/grid_of_calls.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "network/corrections/correction.hpp"
#include "predict/parameters/segment_search.hpp"

namespace alltold {
namespace {

constexpr int size_doublings = 22; ///< up to 4 MiB; the last rule covers all larger sizes

/// The powers of two after which there is a size halfway to the next.
constexpr std::uint64_t least_halved_bytes = 256, most_halved_bytes = 64 * 1024;

std::uint64_t halfway(std::uint64_t power) {
    return power + power / 2;
}

/// 2, 3, 4, 6, 8, 11, 16, 21, 32, ...: between powers of two, where several trees are equally
/// good, numbers where they are not.
int next(int n) {
    return n < 4                                           ? n + 1
           : std::has_single_bit(static_cast<unsigned>(n)) ? n * 5 / 4 + 1
                                                           : (n - 1) * 8 / 5;
}

} // namespace

std::vector<int> ranks_of_grid(const Network& network, Collective collective, const Clusters& hosts,
                               int most_ranks) {
    std::set<int> ranks;
    const int each = hosts.most_ranks_of_a_host();
    const int fewest = std::max(2, hosts.count());
    for (int n = fewest; n * each <= most_ranks; n = next(n))
        ranks.insert(n * each);
    constexpr int most_in_turn = 16;
    if (hosts.count() > 1)
        for (int n = fewest; n <= std::min(hosts.hosts(), most_in_turn); ++n)
            if (n * each <= most_ranks)
                ranks.insert(n * each);
    if (const auto* library = correction_of(network, collective, hosts, true))
        for (const auto& call : library->calls())
            if (call.clusters.count() == hosts.count() && call.clusters.ranks() <= most_ranks)
                ranks.insert(call.clusters.ranks());
    return {ranks.begin(), ranks.end()};
}

std::vector<std::uint64_t> sizes_of_grid(const Network& network, const Clusters& hosts, bool halved,
                                         bool eager) {
    constexpr double more = 1.03, over_one_packet = 1.1;
    std::set<std::uint64_t> sizes;
    for (int i = 0; i <= size_doublings; ++i)
        sizes.insert(std::uint64_t{1} << i);
    for (auto power = least_halved_bytes; halved && power <= most_halved_bytes; power *= 2)
        sizes.insert(halfway(power));
    if (eager && network.eager_limit_bytes && network.eager_limit_bytes->value >= 1)
        sizes.insert(static_cast<std::uint64_t>(network.eager_limit_bytes->value));
    const double window =
        hosts.count() > 1 && network.links ? network.links->initial_window_bytes : 0;
    const auto payload = static_cast<double>(packet_payload_bytes(network));
    const double full = network.links ? network.links->full_segment_bytes() : 0;
    if (network.links && network.links->mss_bytes > 0)
        sizes.insert(static_cast<std::uint64_t>(over_one_packet * payload));
    if (window >= full && payload < full)
        for (const double size :
             {window / full * payload, window - (full - payload), window * more})
            sizes.insert(static_cast<std::uint64_t>(size));
    return {sizes.begin(), sizes.end()};
}

bool is_halfway(std::uint64_t size_bytes) {
    const auto power = std::bit_floor(size_bytes);
    return power >= least_halved_bytes && power <= most_halved_bytes &&
           size_bytes == halfway(power);
}

} // namespace alltold

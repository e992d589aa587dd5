// SPDX-License-Identifier: BSD-3-Clause
#include "lab/capacity.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold::lab {

namespace {

/// Ranks take turns on a processor, and the turn must come before the queues run empty: the more
/// ranks, the lower the rate. Two cores time 12 ranks at 50 Mbit and 24 at 20, but not 24 at 50
/// (docs/results/lab.md).
constexpr double most_bit_per_s_of_ranks = 300e6;

std::string on_processors(int processors) {
    return fmt::format("{} processor{}", processors, processors == 1 ? "" : "s");
}

} // namespace

int processors_here() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Status check_ranks(const LabOptions& options, int processors) {
    const auto& clusters = options.clusters;
    const int most = most_ranks_a_processor * processors;
    if (clusters.one_rank_per_host() || options.oversubscribe || clusters.ranks() <= most)
        return Done{};
    const int each = most / clusters.hosts();
    return bad_input(
        fmt::format("--clusters {}: {} ranks are more than {} can time; {} would do, or "
                    "--oversubscribe if times do not matter",
                    clusters.text(), clusters.ranks(), on_processors(processors),
                    each > 0 ? "--clusters " + with_ranks_per_host(clusters, each).text()
                             : fmt::format("up to {} ranks", most)));
}

std::string rate_warning(const LabOptions& options, int processors) {
    const double fits = most_bit_per_s_of_ranks * processors / options.clusters.ranks();
    if (options.clusters.one_rank_per_host() || options.oversubscribe ||
        !check_ranks(options, processors) || options.nic_bit_per_s <= fits)
        return "";
    return fmt::format(
        "{} may be too few to time {} ranks at {} per host; --nic {:.0f}Mbit would do",
        on_processors(processors), options.clusters.ranks(), format_rate(options.nic_bit_per_s),
        std::floor(fits / 1e6));
}

} // namespace alltold::lab

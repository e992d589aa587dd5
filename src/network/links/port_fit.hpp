// SPDX-License-Identifier: BSD-3-Clause
// The goodput and the queue of the hosts' ports.
#pragma once

#include "network/fitting.hpp"

namespace alltold {

/// Queue bytes of a flood's packet: UDP's payload of a full Ethernet frame, and headers of UDP, IP
/// and Ethernet.
constexpr double flood_packet_bytes = 1472 + 8 + 20 + 14;

/// Half the interval over the value; 0 for a value of 0.
double relative_error(const Estimate& estimate);

/// One value of several clusters, or pairs of them.
struct OfClusters {
    std::string clusters; ///< "cluster 1", "clusters 0 and 2"
    Estimate estimate;
    int first = 0, second = -1; ///< their numbers; -1: of one cluster
    int hosts = 0;              ///< of the first, where that matters
};

/// Whether intervals exclude each other. Values whose intervals overlap are one as far as anybody
/// measured, and better known from all that was measured; no fixed difference says that, since one
/// that means nothing in a noisy network is certain in a quiet one.
bool apart(const Estimate& a, const Estimate& b);
/// Whether any two of them are apart, each interval being at least so wide either way.
bool any_apart(std::span<const OfClusters> all, double relative_error, double error = 0);
/// Rates of floods or trains: clocks, headers and queues leave none better known than that. Those
/// of equal ports in kept labs differ by up to 0.8 %.
constexpr double least_rate_error = 0.01;
inline bool rates_apart(std::span<const OfClusters> all) {
    return any_apart(all, least_rate_error);
}
/// Queues hold whole packets, of which one is leaving: none is known better than to a packet. Those
/// of equal ports in kept labs differ by up to 0.7 packets.
inline bool queues_apart(std::span<const OfClusters> all) {
    return any_apart(all, 0, flood_packet_bytes);
}

/// The median, and an interval that holds those of all. `all` must not be empty.
Estimate pooled(std::span<const OfClusters> all);

/// One value for all: `pooled` where intervals overlap; else the `smallest` or the largest, with
/// the same interval, and `differ` names both ends. `all` must not be empty.
Estimate one_for_all(std::span<const OfClusters> all, bool smallest, std::string& differ);

struct PortFit {
    Estimate goodput_bytes_per_s;
    bool at_least = false;                ///< ports carry that or more
    std::optional<Estimate> of_pair = {}; ///< of one pair, where several reach more together
    std::vector<std::string> caveats = {};
    std::optional<int> cluster = {}; ///< whose it is, where clusters differ
};

/// From trains within clusters, or what leaves a flooded port, whichever is known better. Where the
/// two exclude each other, or the growth of ping-pongs from 16 KiB on excludes them, the interval
/// reaches to the other value, with a caveat. Without either, the most that two hosts in different
/// clusters exchanged, with a caveat, as `at_least` unless floods between them lost nothing.
/// Where several pairs at once, or both directions, reached more, the port's is what they reached.
/// Where clusters' own rates are apart, it is that of the slowest cluster. Refuses (status `no`)
/// with the reason when nothing shows it.
Result<PortFit> fit_port(const Fitting& fitting);

/// The ping-pongs within clusters; of the slowest one, where the ports' rates are apart. A port's
/// rate is one quantity: where their slope is not known as well, or excludes it, as a line through
/// sizes that no line fits does, beta is that rate's.
Result<HockneyFit> fit_local(Fitting& fitting);

/// Floods of `clusters` clusters that show an overflowing queue, and the packets it holds.
std::vector<OfClusters> flooded_queues(const Fitting& fitting, int clusters);
/// Whether any flood of `clusters` clusters was measured, whatever it shows.
bool any_flood(const Fitting& fitting, int clusters);
/// TCP's payload of a full packet: the median of what the probe "packet" read, or Ethernet's usual
/// if it read none.
double fit_mss_bytes(const Fitting& fitting);
/// The goodput of what leaves the floods of `clusters` clusters, in full packets of TCP's.
std::vector<OfClusters> flooded_rates(const Fitting& fitting, int clusters);

} // namespace alltold

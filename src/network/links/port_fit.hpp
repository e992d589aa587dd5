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
};

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
};

/// From trains within clusters, or what leaves a flooded port, whichever is known better. Where the
/// two exclude each other, or the growth of ping-pongs from 16 KiB on excludes them, the interval
/// reaches to the other value, with a caveat. Without either, the most that two hosts in different
/// clusters exchanged, with a caveat, as `at_least` unless floods between them lost nothing.
/// Where several pairs at once, or both directions, reached more, the port's is what they reached.
/// Refuses (status `no`) with the reason when nothing shows it.
Result<PortFit> fit_port(const Fitting& fitting);

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

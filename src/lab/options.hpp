// SPDX-License-Identifier: BSD-3-Clause
// What a lab is asked to be, and the names and addresses that follow from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/result.hpp"
#include "topology/clusters.hpp"

namespace alltold::lab {

/// The backbone: one uplink and one downlink a cluster, each of this rate and queue; `delay_s` is
/// what a packet waits between the two.
struct Wan {
    double bit_per_s = 200e6;
    double delay_s = 5e-3;
    std::uint64_t queue_bytes = 512 * 1024;

    /// From "200Mbit,5ms,512KiB". Fails, naming the part, when one of the three is missing or bad.
    static Result<Wan> parse(std::string_view text);
};

struct LabOptions {
    Clusters clusters{{12}};
    double nic_bit_per_s = 50e6;            ///< both ways, Ethernet headers counted
    std::uint64_t buffer_bytes = 64 * 1024; ///< of each switch port towards a host
    Wan wan;                                ///< unused with one cluster
    std::string truth_file;                 ///< empty: none is written
    std::string tcp; ///< congestion control, as the kernel calls it; empty: as usual_tcp says
};

constexpr int mtu_bytes = 1500;
constexpr int frame_bytes = mtu_bytes + 14; ///< what rates and queues count for a full packet
constexpr int segment_bytes = mtu_bytes - 20 - 20 - 12; ///< TCP payload of it, with timestamps
constexpr int most_hosts_a_cluster = 250;
constexpr int most_hosts = 1000;
constexpr int most_clusters = 100;

/// Fails, naming the option, for too many hosts, buffers under two packets and impossible rates.
Status check(const LabOptions& options);

/// "a1", "a2", ..., "b1": the letter is the cluster. With more than 26 clusters, "aa1" after "z1".
std::string host_name(const Clusters& clusters, int rank);
std::string cluster_name(int cluster);
/// Where MPI messages go: 198.18.<cluster>.<host from 1>.
std::string data_address(const Clusters& clusters, int rank);
/// Where launchers go: 198.19.<cluster>.<host from 1>.
std::string control_address(const Clusters& clusters, int rank);
/// Hardware address of a host's data interface, or of a cluster's gateway with host 254.
std::string hardware_address(int cluster, int host);

/// What --truth writes: what the lab is built with, units in the keys; `options.tcp` is not empty.
nlohmann::json truth(const LabOptions& options);

} // namespace alltold::lab

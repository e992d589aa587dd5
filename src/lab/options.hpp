// SPDX-License-Identifier: BSD-3-Clause
// The parameters of a lab, and the names and addresses derived from them.
#pragma once

#include <array>
#include <map>

#include <nlohmann/json_fwd.hpp>

#include "core/text_file.hpp"
#include "topology/clusters.hpp"

namespace alltold::lab {

/// The backbone: one uplink and one downlink per cluster, each with this rate and queue; `delay_s`
/// is the delay between them. Or a link of one pair of clusters, with this rate, queue and delay
/// each way.
struct Wan {
    double bit_per_s = 200e6;
    double delay_s = 5e-3;
    std::uint64_t queue_bytes = 512 * 1024;

    /// Parses "200Mbit,5ms,512KiB". Fails and names the part that is missing or bad.
    static Result<Wan> parse(std::string_view text);

    bool operator==(const Wan&) const = default;
};

/// Clusters by their numbers, the lower one first.
using ClusterPair = std::pair<int, int>;

/// Parses "a-b=20Mbit,10ms,64KiB". Fails and names the part that is missing or bad.
Result<std::pair<ClusterPair, Wan>> parse_pair_wan(std::string_view text);

struct LabOptions {
    Clusters clusters{{12}};                ///< of ranks; a host's ranks share its link
    double nic_bit_per_s = 50e6;            ///< in each direction, including Ethernet headers
    std::vector<double> cluster_bit_per_s;  ///< by cluster; 0, and of those behind: nic_bit_per_s
    std::uint64_t buffer_bytes = 64 * 1024; ///< of each switch port to a host
    Wan wan;                                ///< unused with one cluster
    std::map<ClusterPair, Wan> pair_wans;   ///< their links, apart from the star
    std::string truth_file;                 ///< empty: none is written
    std::string tcp;            ///< the kernel's name of a congestion control; empty: usual_tcp()
    bool oversubscribe = false; ///< whether more ranks may share a processor; see capacity.hpp

    /// The rate of links of a cluster's hosts.
    double nic_of(int cluster) const {
        const auto c = static_cast<std::size_t>(cluster);
        return c < cluster_bit_per_s.size() && cluster_bit_per_s[c] > 0 ? cluster_bit_per_s[c]
                                                                        : nic_bit_per_s;
    }
    bool equal_nics() const;
    /// Parses "6@50Mbit+6@20Mbit" into `clusters` and `cluster_bit_per_s`. Fails and names the part
    /// that is bad.
    Status parse_clusters(std::string_view text);
};

constexpr int mtu_bytes = 1500;
constexpr int frame_bytes = mtu_bytes + 14; ///< size of a full packet for rates and queues
constexpr int segment_bytes = mtu_bytes - 20 - 20 - 12; ///< TCP payload of it, with timestamps
constexpr int most_hosts_a_cluster = 250;
constexpr int most_hosts = 1000;
constexpr int most_clusters = 100;

/// Fails and names the option for too many hosts, buffers below two packets and impossible rates.
Status check(const LabOptions& options);

/// These hosts with `each` ranks; at least 1.
Clusters with_ranks_per_host(const Clusters& clusters, int each);

/// "50 Mbit/s", or by cluster "a: 50 Mbit/s, b: 20 Mbit/s".
std::string nic_text(const LabOptions& options);

/// "12 ranks on 4 hosts (4x3)".
std::string size_text(const Clusters& clusters);

/// "a1", "a2", ..., "b1": the letter is the cluster. With more than 26 clusters, "aa1" after "z1".
/// `host` counts through all clusters.
std::string host_name(const Clusters& clusters, int host);
std::string cluster_name(int cluster);
/// The address for MPI messages: 198.18.<cluster>.<host from 1>.
std::string data_address(const Clusters& clusters, int host);
/// The address for launchers: 198.19.<cluster>.<host from 1>.
std::string control_address(const Clusters& clusters, int host);
/// The host number of a cluster's gateway, the address by which hosts reach other clusters.
constexpr int gateway_host = 254;
/// Hardware address of a host's data interface, or of a cluster's gateway.
std::array<unsigned char, 6> hardware_bytes(int cluster, int host);
std::string hardware_address(int cluster, int host);

inline constexpr FileKind truth_kind{"a lab's truth", "\"alltold_lab\""};

/// The contents of --truth's file: the lab's parameters, with units in the keys; "clusters" as
/// Clusters::parse reads it, and "ranks" of each host. Where clusters' rates differ, "nic" has the
/// lowest and, as "of_clusters", all of them; "wan" has "of_pairs" where some have links of their
/// own. `options.tcp` is not empty.
nlohmann::json truth(const LabOptions& options);

/// The options that make the lab of that truth: "--clusters 6+6 --nic 50Mbit --buffer 64KiB", and
/// --wan. Throws a json exception if it is none.
std::string options_text(const nlohmann::json& truth);

} // namespace alltold::lab

// SPDX-License-Identifier: BSD-3-Clause
// The registry of algorithms: what an algorithm takes, its registry row, and how it is run.
#pragma once

#include <algorithm>

#include "schedule/check.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// The caller's choices. An algorithm accepts some of the parameters and refuses the others.
struct Parameters {
    std::uint64_t segment_bytes = 0;       ///< largest message between hosts; 0: not given
    int window = 0;                        ///< messages in flight; 0: not given, no limit
    int inter_cluster_window = 0;          ///< the same between clusters
    std::optional<Clusters> clusters = {}; ///< of exactly the ranks of the call

    bool operator==(const Parameters&) const = default;
};

/// One rank's view of a call: everything a generator may use.
struct Task {
    Collective collective = Collective::bcast;
    int rank = 0;
    int ranks = 1;
    int root = 0;
    std::uint64_t size_bytes = 0;   ///< per block; unused by all-to-all-v
    const Shares* shares = nullptr; ///< all-to-all-v only
    const Parameters& parameters;
    Reduction reduction = {}; ///< reductions only
};

/// The collective that an algorithm's name begins with.
constexpr Collective collective_of(std::string_view algorithm) {
    return *std::ranges::find(all_collectives, algorithm.substr(0, algorithm.find('.')),
                              [](Collective one) { return name_of(one); });
}

/// One row of the registry.
struct Algorithm {
    /// Whether a parameter is refused, optional or required.
    enum class Use : std::uint8_t { no, may, must };

    std::string_view name; ///< "bcast.chain": that of its collective, and its own
    Collective collective = collective_of(name);
    std::string_view wins; ///< one line: when this algorithm is the best choice
    Schedule (*generate)(const Task& task);
    Use segment = Use::no;
    Use window = Use::no;
    Use inter_cluster_window = Use::no;
    Use clusters = Use::no; ///< if required, at least two
    /// Whether order or paths follow the hosts of Parameters::clusters; if required, at least one
    /// host has several ranks.
    Use hosts = Use::no;
    /// An exchange in one message for each pair of hosts: how many ranks of the fullest host share
    /// its messages with other hosts, at least 1. Null: not such an exchange.
    int (*carriers)(const Clusters& clusters) = nullptr;
    /// Segments take different paths, so a rank may forward some segments and not others.
    bool segments_diverge = false;
    /// For a reduction: combines in the order of ranks, as operators that do not commute require.
    bool in_order = false;
    /// Carries out all-to-all-v as well.
    bool vectors = false;
    /// All-to-all-v: the blocks between other ranks whose sizes a rank needs before it can build
    /// its schedule, ordered by source. Depends on ranks and parameters only. Null: none.
    std::vector<Block> (*passes_on)(const Task& task) = nullptr;
    /// The limits it keeps with a window of `window` (see check).
    Limits (*limits)(int window) = nullptr;

    /// Whether it carries out `other`.
    bool runs(Collective other) const {
        return other == collective || (other == Collective::alltoallv && vectors);
    }
    /// Whether it is given Parameters::clusters.
    bool takes_clusters() const { return clusters != Use::no || hosts != Use::no; }
    /// Whether these hosts have as many ranks as it needs.
    bool suits_hosts(const Clusters& all) const {
        return hosts != Use::must || !all.one_rank_per_host();
    }
    bool rooted() const { return traits_of(collective).rooted; }
    /// Whether it combines in an order that such an operator allows.
    bool suits(const Reduction& reduction) const { return in_order || reduction.commutative; }
};

/// In a namespace of its path a file has one `row`, or the `rows` of a family.
using AlgorithmRows = std::span<const Algorithm>;

/// All algorithms, by name.
std::span<const Algorithm* const> registry();

/// Fails, listing the most similar names, when there is no such algorithm.
Result<const Algorithm*> find_algorithm(std::string_view name);
/// Where the collective is known; also takes "flat" for allreduce.flat, and lists names of
/// this collective only. May be an algorithm of another collective if `name` says so.
Result<const Algorithm*> find_algorithm(std::string_view name, Collective collective);

/// Whether `algorithm` can carry out `collective` on `ranks` ranks with these parameters. Fails,
/// naming the parameter, if one is refused, missing or out of range.
/// `root` is -1 where the caller gave none.
Status accepts(const Algorithm& algorithm, Collective collective, int ranks, int root,
               const Parameters& parameters, const Reduction& reduction = {});

/// The schedule of one rank of `specification`; `accepts` must hold.
Schedule schedule_of(const Algorithm& algorithm, const Specification& specification,
                     const Parameters& parameters, int rank);

/// The schedules of all ranks, in rank order; `accepts` must hold.
std::vector<Schedule> schedules_of(const Algorithm& algorithm, const Specification& specification,
                                   const Parameters& parameters);

Limits limits_of(const Algorithm& algorithm, const Parameters& parameters);

} // namespace alltold

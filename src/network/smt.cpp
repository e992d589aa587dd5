// SPDX-License-Identifier: BSD-3-Clause
// LG on several clusters by SMT's own equation, with the signature in each.
#include "network/smt.hpp"

#include "network/hockney/hockney_time.hpp"
#include "network/signature/signature_time.hpp"

namespace alltold {
namespace {

/// At the ends of all intervals.
Estimate equation_7(const Network& network, const Clusters& clusters, std::string_view,
                    double size_bytes) {
    const auto numbers = network.numbers_of(clusters);
    const auto time_s = [&](double Estimate::*end) {
        double slowest_s = 0;
        for (int c = 0; c < clusters.count(); ++c)
            slowest_s =
                std::max(slowest_s, signature_time(network, numbers[static_cast<std::size_t>(c)],
                                                   clusters.size(c), size_bytes).*
                                        end);
        return lg_time_s(slowest_s, clusters, at_end(*network.inter_cluster, end), size_bytes);
    };
    return {time_s(&Estimate::value), time_s(&Estimate::low), time_s(&Estimate::high)};
}

} // namespace

namespace models {
extern const CostModel smt{
    .name = "smt",
    .source = "SMT equation 7",
    .help = "alltoall.lg on two clusters or more, with the signature in each",
    .lacks = [](const Network& network) -> std::string {
        return network.inter_cluster && network.alltoall
                   ? ""
                   : "a signature and alpha and beta between clusters";
    },
    .unfit = [](const Network&, const Clusters& clusters,
                std::string_view algorithm) -> std::string {
        return algorithm == "alltoall.lg" && clusters.count() > 1
                   ? ""
                   : "SMT equation 7 holds only for alltoall.lg on two clusters or more";
    },
    .algorithm = equation_7,
    .algorithm_caveat = "SMT equation 7 does not count the blocks that the local phase collects "
                        "for the other cluster",
    .largest_bytes = [](const Network& network) { return network.alltoall->largest_bytes; },
};
} // namespace models

std::vector<int> Network::numbers_of(const Clusters& call) const {
    return (links ? *links : LinkNetwork{}).places_of(call);
}

Estimate library_time_by_clusters(const Network& network, const Clusters& clusters,
                                  double size_bytes, const CostModel& model) {
    Estimate slowest_s;
    const auto numbers = network.numbers_of(clusters);
    for (int c = 0; c < clusters.count(); ++c) {
        const int n = clusters.size(c), number = numbers[static_cast<std::size_t>(c)];
        auto time_s = model.library_in_cluster(network, number, n, size_bytes);
        if (network.alltoall)
            time_s.high *= network.signature_in(number).may_grow(n);
        for (const auto end : {&Estimate::value, &Estimate::low, &Estimate::high})
            slowest_s.*end = std::max(slowest_s.*end, time_s.*end);
    }
    if (clusters.count() == 1)
        return slowest_s;
    const auto with_others = [&](double Estimate::*end) {
        return plain_time_s(slowest_s.*end, clusters, at_end(*network.inter_cluster, end),
                            size_bytes);
    };
    return {with_others(&Estimate::value), with_others(&Estimate::low),
            with_others(&Estimate::high)};
}

} // namespace alltold

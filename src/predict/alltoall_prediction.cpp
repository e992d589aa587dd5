// SPDX-License-Identifier: BSD-3-Clause
// One cluster, two clusters, and the bounds beside them.
#include "predict/alltoall_prediction.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/capacity.hpp"
#include "network/hockney/hockney_time.hpp"
#include "network/linear/linear.hpp"
#include "network/smt/two_clusters.hpp"

namespace alltold {
namespace {

/// Fails where a parameter the model reads is not in the profile.
Status check_parameters(const Network& network, const Clusters& clusters, const CostModel& model) {
    if (!network.local && !network.alltoall)
        return bad_input("has neither alpha and beta nor a signature, which the MPI library's "
                         "all-to-all needs; try --algorithm all");
    if (const auto lacking = model.lacks(network); !lacking.empty())
        return bad_input(fmt::format("lacks {}, which model '{}' needs; try --model linear",
                                     lacking, model.name));
    if (clusters.count() > 1 && !network.inter_cluster)
        return bad_input(fmt::format(
            "has no alpha and beta between clusters, which clusters {} need", clusters.text()));
    if (const auto reason = model.unfit ? model.unfit(network, clusters, "mpi") : std::string();
        !reason.empty())
        return bad_input(reason);
    return Done{};
}

/// The bounds of SMT07 proposition 1 and of the busiest host, both with the faster of the two
/// networks, since only part of the messages cross; across clusters also one message between them.
void set_bounds(Prediction& prediction, const Network& network, const Clusters& clusters,
                double size_bytes) {
    auto fastest = local_network(network).model();
    double crossing_s = 0;
    if (clusters.count() > 1) {
        const auto between = network.inter_cluster->model();
        crossing_s = between.time_s(size_bytes);
        fastest = {std::min(fastest.alpha_s, between.alpha_s),
                   std::min(fastest.beta_s_per_byte, between.beta_s_per_byte)};
    }
    prediction.bound_s = std::max(linear_time_s(fastest, clusters.ranks(), size_bytes), crossing_s);
    prediction.nic_bound_s =
        alltoall_nic_bound_s(clusters.ranks(), size_bytes, 1 / fastest.beta_s_per_byte);
}

/// SMT equation 6, and its ends where both networks are at the ends of their intervals.
Estimate plain_exchange(const Estimate& first_s, const Estimate& second_s, const Clusters& clusters,
                        const HockneyFit& inter_cluster, double size_bytes) {
    const auto time_s = [&](double Estimate::*end) {
        return two_clusters_plain_time_s(first_s.*end, second_s.*end, clusters.size(0),
                                         clusters.size(1), at_end(inter_cluster, end), size_bytes);
    };
    return {time_s(&Estimate::value), time_s(&Estimate::low), time_s(&Estimate::high)};
}

/// By the model in each of one or two clusters. Fails for more.
Result<Estimate> by_clusters(const Network& network, const Clusters& clusters, double size_bytes,
                             const CostModel& model, double bound_s) {
    if (clusters.count() > 2)
        return refused(fmt::format("no closed form for the {} clusters of {}; the lower bound at "
                                   "{} is {}",
                                   clusters.count(), clusters.text(), format_size(size_bytes),
                                   format_time(bound_s)));
    const auto first_s = model.library_in_cluster(network, clusters.size(0), size_bytes);
    if (clusters.count() == 1)
        return first_s;
    return plain_exchange(first_s, model.library_in_cluster(network, clusters.size(1), size_bytes),
                          clusters, *network.inter_cluster, size_bytes);
}

} // namespace

Result<Prediction> predict_alltoall(const Network& network, const Clusters& clusters,
                                    double size_bytes, const CostModel& model) {
    if (auto known = check_parameters(network, clusters, model); !known)
        return known.error();
    Prediction prediction;
    prediction.model = model.name;
    set_bounds(prediction, network, clusters, size_bytes);
    const auto time_s = model.library
                            ? model.library(network, clusters, size_bytes)
                            : by_clusters(network, clusters, size_bytes, model, prediction.bound_s);
    if (!time_s)
        return time_s.error();
    prediction.time_s = *time_s;
    if (model.library_caveats)
        prediction.caveats = model.library_caveats(network, clusters, size_bytes);
    if (model.library)
        return prediction;
    if (clusters.count() > 1)
        prediction.caveats.emplace_back("SMT equation 6 knows no contention between the clusters; "
                                        "its authors report that it fails for the plain exchange");
    if (!network.assumed.empty())
        prediction.caveats.push_back("assumed: " + network.assumed);
    return prediction;
}

} // namespace alltold

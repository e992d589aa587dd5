// SPDX-License-Identifier: BSD-3-Clause
// One cluster, two clusters, and the bounds beside them.
#include "predict/alltoall_prediction.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/linear.hpp"
#include "network/two_clusters.hpp"
#include "predict/bounds.hpp"
#include "predict/congestion_prediction.hpp"

namespace alltold {
namespace {

/// Fails where a parameter the model reads is not in the profile.
Status check_parameters(const Network& network, const Clusters& clusters,
                        const AlltoallModel& model) {
    if (!network.local && !network.alltoall)
        return bad_input("has neither alpha and beta nor a signature, which the MPI library's "
                         "all-to-all needs; try --algorithm all");
    if (model.needs == AlltoallModel::Needs::signature && !network.alltoall)
        return bad_input(fmt::format("has no contention signature, which model '{}' needs; try "
                                     "--model linear",
                                     model.name));
    if (clusters.count() > 1 && !network.wide)
        return bad_input(fmt::format(
            "has no alpha and beta between clusters, which clusters {} need", clusters.text()));
    return Done{};
}

/// The bounds of SMT07 proposition 1 and of the busiest host, both with the faster of the two
/// networks, since only part of the messages cross; across clusters also one wide message.
void set_bounds(Prediction& prediction, const Network& network, const Clusters& clusters,
                double size_bytes) {
    auto fastest = local_network(network).model();
    double crossing_s = 0;
    if (clusters.count() > 1) {
        const auto wide = network.wide->model();
        crossing_s = wide.time_s(size_bytes);
        fastest = {std::min(fastest.alpha_s, wide.alpha_s),
                   std::min(fastest.beta_s_per_byte, wide.beta_s_per_byte)};
    }
    prediction.bound_s = std::max(linear_time_s(fastest, clusters.ranks(), size_bytes), crossing_s);
    prediction.nic_bound_s =
        alltoall_nic_bound_s(clusters.ranks(), size_bytes, 1 / fastest.beta_s_per_byte);
}

void set_time(Prediction& prediction, const Estimate& time_s) {
    prediction.time_s = time_s.value;
    prediction.low_s = time_s.low;
    prediction.high_s = time_s.high;
}

/// SMT equation 6, and its ends where both networks are at the ends of their intervals.
Estimate plain_exchange(const Estimate& first_s, const Estimate& second_s, const Clusters& clusters,
                        const HockneyFit& wide, double size_bytes) {
    const auto time_s = [&](double Estimate::*end) {
        return two_clusters_plain_time_s(
            first_s.*end, second_s.*end, clusters.size(0), clusters.size(1),
            {std::max(0.0, wide.alpha_s.*end), std::max(0.0, wide.beta_s_per_byte.*end)},
            size_bytes);
    };
    return {time_s(&Estimate::value), time_s(&Estimate::low), time_s(&Estimate::high)};
}

void add_caveats(Prediction& prediction, const Network& network, const Clusters& clusters,
                 double size_bytes, const AlltoallModel& model) {
    if (model.needs == AlltoallModel::Needs::signature)
        prediction.caveats = signature_caveats(
            *network.alltoall, *std::ranges::max_element(clusters.sizes()), size_bytes);
    if (clusters.count() > 1)
        prediction.caveats.emplace_back("SMT equation 6 knows no contention between the clusters; "
                                        "its authors report that it fails for the plain exchange");
    if (!network.assumed.empty())
        prediction.caveats.push_back("assumed: " + network.assumed);
}

Result<Prediction> by_congestion(Prediction prediction, const Network& network,
                                 const Clusters& clusters, double size_bytes) {
    const auto time_s = congested_estimate(network, clusters, size_bytes);
    if (!time_s)
        return time_s.error();
    set_time(prediction, *time_s);
    prediction.caveats = congestion_caveats(*network.congestion, clusters, size_bytes);
    return prediction;
}

} // namespace

Result<Prediction> predict_alltoall(const Network& network, const Clusters& clusters,
                                    double size_bytes, const AlltoallModel& model) {
    if (auto known = check_parameters(network, clusters, model); !known)
        return known.error();
    Prediction prediction;
    prediction.model = model.name;
    set_bounds(prediction, network, clusters, size_bytes);
    if (model.needs == AlltoallModel::Needs::congestion)
        return by_congestion(std::move(prediction), network, clusters, size_bytes);
    if (clusters.count() > 2)
        return refused(fmt::format("no closed form for the {} clusters of {}; the lower bound at "
                                   "{} is {}",
                                   clusters.count(), clusters.text(), format_size(size_bytes),
                                   format_time(prediction.bound_s)));
    const auto first_s = model.time_s(network, clusters.size(0), size_bytes);
    if (clusters.count() == 1)
        set_time(prediction, first_s);
    else
        set_time(prediction,
                 plain_exchange(first_s, model.time_s(network, clusters.size(1), size_bytes),
                                clusters, *network.wide, size_bytes));
    add_caveats(prediction, network, clusters, size_bytes, model);
    return prediction;
}

} // namespace alltold

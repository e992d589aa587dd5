// SPDX-License-Identifier: BSD-3-Clause
// The cluster model's parameters, under TW99's names, each from its probe; and TW99's own equations
// of a broadcast and a gather, beside the simulated cluster model.
#include "network/cluster/equations.hpp"
#include "network/cluster/transfer_fit.hpp"
#include "network/json/fields.hpp"
#include "network/links/port_fit.hpp"

namespace alltold {

/// M_mtm, under names of its own.
struct CopyTime {
    Hockney& line;
};

static void members(JsonMembers& json, CopyTime& copy) {
    json("base_s", copy.line.alpha_s, in_seconds);
    json("slope_s_per_byte", copy.line.beta_s_per_byte, from_zero);
}

/// A regression may put the base below 0 and still give times above it.
static void members(JsonMembers& json, LoadedTransfer& transfer) {
    json("base_s", transfer.base_s, any_number);
    json("per_process_s", transfer.per_process_s, any_number);
    json("beta_s_per_byte", transfer.beta_s_per_byte, from_zero);
    json("capacity_bytes_per_s", transfer.capacity_bytes_per_s, from_zero);
}

static void members(JsonMembers& json, ClusterModel& cluster) {
    json("O_s", cluster.O_s);
    json("T_s", cluster.T_s);
    json("g_s", cluster.g_s, true);
    json("g_r", cluster.g_r, true);
    json("O_r", cluster.O_r);
    json("U_r_s", cluster.U_r_s, in_seconds);
    json("L", cluster.L);
    json("buffer_bytes", cluster.buffer_bytes, in_bytes);
    json("packet_bytes", cluster.packet_bytes, in_bytes);
    CopyTime copy{cluster.copy_memory_to_memory};
    json("M_mtm", copy);
    json.unless(0., "timeout_s", cluster.timeout_s, in_seconds);
    for (const char* from_cache : {"M_ctc", "M_ctm"}) // younger profiles leave them out
        json.part(
            from_cache, [] { return nlohmann::ordered_json(); }, [](const JsonCursor&) {}, true);
}

namespace {

Result<SizeCurve> fit_trains(const Fitting& fitting, std::string_view probe,
                             std::string_view what) {
    std::vector<Train> trains;
    for (const auto* samples : fitting.sampled(probe)) {
        const Point& point = samples->point;
        const int senders = point.first_rank >= 0 ? 1 : point.n() - 1;
        if (auto series = series_of(*samples); series.fitted())
            trains.push_back({senders * point.count, std::move(series)});
    }
    return fit_gap(trains, what, fitting.seed);
}

/// O_r(m), whose samples are 0 if no effect was visible.
Result<SizeCurve> fit_background(const Fitting& fitting) {
    auto all = fitting.series("background");
    for (auto& series : all) {
        if (median(series.times_s) <= 0)
            return refused("asynchronous receive: arriving messages do not slow a computation "
                           "by more than its own scatter");
        for (double& time_s : series.times_s)
            time_s = std::max(time_s, 1e-9);
    }
    return fit_curve(all, "asynchronous receive", fitting.seed);
}

/// The other two copies of TW99, from cache, say nothing of what a message brings.
Result<Hockney> fit_copy(const Fitting& fitting) {
    const auto from_memory = [](const Point& point) {
        return point.algorithm == "memory_to_memory";
    };
    ALLTOLD_TRY(fit, fit_hockney(fitting.series("copy", from_memory), fitting.seed));
    return fit->model();
}

Result<double> fit_fetch(const Fitting& fitting) {
    std::vector<double> medians;
    for (const auto& series : fitting.series("fetch"))
        medians.push_back(median(series.times_s));
    if (medians.empty())
        return refused("user receive: not measured");
    // One number for all sizes, as in the paper.
    return median(medians);
}

void fit_pairs(Fitting& fitting, ClusterModel& cluster) {
    if (const auto fit = fit_transfer(fitting.series("pairs"), cluster))
        cluster.L = fit->transfer;
    else
        fitting.refuse("L", fit.error().message);
}

Estimate equation(const Network& network, const Clusters& clusters, std::string_view algorithm,
                  double size_bytes) {
    const auto& cluster = *network.cluster;
    const auto packets = cluster.packets_of(size_bytes);
    auto* time_s = algorithm == "gather.windowed" ? cluster_gather_s : cluster_broadcast_s;
    return Estimate::exact(time_s(cluster, clusters.ranks(), packets.count, packets.size_bytes));
}

/// Sets `network.cluster` from the probes of TW99's parameters: g_s and g_r from trains, without
/// which there is no model; the others if the samples allow, else refused by name and set to 0.
/// L(m, p) excludes the other parameters as far as they are known.
void fit_cluster(Fitting& fitting) {
    if (fitting.sampled("converge").empty())
        return;
    const auto send_gap = fit_trains(fitting, "train", "send gap");
    const auto receive_gap = fit_trains(fitting, "converge", "receive gap");
    for (const auto* gap : {&send_gap, &receive_gap})
        if (!*gap) {
            fitting.refuse("cluster", gap->error().message);
            return;
        }
    ClusterModel cluster;
    cluster.g_s = *send_gap;
    cluster.g_r = *receive_gap;
    fitting.place("O_s", fitting.curve("send_overhead", "send overhead"), cluster.O_s);
    fitting.place("T_s", fitting.curve("send_call", "send call"), cluster.T_s);
    fitting.place("O_r", fit_background(fitting), cluster.O_r);
    fitting.place("U_r", fit_fetch(fitting), cluster.U_r_s);
    fitting.place("M_mtm", fit_copy(fitting), cluster.copy_memory_to_memory);
    fit_pairs(fitting, cluster);
    if (fitting.network.links && fitting.network.links->port.queue_bytes > 0) {
        cluster.buffer_bytes = fitting.network.links->port.queue_bytes;
        cluster.packet_bytes = flood_packet_bytes;
        cluster.timeout_s = fitting.network.links->timeout_s;
    }
    fitting.network.cluster = std::move(cluster);
}

} // namespace

namespace models {
extern const CostModel cluster{
    .name = "cluster",
    .source = "TW99 section 3",
    .help = "algorithms within one cluster, simulated with the overheads of hosts and their switch",
    .fitted_after = {"links"},
    .fit = fit_cluster,
    .fields = {parameter_field<&Network::cluster>("cluster_model")},
    .lacks = [](const Network& network) -> std::string {
        return network.cluster ? "" : "a cluster model";
    },
    .queue_bytes = [](const Network& network) { return network.cluster->buffer_bytes; },
    .simulated = [](const Network& network,
                    bool) { return std::vector<Simulated>{*network.cluster}; },
};

extern const CostModel tw99{
    .name = "tw99",
    .source = "TW99 equations 2 and 8",
    .help = "bcast.binomial_segmented and gather.windowed by the cluster model's equations",
    .lacks = [](const Network& network) -> std::string {
        return network.cluster ? "" : "a cluster model";
    },
    .unfit = [](const Network&, const Clusters& clusters,
                std::string_view algorithm) -> std::string {
        return clusters.count() == 1 &&
                       (algorithm == "gather.windowed" || algorithm == "bcast.binomial_segmented")
                   ? ""
                   : "TW99 equations 2 and 8 hold only for bcast.binomial_segmented and "
                     "gather.windowed on one cluster";
    },
    .algorithm = equation,
    .algorithm_caveat = "TW99's segments are packets, whatever the segment; a windowed gather is "
                        "assumed neither to idle nor to lose",
};
} // namespace models

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The cluster model's parameters, under TW99's names.
#include "network/cost_model.hpp"
#include "network/json/fields.hpp"

namespace alltold {

void fit_cluster(Fitting& fitting); // fit_cluster.cpp

namespace {

using nlohmann::ordered_json;

ordered_json copy_to_json(const Hockney& copy) {
    return {{"base_s", copy.alpha_s}, {"slope_s_per_byte", copy.beta_s_per_byte}};
}

Hockney read_copy(JsonCursor at) {
    const Hockney copy{at.member("base_s").number(in_seconds),
                       at.member("slope_s_per_byte").number(from_zero)};
    at.only({"base_s", "slope_s_per_byte"});
    return copy;
}

ordered_json transfer_to_json(const LoadedTransfer& transfer) {
    return {{"base_s", transfer.base_s},
            {"per_process_s", transfer.per_process_s},
            {"beta_s_per_byte", transfer.beta_s_per_byte},
            {"capacity_bytes_per_s", transfer.capacity_bytes_per_s}};
}

LoadedTransfer read_transfer(JsonCursor at) {
    // A regression may put the base below 0 and still give times above it.
    const LoadedTransfer transfer{at.member("base_s").number(any_number),
                                  at.member("per_process_s").number(any_number),
                                  at.member("beta_s_per_byte").number(from_zero),
                                  at.member("capacity_bytes_per_s").number(from_zero)};
    at.only({"base_s", "per_process_s", "beta_s_per_byte", "capacity_bytes_per_s"});
    return transfer;
}

ordered_json to_json(const ClusterModel& cluster) {
    ordered_json json{{"O_s", to_json(cluster.O_s)},
                      {"T_s", to_json(cluster.T_s)},
                      {"g_s", to_json(cluster.g_s)},
                      {"g_r", to_json(cluster.g_r)},
                      {"O_r", to_json(cluster.O_r)},
                      {"U_r_s", cluster.U_r_s},
                      {"L", transfer_to_json(cluster.L)},
                      {"buffer_bytes", cluster.buffer_bytes},
                      {"packet_bytes", cluster.packet_bytes},
                      {"M_mtm", copy_to_json(cluster.copy_memory_to_memory)}};
    if (cluster.timeout_s > 0)
        json["timeout_s"] = cluster.timeout_s;
    return json;
}

ClusterModel read_cluster(JsonCursor at) {
    ClusterModel cluster;
    cluster.O_s = read_curve(at.member("O_s"));
    cluster.T_s = read_curve(at.member("T_s"));
    cluster.g_s = read_curve(at.member("g_s"));
    cluster.g_r = read_curve(at.member("g_r"));
    cluster.O_r = read_curve(at.member("O_r"));
    cluster.U_r_s = at.member("U_r_s").number(in_seconds);
    cluster.L = read_transfer(at.member("L"));
    cluster.buffer_bytes = at.member("buffer_bytes").number(in_bytes);
    cluster.packet_bytes = at.member("packet_bytes").number(in_bytes);
    if (auto timeout = at.optional_member("timeout_s"))
        cluster.timeout_s = timeout->number(in_seconds);
    cluster.copy_memory_to_memory = read_copy(at.member("M_mtm"));
    require_points(at.member("g_s"), cluster.g_s);
    require_points(at.member("g_r"), cluster.g_r);
    at.only({"O_s", "T_s", "g_s", "g_r", "O_r", "U_r_s", "L", "buffer_bytes", "packet_bytes",
             "timeout_s", "M_ctc", "M_ctm", "M_mtm"});
    return cluster;
}

} // namespace

namespace models {
extern const CostModel cluster{
    .name = "cluster",
    .source = "TW99 section 3",
    .help = "algorithms within one cluster, simulated with the overheads of hosts and their switch",
    .preference = 40,
    .fitted_after = {"links"},
    .fit = fit_cluster,
    .fields = {{"cluster_model",
                [](const Network& network) { return json_or_null(network.cluster, to_json); },
                [](Network& network, JsonCursor at) { network.cluster = read_cluster(at); }}},
    .lacks = [](const Network& network) -> std::string {
        return network.cluster ? "" : "a cluster model";
    },
    .queue_bytes = [](const Network& network) { return network.cluster->buffer_bytes; },
    .simulated = [](const Network& network,
                    bool) { return std::vector<Simulated>{*network.cluster}; },
};
} // namespace models

} // namespace alltold

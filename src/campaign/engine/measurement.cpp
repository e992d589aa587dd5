// SPDX-License-Identifier: BSD-3-Clause
// Measurements as JSON.
#include "campaign/engine/measurement.hpp"

#include <nlohmann/json.hpp>

namespace alltold::campaign {

std::string message_of(const Order& order) {
    const auto& [point, root, repetitions, limit_s, start_mode, warm, verify, pattern, trace] =
        order.measurement;
    const nlohmann::json json{static_cast<int>(order.what),
                              static_cast<int>(order.status),
                              point.probe,
                              point.algorithm,
                              point.clusters.text(),
                              point.size_bytes,
                              point.first_rank,
                              point.second_rank,
                              point.count,
                              root,
                              repetitions,
                              limit_s,
                              static_cast<int>(start_mode),
                              warm,
                              verify,
                              pattern,
                              trace};
    return json.dump();
}

Order order_in(std::string_view message) {
    const auto json = nlohmann::json::parse(message);
    std::size_t at = 0;
    const auto next = [&](auto& into) { json[at++].get_to(into); };
    const auto next_enum = [&](auto& into) {
        into = static_cast<std::remove_reference_t<decltype(into)>>(json[at++].get<int>());
    };
    Order order;
    auto& [point, root, repetitions, limit_s, start_mode, warm, verify, pattern, trace] =
        order.measurement;
    std::string clusters;
    next_enum(order.what);
    next_enum(order.status);
    next(point.probe);
    next(point.algorithm);
    next(clusters);
    point.clusters = *Clusters::parse(clusters);
    next(point.size_bytes);
    next(point.first_rank);
    next(point.second_rank);
    next(point.count);
    next(root);
    next(repetitions);
    next(limit_s);
    next_enum(start_mode);
    next(warm);
    next(verify);
    next(pattern);
    next(trace);
    return order;
}

} // namespace alltold::campaign

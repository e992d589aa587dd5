// SPDX-License-Identifier: BSD-3-Clause
// The contention signature as in SMT07, figures 1 to 4.
#include <fmt/format.h>

#include "core/units.hpp"
#include "report/page/figures.hpp"

namespace alltold {
namespace {

struct Shown {
    std::string_view model; ///< the registry's name; empty: measured
    std::string_view name;  ///< the page's
};

constexpr std::array shown_models{Shown{"", "lower bound"}, Shown{"gamma", "SMT07 equation 4"},
                                  Shown{"signature", "SMT07 equation 5"},
                                  Shown{"congestion", "congestion model"}};

/// Seconds by one of them; nothing where the network lacks its parameters.
std::optional<double> time_s(const Network& network, const Shown& shown, const Clusters& clusters,
                             double size_bytes) {
    if (shown.model.empty()) {
        if (!network.local)
            return std::nullopt;
        return (clusters.ranks() - 1) * network.local->model().time_s(size_bytes);
    }
    const auto model = library_model(shown.model);
    if (!model || !check_model(**model, network, clusters, "mpi"))
        return std::nullopt;
    if ((*model)->library_in_cluster)
        return (*model)->library_in_cluster(network, 0, clusters.ranks(), size_bytes).value;
    const auto time = (*model)->library(network, clusters, size_bytes);
    return time ? std::optional(time->value) : std::nullopt;
}

std::string saturation_text(const SignatureFit& fit) {
    const char* verdict = fit.saturation == Saturation::saturated ? "The network is saturated"
                          : fit.saturation == Saturation::not_saturated
                              ? "The network is not saturated"
                              : "Whether the network is saturated is not known";
    auto text = fmt::format("Fitted at n = {}: gamma {:.2f}", fit.reference_n, fit.gamma.value);
    if (fit.delta_s.value > 0)
        text += fmt::format(", delta {} from {} on", format_time(fit.delta_s.value),
                            format_size(fit.threshold_bytes.value));
    return text + fmt::format(". {}: {}.", verdict, fit.saturation_reason);
}

const std::vector<Column> call_columns{
    {"ranks", "n"},           {"size_bytes", "m", "B"},
    {"series", "series"},     {"time_s", "time", "s"},
    {"low_s", "low", "s"},    {"high_s", "high", "s"},
    {"held_out", "held out"}, {"over_lower", "over lower bound", "ratio"}};

} // namespace

std::vector<Figure> signature_figures(const PageInput& input) {
    const auto& network = input.predicting ? *input.predicting : input.fitted.network;
    std::string why = "the library's all-to-all was not measured within one cluster.";
    for (const auto& refusal : input.fitted.refused)
        if (refusal.what == "alltoall")
            why = refusal.reason + ".";
    Figure times{
        .id = "signature-times",
        .chart = "signature_times",
        .title = "All-to-all in one cluster: measured and models",
        .text =
            "Time of the library's all-to-all against the size per pair, as in SMT07, figures 1 to "
            "3, with the models' equations; the lower bound is (n-1)(alpha + beta m). " +
            (network.alltoall ? saturation_text(*network.alltoall)
                              : "No contention signature: " + why) +
            (input.predicting ? " The models are those that predicted the held-out calls." : ""),
        .columns = call_columns,
        .filters = {"ranks"}};
    Figure growth{.id = "signature-growth",
                  .chart = "signature_growth",
                  .title = "Where saturation begins",
                  .text =
                      "Measured time of the same calls over the time without contention, against "
                      "the number of hosts. It stops growing where the network is saturated.",
                  .columns = call_columns};
    Figure by_size{.id = "signature-error-size",
                   .chart = "signature_error_size",
                   .title = "Error of the models against size",
                   .text = "(predicted - measured) / measured of each model, as in SMT07, figure "
                           "4. Hollow marks are points that the model was not fitted to; the lower "
                           "bound is fitted to ping-pongs alone.",
                   .columns = {{"model", "model"},
                               {"ranks", "n"},
                               {"size_bytes", "m", "B"},
                               {"error", "error", "share"},
                               {"held_out", "held out"}},
                   .filters = {"model"}};
    for (const auto& point : input.validation.points) {
        // The models know the usual start only.
        if (point.collective != Collective::alltoall || point.start_mode ||
            point.clusters.count() != 1)
            continue;
        const auto size = static_cast<double>(point.size_bytes);
        const auto lower = time_s(network, shown_models.front(), point.clusters, size);
        nlohmann::ordered_json row{point.n(), point.size_bytes, "measured"};
        append(row, point.measured_s);
        const auto held_out = [&](const Shown& shown) {
            return !was_fitted_to(network, shown.model, point.clusters, size);
        };
        row.push_back(std::ranges::all_of(shown_models, held_out));
        row.push_back(lower ? number_or_null(point.measured_s.value / *lower) : nullptr);
        times.rows.push_back(row);
        if (lower)
            growth.rows.push_back(row);
        for (const auto& shown : shown_models)
            if (const auto model_s = time_s(network, shown, point.clusters, size)) {
                times.rows.push_back({point.n(), point.size_bytes, shown.name,
                                      number_or_null(*model_s), nullptr, nullptr, held_out(shown),
                                      lower ? number_or_null(*model_s / *lower) : nullptr});
                by_size.rows.push_back({shown.name, point.n(), point.size_bytes,
                                        number_or_null(*model_s / point.measured_s.value - 1),
                                        held_out(shown)});
            }
    }
    Figure by_ranks = by_size;
    by_ranks.id = "signature-error-ranks";
    by_ranks.chart = "signature_error_ranks";
    by_ranks.title = "Error of the models against the number of hosts";
    std::vector<Figure> figures{std::move(times), std::move(growth), std::move(by_size),
                                std::move(by_ranks)};
    for (auto& figure : figures)
        if (figure.rows.empty())
            figure.missing = "Not known: " + why;
    return figures;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Measured and predicted times per algorithm.
#include "report/page/figures.hpp"

namespace alltold {
namespace {

/// Without parameters: one line of the chart for every window and segment would hide the rest.
std::string plain_name(const std::string& algorithm) {
    const auto choice = parse_choice(algorithm);
    return choice ? algorithm_name(*choice) : algorithm;
}

void add_rows(Figure& figure, const std::vector<ValidatedPoint>& points, StartMode usual) {
    for (const auto& point : points) {
        nlohmann::ordered_json row{std::string(name_of(point.collective)),
                                   std::string(name_of(point.start_mode.value_or(usual))),
                                   point.clusters.count(),
                                   point.clusters.text(),
                                   point.n(),
                                   point.size_bytes,
                                   plain_name(point.algorithm),
                                   point.algorithm};
        append(row, point.measured_s);
        append(row, point.predicted.time_s);
        row.push_back(number_or_null(point.error()));
        row.push_back(!point.fitted);
        row.push_back(point.repetitions);
        figure.rows.push_back(std::move(row));
    }
}

/// The errors of every model of the papers that can time an algorithm, best first.
Figure model_errors(const std::vector<AlgorithmErrors>& errors) {
    Figure figure{.id = "algorithms-models",
                  .chart = "",
                  .title = "Which model predicts which algorithm",
                  .text = "Median and largest error of each model on the measured calls of an "
                          "algorithm, without corrections. None was fitted to them.",
                  .columns = {{"algorithm", "algorithm"},
                              {"where", "measured on"},
                              {"calls", "calls"},
                              {"model", "model"},
                              {"median_error", "median error", "share"},
                              {"worst_error", "largest", "share"}},
                  .missing = "No algorithm was measured that two models can time."};
    for (const auto& row : errors)
        for (const auto& model : row.models)
            figure.rows.push_back({row.algorithm,
                                   row.several_clusters ? "several clusters" : "one cluster",
                                   row.calls, model.name, number_or_null(model.leave_one_out),
                                   number_or_null(model.leave_one_out_worst)});
    return figure;
}

} // namespace

std::vector<Figure> algorithm_figures(const PageInput& input) {
    Figure by_size{.id = "algorithms-size",
                   .chart = "algorithms_size",
                   .title = "Every algorithm: measured and predicted, against size",
                   .text = "Marks are measured medians with 95 % intervals, lines are predictions. "
                           "mpi is the library's own choice. Hollow marks were predicted before "
                           "they were measured, or held out of the fit.",
                   .columns = {{"collective", "call"},
                               {"start", "after"},
                               {"cluster_count", "clusters"},
                               {"clusters", "hosts"},
                               {"ranks", "n"},
                               {"size_bytes", "m", "B"},
                               {"algorithm", "algorithm"},
                               {"choice", "with parameters"},
                               {"time_s", "measured", "s"},
                               {"low_s", "low", "s"},
                               {"high_s", "high", "s"},
                               {"predicted_s", "predicted", "s"},
                               {"predicted_low_s", "low", "s"},
                               {"predicted_high_s", "high", "s"},
                               {"error", "error", "share"},
                               {"held_out", "held out"},
                               {"repetitions", "repetitions"}},
                   .filters = {"collective", "start", "clusters"},
                   .missing = "No collective was measured."};
    const auto usual = input.fitted.provenance.start_mode;
    add_rows(by_size, input.validation.points, usual);
    add_rows(by_size, input.validation.ours, usual);
    Figure by_ranks = by_size;
    by_ranks.id = "algorithms-ranks";
    by_ranks.chart = "algorithms_ranks";
    by_ranks.title = "Every algorithm: measured and predicted, against hosts";
    by_ranks.text =
        "The same at one size and a fixed number of clusters, against the number of hosts.";
    by_ranks.filters = {"collective", "start", "cluster_count", "size_bytes"};
    return {std::move(by_size), std::move(by_ranks), model_errors(input.fitted.algorithm_errors)};
}

} // namespace alltold

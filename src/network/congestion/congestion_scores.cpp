// SPDX-License-Identifier: BSD-3-Clause
// Leave one n, leave one m.
#include "network/congestion/congestion_scores.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "core/median.hpp"
#include "network/congestion/congestion_core.hpp"
#include "network/congestion/congestion_timeouts.hpp"
#include "network/signature/fit_paper_models.hpp"
#include "network/signature/model_scores.hpp"

namespace alltold {
namespace {

/// The papers' models as fitted to some points of one n.
PaperModels fit_papers(std::span<const CongestedSeries> rest, const Hockney& network) {
    std::map<int, std::map<double, std::vector<double>>> by_ranks;
    for (const auto& series : rest)
        by_ranks[series.call.n][series.call.size_bytes] = series.times_s;
    // The largest n on which there is a slope to fit.
    std::erase_if(by_ranks, [](const auto& row) { return row.second.size() < 2; });
    PaperModels without_contention;
    without_contention.buses = 1;
    if (by_ranks.empty())
        return without_contention;
    const auto& [n, by_size] = *by_ranks.rbegin();
    std::vector<double> sizes;
    const auto count = static_cast<Eigen::Index>(by_size.size());
    Eigen::VectorXd excess(count);
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(count, count);
    for (const auto& [size_bytes, times_s] : by_size) {
        const auto i = static_cast<Eigen::Index>(sizes.size());
        const double centre_s = median(times_s);
        const double error_s = std::max(0.01 * centre_s, median_standard_error(times_s));
        excess(i) = centre_s / (n - 1) - network.alpha_s;
        covariance(i, i) = std::pow(error_s / (n - 1), 2);
        sizes.push_back(size_bytes);
    }
    const StepFit fit(sizes, covariance);
    return fit_paper_models(fit, excess, network, n, nullptr);
}

/// Everything anew: which repetitions met a time-out (with the M of all points to begin with), the
/// form, M and the coefficients.
CongestionFit refit(const CongestionFit& fit, std::span<const CongestedSeries> rest,
                    const CongestionPrior& prior) {
    auto fold = fit;
    const auto points = fit_timeouts(fold, rest, prior.timeout_s);
    return choose_core(fold, points) ? fold : fit;
}

} // namespace

std::vector<ModelScore> score_congestion(const CongestionFit& fit,
                                         std::span<const CongestedSeries> measured,
                                         const CongestionPrior& prior) {
    std::vector<std::vector<double>> errors;
    std::vector<CorePoint> points;
    for (const auto& [call, times_s] : measured)
        points.push_back({call, median(times_s)});
    const auto network = prior.network.model();
    for (const auto& left_out : folds(points)) {
        std::vector<CongestedSeries> rest;
        for (std::size_t i = 0; i < measured.size(); ++i)
            if (std::ranges::find(left_out, i) == left_out.end())
                rest.push_back(measured[i]);
        const auto fold = refit(fit, rest, prior);
        const auto papers = prior.one_cluster ? fit_papers(rest, network) : PaperModels{};
        for (const auto i : left_out) {
            const auto& [call, centre_s] = points[i];
            std::vector<double> predicted_s{fold.time(call).quantile(0.5)};
            if (prior.one_cluster)
                std::ranges::copy(paper_times_s(papers, network, nullptr, call.n, call.size_bytes),
                                  std::back_inserter(predicted_s));
            errors.resize(predicted_s.size());
            for (std::size_t model = 0; model < errors.size(); ++model)
                errors[model].push_back(std::abs(predicted_s[model] / centre_s - 1));
        }
    }
    std::vector<ModelScore> scores{{"congestion"}};
    while (scores.size() < errors.size())
        scores.push_back({std::string(paper_model_names[scores.size() - 1])});
    return scored_by(std::move(scores), errors);
}

} // namespace alltold

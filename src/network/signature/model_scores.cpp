// SPDX-License-Identifier: BSD-3-Clause
// Leave-one-out over the sizes.
#include "network/signature/model_scores.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/median.hpp"
#include "network/clement/clement.hpp"
#include "network/gamma/contention_ratio.hpp"
#include "network/linear/linear.hpp"
#include "network/signature/paper_contention.hpp"

namespace alltold {
namespace {

/// Signature and gamma-only model fitted without one size.
PaperContention fit_without(std::size_t left_out, std::span<const Cell> cells, int n,
                            const Hockney& network, const Eigen::MatrixXd& covariance) {
    std::vector<double> sizes;
    std::vector<Eigen::Index> kept;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (i != left_out) {
            sizes.push_back(cells[i].size_bytes);
            kept.push_back(static_cast<Eigen::Index>(i));
        }
    Eigen::VectorXd excess(static_cast<Eigen::Index>(kept.size()));
    for (Eigen::Index i = 0; i < excess.size(); ++i)
        excess(i) =
            cells[static_cast<std::size_t>(kept[static_cast<std::size_t>(i)])].centre_s / (n - 1) -
            network.alpha_s;
    const StepFit fit(sizes, covariance(kept, kept));
    return paper_contention(fit, excess, network.beta_s_per_byte);
}

} // namespace

std::vector<ModelScore> score_models(std::span<const Cell> cells, int n, const Hockney& network,
                                     const Eigen::MatrixXd& covariance) {
    std::vector<ModelScore> scores{{"signature"}, {"gamma"}, {"linear"}, {"clement"}};
    std::vector<std::vector<double>> errors(scores.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const double m = cells[i].size_bytes;
        const auto refitted = fit_without(i, cells, n, network, covariance);
        const double predicted_s[] = {alltoall_time_s(network, refitted.signature, n, m),
                                      contention_ratio_time_s(network, refitted.gamma, n, m),
                                      linear_time_s(network, n, m), clement_time_s(network, n, m)};
        for (std::size_t model = 0; model < scores.size(); ++model)
            errors[model].push_back(std::abs(predicted_s[model] / cells[i].centre_s - 1));
    }
    return scored_by(std::move(scores), errors);
}

std::vector<ModelScore> scored_by(std::vector<ModelScore> scores,
                                  std::span<const std::vector<double>> errors) {
    for (std::size_t model = 0; model < scores.size(); ++model) {
        scores[model].leave_one_out = median(errors[model]);
        scores[model].leave_one_out_worst = std::ranges::max(errors[model]);
    }
    std::ranges::stable_sort(scores, {}, [](const ModelScore& score) {
        return std::tuple(score.leave_one_out, score.leave_one_out_worst);
    });
    return scores;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// One least squares problem per model.
#include "network/signature/fit_paper_models.hpp"

#include <algorithm>
#include <cmath>

#include "network/bm04/fit_gamma.hpp"

namespace alltold {
namespace {

Signature signature_of(const StepSolution& solution, double gamma, const StepFit& fit) {
    return {gamma, solution.delta_s, solution.step ? fit.sizes()[*solution.step] : 0};
}

} // namespace

PaperModels fit_paper_models(const StepFit& fit, const Eigen::VectorXd& excess,
                             const Hockney& network, int n, const PLogP* plogp) {
    const double beta = network.beta_s_per_byte;
    const Eigen::VectorXd bytes_s =
        beta * Eigen::Map<const Eigen::VectorXd>(fit.sizes().data(), excess.size());
    const Eigen::VectorXd message_s = excess.array() + network.alpha_s;
    PaperModels models;
    const auto chosen = fit.choose(excess, beta);
    models.signature = signature_of(chosen, chosen.slope / beta, fit);
    models.gamma = std::max(1.0, fit.factor(excess, bytes_s));
    models.slowdown =
        std::max(1.0, fit.factor(message_s, (bytes_s.array() + network.alpha_s).matrix()));
    // n(n-1)/b waves are n-1 messages one after the other, stretched by n/b.
    models.buses = std::max(1.0, std::round(n / models.slowdown));
    models.latency = signature_of(fit.step_alone(excess - bytes_s), 1, fit);
    if (plogp)
        models.bm04_gamma = fit_bm04_gamma(fit, message_s, *plogp, n);
    return models;
}

} // namespace alltold

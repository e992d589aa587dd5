// SPDX-License-Identifier: BSD-3-Clause
// Leave-one-out over the sizes.
#include "network/signature/model_errors.hpp"

#include <cmath>

#include "network/signature/alltoall_run.hpp"
#include "network/signature/with_errors.hpp"

namespace alltold {
namespace {

PaperModels fit_without(std::size_t left_out, const SignatureProblem& problem, int n,
                        const PLogP* plogp) {
    std::vector<double> sizes;
    std::vector<Eigen::Index> kept;
    for (std::size_t i = 0; i < problem.sizes().size(); ++i)
        if (i != left_out) {
            sizes.push_back(problem.sizes()[i]);
            kept.push_back(static_cast<Eigen::Index>(i));
        }
    const StepFit fit(sizes, problem.covariance()(kept, kept));
    const Eigen::VectorXd excess_s = problem.measured_excess()(kept);
    const auto network = problem.network().model();
    return fit_paper_models({fit, excess_s, network, n, plogp});
}

} // namespace

std::vector<ModelError> errors_of_models(const SignatureProblem& problem, int n,
                                         const PLogP* plogp) {
    std::vector<ModelError> models;
    std::vector<std::vector<double>> errors;
    for (std::size_t i = 0; i < problem.sizes().size(); ++i) {
        const auto times_s = paper_times_s(fit_without(i, problem, n, plogp),
                                           problem.network().model(), plogp, n, problem.sizes()[i]);
        errors.resize(times_s.size());
        models.resize(times_s.size());
        for (std::size_t model = 0; model < times_s.size(); ++model) {
            models[model].name = times_s[model].model;
            errors[model].push_back(
                std::abs(times_s[model].time_s / problem.cells()[i].centre_s - 1));
        }
    }
    return with_errors(std::move(models), errors);
}

} // namespace alltold

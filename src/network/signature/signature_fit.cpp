// SPDX-License-Identifier: BSD-3-Clause
#include "network/signature/signature_fit.hpp"

#include <tuple>

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/signature/saturation.hpp"
#include "network/signature/signature_problem.hpp"

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

/// Leaves out each size in turn.
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

constexpr std::size_t fewest_signature_sizes = 4;
constexpr int signature_draws = 1000;

/// M lies above the last size that does not pay and not above the first that does.
Estimate threshold(const StepSolution& chosen, std::span<const double> drawn_steps,
                   std::span<const double> sizes) {
    const Estimate anywhere{chosen.step ? sizes[*chosen.step] : 0, 0, sizes.back()};
    // Draws without a step say nothing of M; if more than the intervals leave out, it is unknown.
    if (!chosen.step || static_cast<double>(drawn_steps.size()) < 0.95 * signature_draws)
        return anywhere;
    const auto steps = percentile_interval(drawn_steps);
    const auto first = std::min(*chosen.step, static_cast<std::size_t>(std::floor(steps.low)));
    const auto last = std::max(*chosen.step, static_cast<std::size_t>(std::ceil(steps.high)));
    return {sizes[*chosen.step], first == 0 ? 0 : sizes[first - 1], sizes[last]};
}

/// The first size above the eager limit, where it lies between two sizes.
std::optional<std::size_t> first_above(const std::optional<Estimate>& eager_limit_bytes,
                                       std::span<const double> sizes) {
    if (!eager_limit_bytes)
        return {};
    const auto above = std::ranges::upper_bound(sizes, eager_limit_bytes->value);
    if (above == sizes.begin() || above == sizes.end())
        return {};
    return static_cast<std::size_t>(above - sizes.begin());
}

/// Refits redrawn medians under redrawn alpha and beta, searching M anew each time unless it is
/// known.
void add_intervals(SignatureFit& fit, const SignatureProblem& problem, const StepSolution& chosen,
                   bool step_is_known, std::uint64_t seed) {
    const StepFit step_fit(problem.sizes(), problem.covariance());
    const auto& network = problem.network();
    const auto& [var_alpha, cov, var_beta] = network.covariance;
    // alpha and beta drawn together, by the Cholesky factor of their covariance
    const double alpha_scale = std::sqrt(var_alpha);
    const double beta_shared = alpha_scale > 0 ? cov / alpha_scale : 0;
    const double beta_own = std::sqrt(std::max(0.0, var_beta - beta_shared * beta_shared));
    Random random(seed);
    std::vector<double> gammas;
    std::vector<double> plain_gammas; // without a step
    std::vector<double> deltas;
    std::vector<double> steps;
    for (int draw = 0; draw < signature_draws; ++draw) {
        auto centres = redraw(problem.cells(), random);
        for (double& centre : centres)
            centre *= std::max(0.1, 1 + problem.model_error() * random.normal());
        const double z = random.normal();
        const double alpha = std::max(0.0, network.alpha_s.value + alpha_scale * z);
        const double beta =
            std::max(0.1 * network.beta_s_per_byte.value,
                     network.beta_s_per_byte.value + beta_shared * z + beta_own * random.normal());
        const auto excess = problem.excess(centres, alpha);
        const auto found = step_is_known ? step_fit.solve(excess, beta, chosen.step)
                                         : step_fit.best_step(excess, beta);
        gammas.push_back(found.slope / beta);
        plain_gammas.push_back(step_fit.solve(excess, beta, std::nullopt).slope / beta);
        deltas.push_back(found.delta_s);
        if (found.delta_s > 0)
            steps.push_back(static_cast<double>(*found.step));
    }
    fit.gamma = estimate_from(fit.gamma.value, gammas);
    auto& gamma_alone = fit.papers.at("gamma");
    gamma_alone = estimate_from(gamma_alone.value, plain_gammas);
    if (!chosen.step) { // a step too small to be seen may be there or not: both must be covered
        fit.gamma.low = std::min(fit.gamma.low, gamma_alone.low);
        fit.gamma.high = std::max(fit.gamma.high, gamma_alone.high);
    }
    fit.delta_s = estimate_from(fit.delta_s.value, deltas);
    fit.threshold_bytes = threshold(chosen, steps, problem.sizes());
}

SignatureFit describe(const SignatureProblem& problem, const StepSolution& chosen, int n,
                      const PLogP* plogp) {
    const double beta = problem.network().beta_s_per_byte.value;
    const StepFit step_fit(problem.sizes(), problem.covariance());
    const Eigen::Matrix2d spread = step_fit.spread(chosen, problem.noise());
    SignatureFit fit;
    fit.network = problem.network().model();
    fit.gamma = Estimate::exact(chosen.slope / beta);
    fit.delta_s = Estimate::exact(chosen.delta_s);
    fit.covariance = {spread(0, 0) / (beta * beta), spread(0, 1) / beta, spread(1, 1)};
    fit.residual_relative = problem.residual_spread(chosen);
    fit.reference_n = n;
    fit.sizes_bytes = problem.sizes();
    fit.smallest_bytes = problem.sizes().front();
    fit.largest_bytes = problem.sizes().back();
    const Eigen::VectorXd excess_s = problem.measured_excess();
    fit.papers = fit_paper_models({step_fit, excess_s, fit.network, n, plogp}).parameters;
    fit.models = errors_of_models(problem, n, plogp);
    return fit;
}

/// Says why one gamma does not hold for all sizes; empty where it does. Where calls are slowed down
/// from some size on in proportion to their bytes, neither gamma nor a delta per message can
/// follow: the fit then goes by the small messages, whose times are known best, and gamma of large
/// ones is another.
std::string two_regimes(std::span<const Cell> cells, const SignatureFit& fit) {
    constexpr double apart = 1.25;
    const auto& largest = cells.back();
    const double fitted_s =
        alltoall_time_s(fit.network, fit.model(), fit.reference_n, largest.size_bytes);
    const double ratio = largest.centre_s / fitted_s;
    if (ratio < apart && 1 / ratio < apart)
        return "";
    return fmt::format("; SMT07's equation does not describe both small and large messages here: "
                       "at {} it is off by {} (see the congestion model)",
                       format_size(largest.size_bytes), format_signed_percent(1 / ratio - 1, 0));
}

/// Every process count's cells; one that only serves to judge saturation is left out, and
/// `left_out` says why, where it cannot be used.
Result<std::map<int, std::vector<Cell>>> gather_by_n(std::span<const Series> alltoall,
                                                     std::string& left_out) {
    std::map<int, std::vector<Series>> series_by_n;
    for (const Series& series : alltoall)
        if (series.n >= 2)
            series_by_n[series.n].push_back(series);
    if (series_by_n.empty())
        return refused("all-to-all: none was measured with two or more ranks");
    const int reference_n = series_by_n.rbegin()->first;
    std::map<int, std::vector<Cell>> by_n;
    for (const auto& [n, series] : series_by_n) {
        auto cells = gather(series, fmt::format("all-to-all of {} ranks", n));
        if (cells)
            by_n.emplace(n, std::move(*cells));
        else if (n == reference_n)
            return cells.error();
        else
            left_out += "; left out: " + cells.error().message;
    }
    return by_n;
}

} // namespace

std::vector<ModelError> with_errors(std::vector<ModelError> models,
                                    std::span<const std::vector<double>> errors) {
    for (std::size_t i = 0; i < models.size(); ++i) {
        models[i].leave_one_out = median(errors[i]);
        models[i].leave_one_out_worst = std::ranges::max(errors[i]);
    }
    std::ranges::stable_sort(models, {}, [](const ModelError& model) {
        return std::tuple(model.leave_one_out, model.leave_one_out_worst);
    });
    return models;
}

Result<SignatureFit> fit_signature(std::span<const Series> alltoall, const HockneyFit& network,
                                   std::uint64_t seed,
                                   const std::optional<Estimate>& eager_limit_bytes,
                                   const PLogP* plogp) {
    if (!(network.beta_s_per_byte.value > 0) || !(network.alpha_s.value >= 0))
        return bad_input(fmt::format("alpha {} s, beta {} s/B: alpha must be 0 or more and beta "
                                     "above 0",
                                     network.alpha_s.value, network.beta_s_per_byte.value));
    std::string left_out;
    ALLTOLD_TRY(by_n, gather_by_n(alltoall, left_out));
    const auto& [n, cells] = *by_n->rbegin();
    const auto where = fmt::format("all-to-all of {} ranks: ", n);
    if (cells.size() < fewest_signature_sizes)
        return refused(where + fmt::format("{} size(s) measured; a signature needs at least {}",
                                           cells.size(), fewest_signature_sizes));
    if (const auto objection = growth_objection(cells); !objection.empty())
        return refused(where + objection);
    SignatureProblem problem(cells, n, network);
    const auto candidate = first_above(eager_limit_bytes, problem.sizes());
    const auto chosen = problem.choose(candidate);
    if (const auto objection = misfit_objection(cells, problem.fitted_s(chosen));
        !objection.empty())
        return refused(where + objection);

    auto fit = describe(problem, chosen, n, plogp);
    const bool at_limit = chosen.step && chosen.step == candidate;
    add_intervals(fit, problem, chosen, at_limit, seed);
    if (at_limit) // M is the first size that pays
        fit.threshold_bytes = {eager_limit_bytes->value + 1, eager_limit_bytes->low + 1,
                               eager_limit_bytes->high + 1};
    const auto verdict = judge_saturation(*by_n, fit.network, fit.threshold_bytes.value);
    fit.saturation = verdict.saturation;
    fit.growth = verdict.growth;
    fit.saturation_reason = verdict.reason + two_regimes(cells, fit) + left_out;
    return fit;
}

Result<SignatureFit> fit_signature(std::span<const Series> alltoall, const Hockney& network,
                                   std::uint64_t seed) {
    HockneyFit exact;
    exact.alpha_s = Estimate::exact(network.alpha_s);
    exact.beta_s_per_byte = Estimate::exact(network.beta_s_per_byte);
    return fit_signature(alltoall, exact, seed);
}

} // namespace alltold

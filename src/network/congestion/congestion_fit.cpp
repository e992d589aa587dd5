// SPDX-License-Identifier: BSD-3-Clause
#include "network/congestion/congestion_fit.hpp"

#include <iterator>
#include <set>

#include <fmt/format.h>

#include "core/parallel.hpp"
#include "core/units.hpp"
#include "network/congestion/congestion_core.hpp"
#include "network/signature/signature_problem.hpp"

namespace alltold {
namespace {

/// Share of the instants of a call from which a time-out lasts beyond `time_s`.
double share_beyond(const CongestedTime& time, double time_s) {
    return std::clamp(1 - (time_s - time.timeout_s) / time.core_s, 0.0, 1.0);
}

} // namespace

double CongestedTime::core_below(double time_s) const {
    return time_s > 0 ? normal_probability(std::log(time_s / core_s) / spread) : 0;
}

double CongestedTime::core_density(double time_s) const {
    if (time_s <= 0)
        return 0;
    const double z = std::log(time_s / core_s) / spread;
    return std::exp(-z * z / 2) / (std::sqrt(2 * std::numbers::pi) * spread * time_s);
}

double CongestedTime::ends_below(double time_s) const {
    return std::pow(1 + timeouts * share_beyond(*this, time_s) / shape, -shape);
}

double CongestedTime::ends_density(double time_s) const {
    if (time_s < timeout_s || time_s > timeout_s + core_s)
        return 0;
    return timeouts / core_s *
           std::pow(1 + timeouts * share_beyond(*this, time_s) / shape, -shape - 1);
}

double CongestedTime::probability_below(double time_s) const {
    return core_below(time_s) * ends_below(time_s);
}

double CongestedTime::density(double time_s) const {
    return core_density(time_s) * ends_below(time_s) + core_below(time_s) * ends_density(time_s);
}

double CongestedTime::probability_of_timeout(double time_s) const {
    const double by_timeout = core_below(time_s) * ends_density(time_s);
    return by_timeout > 0 ? by_timeout / density(time_s) : 0;
}

double CongestedTime::quantile(double probability) const {
    double low = core_s * std::exp(-10 * spread);
    double high = core_s * std::exp(10 * spread) + timeout_s;
    for (int i = 0; i < 80; ++i) {
        const double middle = (low + high) / 2;
        (probability_below(middle) < probability ? low : high) = middle;
    }
    return (low + high) / 2;
}

namespace {

/// The papers' models as fitted to some points of one n.
PaperModels fit_papers(std::span<const CongestedSeries> rest, const Hockney& network) {
    std::map<int, std::map<double, std::vector<double>>> by_ranks;
    for (const auto& series : rest)
        by_ranks[series.call.n][series.call.size_bytes] = series.times_s;
    // The largest n on which there is a slope to fit.
    std::erase_if(by_ranks, [](const auto& row) { return row.second.size() < 2; });
    if (by_ranks.empty())
        return unfitted_paper_models();
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
    return fit_paper_models({fit, excess, network, n});
}

/// At most so many of a point's repetitions are fitted again in each fold.
constexpr std::size_t most_repetitions = 48;

/// Evenly spaced quantiles of many times.
std::vector<double> thinned(std::vector<double> times_s) {
    if (times_s.size() <= most_repetitions)
        return times_s;
    std::ranges::sort(times_s);
    std::vector<double> some_s;
    for (std::size_t i = 0; i < most_repetitions; ++i)
        some_s.push_back(times_s[(2 * i + 1) * times_s.size() / (2 * most_repetitions)]);
    return some_s;
}

/// Everything anew: which repetitions met a time-out (with the M of all points to begin with), the
/// form, M and the coefficients.
CongestionFit refit(const CongestionFit& fit, std::span<const CongestedSeries> rest,
                    const CongestionPrior& prior) {
    auto fold = fit;
    const auto points = fit_timeouts(fold, rest, prior.timeout_s);
    return choose_core(fold, points) ? fold : fit;
}

constexpr std::size_t fewest_points = 6;
constexpr std::size_t fewest_congestion_sizes = 4;

Status check(std::span<const CongestedSeries> measured) {
    std::set<int> ns;
    std::set<double> sizes;
    for (const auto& [call, times_s, others] : measured) {
        const auto where = fmt::format("n = {}, m = {}: ", call.n, format_size(call.size_bytes));
        if (times_s.size() < fewest_repetitions)
            return refused(where + fmt::format("{} repetition(s); at least {} needed",
                                               times_s.size(), fewest_repetitions));
        for (const double time_s : times_s)
            if (!(time_s > 0) || !std::isfinite(time_s))
                return refused(where + fmt::format("a time of {} s", time_s));
        if (!(call.wire_s > 0))
            return refused(where + "nothing crosses a link");
        ns.insert(call.n);
        sizes.insert(call.size_bytes);
    }
    if (ns.size() < 2)
        return refused(fmt::format("measured at {} rank count(s); at least 2 needed", ns.size()));
    if (sizes.size() < fewest_congestion_sizes || measured.size() < fewest_points)
        return refused(fmt::format("{} sizes and {} points measured; at least {} and {} needed",
                                   sizes.size(), measured.size(), fewest_congestion_sizes,
                                   fewest_points));
    return Done{};
}

/// Leaves out each n, then each m; fits every model to the rest, the choice of form and of M
/// included, and predicts what was left out; best median of |predicted / measured median - 1|
/// first.
std::vector<ModelError> errors_of_congestion(const CongestionFit& fit,
                                             std::span<const CongestedSeries> measured,
                                             const CongestionPrior& prior) {
    std::vector<CorePoint> points;
    std::vector<CongestedSeries> series;
    for (const auto& [call, times_s, others] : measured) {
        points.push_back({call, median(times_s)});
        series.push_back({call, thinned(times_s)});
    }
    const auto network = prior.network.model();
    const auto left_out = folds(points);
    using ErrorsByModel = std::vector<std::pair<std::string_view, double>>;
    /// Errors at each point of a fold.
    const auto errors_of = [&](std::size_t fold_number) {
        std::vector<CongestedSeries> rest;
        for (std::size_t i = 0; i < series.size(); ++i)
            if (std::ranges::find(left_out[fold_number], i) == left_out[fold_number].end())
                rest.push_back(series[i]);
        const auto fold = refit(fit, rest, prior);
        const auto papers = prior.one_cluster ? fit_papers(rest, network) : PaperModels{};
        const auto others_s = [&](std::size_t i) {
            const auto& call = points[i].call;
            return prior.one_cluster
                       ? paper_times_s(papers, network, nullptr, call.n, call.size_bytes)
                       : measured[i].others;
        };
        std::vector<ErrorsByModel> errors;
        for (const auto i : left_out[fold_number]) {
            const auto& [call, centre_s] = points[i];
            auto& row = errors.emplace_back();
            row.emplace_back("congestion", std::abs(fold.time(call).quantile(0.5) / centre_s - 1));
            for (const auto& [model, predicted_s] : others_s(i))
                row.emplace_back(model, std::abs(predicted_s / centre_s - 1));
        }
        return errors;
    };
    std::vector<ModelError> models;
    std::vector<std::vector<double>> errors; // by model
    for (const auto& fold : in_parallel(left_out.size(), errors_of))
        for (const auto& row : fold) {
            errors.resize(row.size());
            models.resize(row.size());
            for (std::size_t model = 0; model < row.size(); ++model) {
                models[model].name = row[model].first;
                errors[model].push_back(row[model].second);
            }
        }
    return with_errors(std::move(models), errors);
}

} // namespace

Result<CongestionFit> fit_congestion(std::span<const CongestedSeries> measured,
                                     const CongestionPrior& prior) {
    ALLTOLD_TRY_DONE(check(measured));
    CongestionFit fit;
    fit.buffer_bytes = prior.buffer_bytes;
    // M decides which repetitions share a spread and a rate, and these which are left to find M.
    for (int round = 0; round < 3; ++round)
        if (!choose_core(fit, fit_timeouts(fit, measured, prior.timeout_s)))
            return refused("too few points per n and per m for cross-validation");
    fit.smallest_n = fit.largest_n = measured.front().call.n;
    fit.smallest_bytes = fit.largest_bytes = measured.front().call.size_bytes;
    for (const auto& [call, times_s, others] : measured) {
        fit.fitted.push_back({call.n, call.size_bytes});
        fit.smallest_n = std::min(fit.smallest_n, call.n);
        fit.largest_n = std::max(fit.largest_n, call.n);
        fit.smallest_bytes = std::min(fit.smallest_bytes, call.size_bytes);
        fit.largest_bytes = std::max(fit.largest_bytes, call.size_bytes);
    }
    fit.models = errors_of_congestion(fit, measured, prior);
    if (const auto& best = fit.models.front(); best.name != "congestion") {
        const auto own = std::ranges::find(fit.models, "congestion", &ModelError::name);
        return refused(fmt::format("model '{}' predicts points of other n and m better: median "
                                   "error {} against {}, each predicted from the others",
                                   best.name, format_percent(best.leave_one_out),
                                   format_percent(own->leave_one_out)));
    }
    return fit;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Weighted least squares; the weights follow the scatter below and from M on.
#include "network/congestion/congestion_core.hpp"

#include <set>

#include "core/least_squares.hpp"

namespace alltold {
namespace {

/// Where there are more points than this, n and m are left out in so many groups each.
constexpr std::size_t many_points = 128, most_folds = 16;
constexpr double least_error = 0.01; ///< no model of a network is better than this
constexpr std::array forms{
    CongestionForm{false, false, false}, CongestionForm{true, false, false},
    CongestionForm{false, true, false},  CongestionForm{true, true, false},
    CongestionForm{false, true, true},   CongestionForm{true, true, true},
};

Eigen::RowVectorXd row_of(const CongestedCall& call, const CongestionForm& form, bool slowed) {
    Eigen::RowVectorXd row(form.terms());
    Eigen::Index at = 0;
    row(at++) = 1;
    if (form.per_process)
        row(at++) = call.n - 1;
    row(at++) = call.wire_s;
    if (form.slows)
        row(at++) = slowed ? call.wire_s : 0;
    if (form.falling)
        row(at++) = slowed ? call.wire_s / (call.n - 1) : 0;
    return row;
}

/// One M tried.
struct Trial {
    Eigen::VectorXd coefficients;
    Eigen::MatrixXd covariance;
    std::array<double, 2> error{least_error, least_error};
    double log_likelihood = -std::numeric_limits<double>::infinity();
};

/// Errors relative to the times; `error` is that of each regime, from which the weights are.
bool solve(Trial& trial, std::span<const CorePoint> points, const CongestionForm& form,
           double threshold_bytes) {
    const auto rows = static_cast<Eigen::Index>(points.size());
    Eigen::MatrixXd design(rows, form.terms());
    Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows);
    Eigen::VectorXd variances(rows);
    std::array<double, 2> counts{0, 0};
    for (Eigen::Index i = 0; i < rows; ++i) {
        const auto& [call, centre_s] = points[static_cast<std::size_t>(i)];
        const bool slow = form.slows && call.size_bytes >= threshold_bytes;
        design.row(i) = row_of(call, form, slow) / centre_s;
        variances(i) = trial.error[slow] * trial.error[slow];
        ++counts[slow];
    }
    if (rows <= form.terms() ||
        Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(design).rank() < form.terms())
        return false;
    const auto solved = weighted_least_squares(design, ones, variances);
    // A start-up that shrinks with n is chance, and would be carried on to any n.
    if (form.per_process && solved.coefficients(1) < 0)
        return false;
    const Eigen::VectorXd residuals = ones - design * solved.coefficients;
    std::array<double, 2> squares{0, 0};
    for (Eigen::Index i = 0; i < rows; ++i)
        squares[form.slows && points[static_cast<std::size_t>(i)].call.size_bytes >=
                                  threshold_bytes] += residuals(i) * residuals(i);
    trial.coefficients = solved.coefficients;
    trial.covariance = solved.covariance;
    trial.log_likelihood = 0;
    const double freedom = static_cast<double>(rows - form.terms()) / static_cast<double>(rows);
    for (int slow = 0; slow < 2; ++slow)
        if (counts[slow] > 0) {
            trial.error[slow] =
                std::max(least_error, std::sqrt(squares[slow] / (counts[slow] * freedom)));
            trial.log_likelihood -= counts[slow] * std::log(trial.error[slow]);
        }
    return true;
}

/// Three rounds let the weights settle.
bool solve_settled(Trial& trial, std::span<const CorePoint> points, const CongestionForm& form,
                   double threshold_bytes) {
    for (int round = 0; round < 3; ++round)
        if (!solve(trial, points, form, threshold_bytes))
            return false;
    return true;
}

/// The likeliest fit and where its M is: all of few are tried; of many some, and then more of those
/// around the best of them.
void find_threshold(Trial& best, std::size_t& best_at, std::span<const CorePoint> points,
                    const CongestionForm& form, std::span<const double> thresholds) {
    constexpr std::size_t most_at_once = 32;
    std::size_t step = 1;
    while (thresholds.size() / step > most_at_once)
        step *= 4;
    std::set<std::size_t> tried;
    const auto try_out = [&](std::size_t at) {
        if (!tried.insert(at).second)
            return;
        Trial trial;
        if (solve_settled(trial, points, form, thresholds[at]) &&
            trial.log_likelihood > best.log_likelihood) {
            best = trial;
            best_at = at;
        }
    };
    for (std::size_t at = 0; at < thresholds.size(); at += step)
        try_out(at);
    for (; step > 1; step /= 4) {
        const auto from = best_at - std::min(best_at, step),
                   to = std::min(best_at + step, thresholds.size() - 1);
        for (auto at = from; at <= to; at += step / 4)
            try_out(at);
    }
}

std::vector<CorePoint> without(std::span<const CorePoint> points,
                               const std::vector<std::size_t>& left_out) {
    std::vector<CorePoint> kept;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (std::ranges::find(left_out, i) == left_out.end())
            kept.push_back(points[i]);
    return kept;
}

/// Mean of |ln(predicted / measured)| over points left out (squares would leave the choice to the
/// smallest messages, whose start-up no form here is good at); infinite where the form
/// cannot be fitted without some.
double error_left_out(std::span<const CorePoint> points, const CongestionForm& form) {
    double sum = 0;
    int count = 0;
    for (const auto& left_out : folds(points)) {
        CongestionFit fit;
        if (!fit_core(fit, without(points, left_out), form))
            return std::numeric_limits<double>::infinity();
        for (const auto i : left_out) {
            const auto& [call, centre_s] = points[i];
            double error = std::abs(std::log(fit.core_s(call) / centre_s));
            // Without the size at M, on which side of M it lies cannot be known.
            if (fit.in_doubt(call.size_bytes))
                error = std::min(error, std::abs(std::log(fit.core_s(call, true) / centre_s)));
            sum += error;
            ++count;
        }
    }
    return count > 0 ? sum / count : std::numeric_limits<double>::infinity();
}

} // namespace

double CongestionFit::core_s(const CongestedCall& call, bool slowed) const {
    const Eigen::Map<const Eigen::VectorXd> terms(coefficients.data(), form.terms());
    return std::max(row_of(call, form, slowed).dot(terms), least_over_wire * call.wire_s);
}

CongestedTime CongestionFit::time(const CongestedCall& call, bool slowed) const {
    CongestedTime time;
    time.core_s = core_s(call, slowed);
    const auto row = row_of(call, form, slowed);
    Eigen::MatrixXd of_terms(form.terms(), form.terms());
    for (std::size_t i = 0; i < covariance.size(); ++i)
        for (std::size_t j = 0; j < covariance[i].size(); ++j)
            of_terms(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = covariance[i][j];
    const double of_coefficients =
        std::max(0.0, (row * of_terms).dot(row)) / (time.core_s * time.core_s);
    time.spread = std::sqrt(spread[slowed] * spread[slowed] +
                            model_error[slowed] * model_error[slowed] + of_coefficients);
    time.timeout_s = timeout_s.value;
    const auto& rate = timeouts[slowed];
    time.shape = rate.shape();
    time.timeouts = never_overflows(call) ? 0 : rate.per_message() * call.n * (call.n - 1);
    return time;
}

bool fit_core(CongestionFit& fit, std::span<const CorePoint> points, const CongestionForm& form) {
    std::set<double> sizes;
    for (const auto& point : points)
        sizes.insert(point.call.size_bytes);
    // At least one size stays below M, so that there is something it is a slow-down of.
    std::vector<double> thresholds(sizes.begin(), sizes.end());
    if (form.slows && !thresholds.empty())
        thresholds.erase(thresholds.begin());
    else
        thresholds.assign(1, std::numeric_limits<double>::infinity());
    Trial best;
    std::size_t best_at = 0;
    find_threshold(best, best_at, points, form, thresholds);
    if (best.coefficients.size() == 0)
        return false;
    const double best_threshold = thresholds[best_at];
    fit.form = form;
    fit.coefficients.assign(best.coefficients.begin(), best.coefficients.end());
    fit.covariance.clear();
    for (const auto& row : best.covariance.rowwise())
        fit.covariance.emplace_back(row.begin(), row.end());
    std::ranges::copy(best.error, fit.model_error);
    fit.threshold_bytes = {};
    if (form.slows)
        fit.threshold_bytes = {best_threshold, *std::prev(sizes.find(best_threshold)),
                               best_threshold};
    fit.least_over_wire = std::numeric_limits<double>::infinity();
    for (const auto& [call, centre_s] : points)
        fit.least_over_wire = std::min(fit.least_over_wire, centre_s / call.wire_s);
    return true;
}

bool choose_core(CongestionFit& fit, std::span<const CorePoint> points) {
    constexpr double better = 0.9;
    double least = std::numeric_limits<double>::infinity();
    const CongestionForm* chosen = nullptr;
    for (const auto& form : forms)
        if (const double error = error_left_out(points, form); error < better * least) {
            least = error;
            chosen = &form;
        }
    return chosen && fit_core(fit, points, *chosen);
}

std::vector<std::vector<std::size_t>> folds(std::span<const CorePoint> points) {
    std::vector<std::vector<std::size_t>> groups;
    const auto add = [&](auto&& key) {
        std::set<double> values;
        for (const auto& point : points)
            values.insert(key(point));
        if (values.size() < 2)
            return;
        const auto first = groups.size();
        const auto folds =
            points.size() > many_points ? std::min(values.size(), most_folds) : values.size();
        groups.resize(first + folds);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto place = std::distance(values.begin(), values.find(key(points[i])));
            groups[first + static_cast<std::size_t>(place) % folds].push_back(i);
        }
    };
    add([](const CorePoint& point) { return static_cast<double>(point.call.n); });
    add([](const CorePoint& point) { return point.call.size_bytes; });
    return groups;
}

} // namespace alltold

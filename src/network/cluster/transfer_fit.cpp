// SPDX-License-Identifier: BSD-3-Clause
// Least squares for each capacity that the measured loads suggest.
#include "network/cluster/transfer_fit.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

#include "core/least_squares.hpp"
#include "core/units.hpp"
#include "network/fit/cells.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_transfer_sizes = 3;
/// The scatter of medians that no form explains; smaller errors of repetitions count as this.
constexpr double least_relative_error = 0.01;
/// A capacity must lower chi squared by more than a parameter chosen among many does by chance.
constexpr double worth_a_capacity = 12;
/// Share of the points whose overheads may be more than the whole.
constexpr double most_below = 0.4;
constexpr double fewest_processes = 2;
constexpr int capacities_tried = 200;

struct Observed {
    double size_bytes = 0;
    int processes = 0;
    double transfer_s = 0;
    double gap_s = 0;
    double error_s = 0;
};

struct TransferAttempt {
    LoadedTransfer transfer;
    double chi_squared = 0;
};

double load(const Observed& at, double capacity) {
    return LoadedTransfer{0, 0, 1, capacity}.time_s(at.size_bytes, at.processes, at.gap_s) /
           at.size_bytes;
}

/// An idle network gives some bytes away, so that the free line may start below 0: a start-up of a
/// single pair is kept at 0 or more.
TransferAttempt attempt(std::span<const Observed> all, double capacity) {
    const auto count = static_cast<Eigen::Index>(all.size());
    Eigen::MatrixXd design(count, 3);
    Eigen::VectorXd observed(count);
    Eigen::VectorXd variances(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto& at = all[static_cast<std::size_t>(i)];
        design.row(i) << 1, at.processes, at.size_bytes * load(at, capacity);
        observed(i) = at.transfer_s;
        variances(i) = at.error_s * at.error_s;
    }
    const auto fit = weighted_least_squares(design, observed, variances);
    const auto& free = fit.coefficients;
    if (free(0) + fewest_processes * free(1) >= 0)
        return {{free(0), free(1), free(2), capacity}, fit.chi_squared};
    Eigen::MatrixXd tied(count, 2);
    tied << design.col(1).array() - fewest_processes, design.col(2);
    const auto again = weighted_least_squares(tied, observed, variances);
    const double per_process_s = std::max(0., again.coefficients(0));
    return {{-fewest_processes * per_process_s, per_process_s, again.coefficients(1), capacity},
            again.chi_squared};
}

/// The best of no capacity and those between the lightest and the heaviest load measured.
TransferAttempt best_attempt(std::span<const Observed> all) {
    const TransferAttempt plain = attempt(all, 0);
    std::vector<double> loads;
    for (const auto& at : all)
        if (at.gap_s > 0)
            loads.push_back(at.processes * at.size_bytes / at.gap_s);
    if (loads.empty())
        return plain;
    const auto [lightest, heaviest] = std::ranges::minmax(loads);
    TransferAttempt best = plain;
    for (int i = 1; i < capacities_tried; ++i) {
        const TransferAttempt tried =
            attempt(all, lightest * std::pow(heaviest / lightest,
                                             static_cast<double>(i) / capacities_tried));
        if (tried.chi_squared < best.chi_squared)
            best = tried;
    }
    const double scale =
        std::max(1., best.chi_squared / std::max(1., static_cast<double>(all.size()) - 4));
    return plain.chi_squared - best.chi_squared > worth_a_capacity * scale ? best : plain;
}

/// Errors that no form explains weigh on all points alike, in seconds: a first packet that finds a
/// link idle, a change of protocol. Its size follows from what is left, which follows from it.
TransferAttempt explain(const std::vector<Observed>& measured) {
    TransferAttempt best = best_attempt(measured);
    for (int pass = 0; pass < 6; ++pass) {
        double squares = 0;
        for (const auto& at : measured)
            squares += std::pow(
                at.transfer_s - best.transfer.time_s(at.size_bytes, at.processes, at.gap_s), 2);
        const auto freedom = std::max(1., static_cast<double>(measured.size()) - 4);
        if (best.chi_squared <= freedom)
            break;
        auto weighed = measured;
        for (auto& at : weighed)
            at.error_s = std::hypot(at.error_s, std::sqrt(squares / freedom));
        best = best_attempt(weighed);
    }
    return best;
}

Result<std::vector<Observed>> observe(std::span<const Series> pairs, const ClusterModel& known) {
    std::map<int, std::vector<Series>> by_processes;
    for (const Series& series : pairs)
        by_processes[series.n].push_back(series);
    std::vector<Observed> all;
    std::set<double> sizes;
    int below = 0;
    for (const auto& [processes, series] : by_processes) {
        ALLTOLD_TRY(cells, gather(series, fmt::format("pairs of {} processes", processes)));
        // Two sizes in order are nothing, three could be chance: all process counts must agree.
        if (cells->size() >= fewest_transfer_sizes)
            if (const auto objection = growth_objection(*cells); !objection.empty())
                return refused(fmt::format("pairs of {} processes: {}", processes, objection));
        for (const Cell& cell : *cells) {
            const double m = cell.size_bytes;
            // Parts measured alone may add up to more than the whole; what is left is then nothing,
            // known as well as the excess.
            const double left_s = cell.centre_s - known.O_s(m) - known.O_r(m) - known.U_r_s;
            if (left_s <= 0 && ++below > most_below * static_cast<double>(pairs.size()))
                return refused(fmt::format("pairs of {} processes at {}: {} is less than the "
                                           "overheads alone, and so are other times",
                                           processes, format_size(m), format_time(cell.centre_s)));
            const double error_s =
                std::max(cell.relative_error, least_relative_error) * cell.centre_s;
            sizes.insert(m);
            all.push_back({m, processes, std::max(0., left_s), known.g_s(m),
                           std::hypot(error_s, std::min(0., left_s))});
        }
    }
    if (sizes.size() < fewest_transfer_sizes || by_processes.size() < 2)
        return refused(fmt::format("pairs: {} size(s) and {} rank count(s) measured; L(m, "
                                   "p) needs at least {} and 2",
                                   sizes.size(), by_processes.size(), fewest_transfer_sizes));
    return all;
}

} // namespace

Result<TransferFit> fit_transfer(std::span<const Series> pairs, const ClusterModel& known) {
    ALLTOLD_TRY(observed, observe(pairs, known));
    const auto best = explain(*observed);
    if (best.transfer.beta_s_per_byte <= 0)
        return refused("pairs: transfer times decrease with size");
    double squares = 0;
    double around_mean = 0;
    double around_fit = 0;
    double mean = 0;
    for (const auto& at : *observed)
        mean += at.transfer_s / static_cast<double>(observed->size());
    for (const auto& at : *observed) {
        const double off =
            at.transfer_s - best.transfer.time_s(at.size_bytes, at.processes, at.gap_s);
        squares += std::pow(off / std::max(at.transfer_s, at.error_s), 2);
        around_fit += off * off;
        around_mean += std::pow(at.transfer_s - mean, 2);
    }
    if (around_fit > 0.25 * around_mean)
        return refused(fmt::format("pairs: L(m, p) explains only noise: it leaves {} of the "
                                   "variance unexplained",
                                   format_percent(around_fit / around_mean, 0)));
    return TransferFit{best.transfer, std::sqrt(squares / static_cast<double>(observed->size()))};
}

} // namespace alltold

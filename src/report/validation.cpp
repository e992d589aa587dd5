// SPDX-License-Identifier: BSD-3-Clause
#include "report/validation.hpp"

#include <tuple>

#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/bounds/plausibility.hpp"
#include "predict/choice/rank.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/predict_algorithm.hpp"

namespace alltold {
namespace {

/// By any model, so that all models are judged on the same points.
bool was_fitted(const Profile& profile, const Clusters& clusters, double size_bytes) {
    return std::ranges::any_of(std::array{"congestion", "signature"}, [&](const char* model) {
        return was_fitted_to(profile.network, model, clusters, size_bytes);
    });
}

template <typename Belongs>
ErrorSummary summary_of(std::span<const ValidatedPoint> points, Belongs belongs) {
    ErrorSummary summary;
    std::vector<double> errors;
    for (const auto& point : points) {
        if (!belongs(point))
            continue;
        const double error = std::abs(point.error());
        if (errors.empty() || error > summary.worst_error) {
            summary.worst_error = error;
            summary.worst_clusters = point.clusters;
            summary.worst_algorithm = point.algorithm;
            summary.worst_size_bytes = point.size_bytes;
        }
        errors.push_back(error);
        summary.covered += point.covered() ? 1 : 0;
    }
    summary.points = static_cast<int>(errors.size());
    summary.median_error = errors.empty() ? 0 : median(errors);
    return summary;
}

void add_note(Validation& validation, std::string note) {
    if (std::ranges::find(validation.notes, note) == validation.notes.end())
        validation.notes.push_back(std::move(note));
}

/// The models for the library's all-to-all and for alltold's algorithms.
struct Models {
    const CostModel* library; ///< null: corrected, where the profile can
    const CostModel* ours;    ///< null: what the profile allows
    SimulationCache& simulations;
};

Result<CallTime> predict_ours(const Profile& profile, const Point& point, Collective collective,
                              const Choice& choice, const CostModel* wanted) {
    // A model asked for by name speaks for itself.
    const auto& network = profile.network;
    const auto& algorithm = *choice.algorithm;
    ALLTOLD_TRY(model, wanted ? Result<const CostModel*>(wanted)
                              : preferred_model(network, point.clusters, algorithm.name,
                                                static_cast<double>(point.size_bytes)));
    return predict_as_given(network, algorithm,
                            Specification::of(collective, point.n(), 0, point.size_bytes),
                            point.clusters, choice.parameters, **model, {.corrected = !wanted});
}

Result<CallTime> predict_point(const Profile& profile, const Point& point, Collective collective,
                               const Models& models) {
    const auto choice = measured_choice(point.algorithm);
    if (choice.algorithm)
        return predict_ours(profile, point, collective, choice, models.ours);
    if (!models.library) {
        auto modelled = choice.is_default() ? predict_library(profile.network, collective,
                                                              point.clusters, point.size_bytes)
                                            : refused("by its growth");
        return modelled ? std::move(modelled)
                        : evaluate(profile.network, collective, point.clusters, point.size_bytes,
                                   choice, &models.simulations);
    }
    if (choice.is_default() && collective == Collective::alltoall)
        return predict_alltoall(profile.network, point.clusters,
                                static_cast<double>(point.size_bytes), *models.library);
    return refused(
        fmt::format("model {} knows only the MPI library's all-to-all", models.library->name));
}

/// Whether the profile's correction used this point.
bool corrects(const Profile& profile, const Point& point, Collective collective) {
    const auto choice = measured_choice(point.algorithm);
    return (choice.algorithm || choice.is_default()) &&
           measured_call(profile.network, collective, choice.algorithm, choice.parameters,
                         point.clusters, point.size_bytes) != nullptr;
}

/// Over the repetitions without warm-ups; empty unless all of them were counted.
std::optional<double> mean_retransmitted(std::span<const Sample> samples) {
    double sum = 0;
    int count = 0;
    for (const auto& sample : samples) {
        if (sample.warmup)
            continue;
        if (!sample.retransmitted)
            return std::nullopt;
        sum += static_cast<double>(*sample.retransmitted);
        ++count;
    }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

/// Adds the point, or a note that says why it cannot be compared.
void add_point(Validation& validation, const PointSamples& measured, const CollectiveProbe& probe,
               const Profile& profile, const Models& models) {
    const auto collective = probe.collective;
    const auto& [point, samples, unit] = measured;
    const auto series = measured.series();
    if (series.times_s.empty()) {
        add_note(validation,
                 fmt::format("{} n = {}, m = {} has only warm-up repetitions", point.probe,
                             point.clusters.text(), format_size(series.size_bytes)));
        return;
    }
    const bool known = !probe.start_mode || correction_of(profile.network, collective,
                                                          point.clusters, point.algorithm == "mpi");
    auto prediction = known ? predict_point(profile, point, collective, models)
                            : refused("no such call was fitted");
    if (!prediction) {
        add_note(validation,
                 fmt::format("{} with {} on {} skipped: {}", point.probe, point.algorithm,
                             point.clusters.text(), prediction.error().message));
        return;
    }
    if (prediction->modelled.known == Known::measured) {
        add_note(validation, "calls that no model predicts were left out where the profile holds "
                             "their measured times");
        return;
    }
    ValidatedPoint compared{collective,
                            probe.start_mode,
                            point.algorithm,
                            point.clusters,
                            point.size_bytes,
                            static_cast<int>(series.times_s.size()),
                            median_interval(series.times_s),
                            std::move(*prediction),
                            mean_retransmitted(samples)};
    compared.fitted = (!models.ours && !models.library && corrects(profile, point, collective)) ||
                      (point.probe == "alltoall" && !compared.ours() &&
                       was_fitted(profile, point.clusters, series.size_bytes));
    if (compared.predicted.bound_doubtful())
        add_note(validation, text_of(*profile.network.plausibility.beaten));
    else if (compared.bound_doubtful())
        add_note(validation,
                 text_of(Plausibility::Beaten{
                     .calls = 1,
                     .means = measured.means_of_ranks(),
                     .least = {collective, point.clusters, point.size_bytes, compared.measured_s},
                     .least_bound_s = compared.predicted.bound_s}));
    (compared.ours() ? validation.ours : validation.points).push_back(std::move(compared));
}

void sum_up(Validation& validation) {
    validation.held_out =
        summary_of(validation.points, [](const auto& point) { return !point.fitted; });
    validation.fitted =
        summary_of(validation.points, [](const auto& point) { return point.fitted; });
    const auto held_out = [](const auto& point) { return !point.fitted; };
    const bool all_fitted = std::ranges::none_of(validation.ours, held_out);
    for (const auto& point : validation.ours)
        if (validation.ours_errors.empty() ||
            validation.ours_errors.back().collective != point.collective)
            validation.ours_errors.push_back(
                {point.collective, summary_of(validation.ours, [&](const auto& other) {
                     return other.collective == point.collective && (all_fitted || held_out(other));
                 })});
    validation.ours_held_out = summary_of(validation.ours, held_out);
    validation.ours_fitted =
        summary_of(validation.ours, [](const auto& point) { return point.fitted; });
}

} // namespace

bool was_fitted_to(const Network& network, std::string_view model, const Clusters& clusters,
                   double size_bytes) {
    if (model == "congestion") {
        const auto& congestion = network.congestion;
        return congestion && congestion->clusters == clusters.count() &&
               std::ranges::count(congestion->fitted,
                                  CongestionFit::Fitted{clusters.ranks(), size_bytes}) > 0;
    }
    if ((model != "signature" && model != "gamma") || !network.alltoall || clusters.count() != 1)
        return false;
    const auto& fit = *network.alltoall;
    return clusters.ranks() == fit.reference_n &&
           std::ranges::find(fit.sizes_bytes, size_bytes) != fit.sizes_bytes.end();
}

Status Validation::compared() const {
    if (!points.empty() || !ours.empty())
        return Done{};
    return bad_input(notes.empty() ? "holds no collectives; measure some with 'alltold measure'"
                                   : "nothing to compare: " + notes.front());
}

Validation validate(std::span<const PointSamples> measured, const Profile& profile,
                    const CostModel* model, const CostModel* ours) {
    Validation validation;
    SimulationCache simulations;
    auto after = profile;
    after.network = network_after(profile.network, second_start(profile.provenance.start_mode));
    for (const auto& point : measured)
        if (const auto probe = CollectiveProbe::parse(point.point.probe);
            probe && !probe->within && !(probe->start_mode && (model || ours)))
            add_point(validation, point, *probe, probe->start_mode ? after : profile,
                      {model, ours, simulations});
    for (auto* points : {&validation.points, &validation.ours})
        std::ranges::stable_sort(*points, {}, [](const ValidatedPoint& point) {
            return std::tuple(point.collective, point.start_mode, point.algorithm,
                              point.clusters.count(), point.n(), point.clusters.text(),
                              point.size_bytes);
        });
    sum_up(validation);
    return validation;
}

} // namespace alltold

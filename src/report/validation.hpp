// SPDX-License-Identifier: BSD-3-Clause
// Measurements and a profile's predictions for them.
#pragma once

#include "network/cost_model.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold {

/// One measured point of a collective and its prediction.
struct ValidatedPoint {
    Collective collective = Collective::alltoall;
    std::optional<StartMode> start_mode = {}; ///< as CollectiveProbe's
    std::string algorithm =
        "mpi"; ///< the library's own choice, or an algorithm with its parameters
    Clusters clusters;
    std::uint64_t size_bytes = 0; ///< m
    int repetitions = 0;
    Estimate measured_s; ///< median and its 95 % interval
    CallTime predicted;
    /// Mean number of TCP segments that the hosts retransmitted in a repetition; empty: not known.
    std::optional<double> retransmitted = {};
    bool fitted = false; ///< a model or a correction was fitted to it; otherwise it was held out

    bool ours() const { return algorithm != "mpi"; }

    int n() const { return clusters.ranks(); }
    /// (predicted - measured) / measured.
    double error() const { return predicted.time_s.value / measured_s.value - 1; }
    /// Whether this time or those that the profile knows are below bounds.
    bool bound_doubtful() const {
        return predicted.bound_doubtful() || measured_s.value * bounds_known < predicted.bound_s;
    }
    /// Whether the measured median lies in the predicted interval.
    bool covered() const { return predicted.time_s.covers(measured_s.value); }
};

/// The prediction errors of a set of points.
struct ErrorSummary {
    int points = 0;
    double median_error = 0; ///< of |error|
    double worst_error = 0;  ///< of |error|; reached at `worst`
    int covered = 0;
    Clusters worst_clusters{{1}};
    std::string worst_algorithm = "mpi";
    std::uint64_t worst_size_bytes = 0;
};

/// The errors of alltold's algorithms for one collective over the held-out points, or over all
/// points if none was held out.
struct CollectiveErrors {
    Collective collective = Collective::bcast;
    ErrorSummary errors;
};

struct Validation {
    std::vector<ValidatedPoint> points; ///< the library's, by collective, process count and size
    ErrorSummary held_out;
    ErrorSummary fitted;
    std::vector<ValidatedPoint> ours; ///< alltold's algorithms, by collective and name
    std::vector<CollectiveErrors> ours_errors;
    ErrorSummary ours_held_out;
    ErrorSummary ours_fitted;
    std::vector<std::string> notes; ///< what could not be compared, and why

    /// Of the library's and alltold's together.
    int held_out_calls() const { return held_out.points + ours_held_out.points; }
    int held_out_covered() const { return held_out.covered + ours_held_out.covered; }
    /// Fails, with the first reason, if nothing was compared.
    Status compared() const;
};

/// Whether the network's model of that name ("gamma", "signature", "congestion") was fitted to the
/// library's all-to-all of this size; others are never fitted to one.
bool was_fitted_to(const Network& network, std::string_view model, const Clusters& clusters,
                   double size_bytes);

/// Compares every point of a collective that has repetitions after the warm-up. The library's own
/// are predicted by `model`, which knows only its all-to-all, or if it is null by predict_library;
/// alltold's algorithms by `ours`, or else by the profile's preferred model and its corrections.
/// Models know the usual start only, so given one, points of another start are left out. A
/// point is fitted if the profile's models or corrections used it. Points that the profile cannot
/// predict become notes.
Validation validate(std::span<const PointSamples> measured, const Profile& profile,
                    const CostModel* model, const CostModel* ours = nullptr);

} // namespace alltold

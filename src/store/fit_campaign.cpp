// SPDX-License-Identifier: BSD-3-Clause
// Fits models, then corrections, compares models, then makes rules.
#include "store/fit_campaign.hpp"

#include <algorithm>
#include <utility>

#include "network/fitting.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/timing/simulation_cache.hpp"
#include "store/profile.hpp"

namespace alltold {

Profile fit_points(std::span<const PointSamples> points, const Provenance& provenance,
                   const FitRequest& request) {
    Fitting fitting(points, provenance.clusters, request.held_out, request.seed);
    fitting.network.defaults_of = known_defaults(provenance.mpi_library);
    fit_models(fitting);
    SimulationCache simulations;
    fit_corrections(fitting, simulations);
    auto errors = errors_of_algorithms(fitting, simulations);
    fitting.note_left_out();
    return {request.name,
            request.source,
            provenance,
            std::move(fitting.network),
            std::move(fitting.refused),
            std::move(fitting.notes),
            {},
            std::move(errors)};
}

Result<Profile> fit_campaign(const Campaign& campaign, const FitRequest& request) {
    ALLTOLD_TRY(provenance, campaign.provenance());
    ALLTOLD_TRY(points, campaign.points());
    std::erase_if(*points,
                  [&](const PointSamples& samples) { return request.held_out(samples.point); });
    auto profile = fit_points(*points, *provenance, request);
    make_rules(profile, request.calls);
    return profile;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
#include "store/fit_campaign.hpp"

#include <set>

#include <fmt/format.h>

#include "predict/bounds/plausibility.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/timing/simulation_cache.hpp"
#include "store/same_network.hpp"

namespace alltold {
namespace {

/// Notes the points that no schedule explains, algorithms by the names of other programs, and those
/// that no fit reads yet, collectives after another start than the campaign's but for all-to-alls.
void note_unread(Fitting& fitting, std::span<const PointSamples> points) {
    std::map<std::string_view, bool> known; // an unknown name is compared with all there are
    std::set<std::string_view> names, probes;
    std::size_t of_names = 0, of_probes = 0;
    for (const auto& [point, samples, unit] : points) {
        const auto probe = CollectiveProbe::parse(point.probe);
        if (!probe)
            continue;
        const auto [name, added] = known.try_emplace(point.algorithm);
        if (added)
            name->second = bool(parse_choice(point.algorithm));
        if (!name->second) {
            names.insert(point.algorithm);
            ++of_names;
        } else if (probe->start_mode && (probe->collective != Collective::alltoall ||
                                         *probe->start_mode == StartMode::loop)) {
            probes.insert(point.probe);
            ++of_probes;
        }
    }
    if (of_names > 0)
        fitting.note("algorithms", fmt::format("{} points of {} without a schedule, such as {}, "
                                               "are known by their measured times alone",
                                               of_names, names.size(), *names.begin()));
    if (of_probes > 0)
        fitting.note(
            "points",
            fmt::format(
                "{} after another start than the others, such as {}, are kept but not fitted",
                of_probes, *probes.begin()));
}

/// Notes the doubts that measured calls raise. Only an import may be wrong about where its ranks
/// were, and only where no buffer of ports is known do time-outs tell of it.
void note_plausibility(Fitting& fitting, std::span<const PointSamples> points, bool imported) {
    auto& [beaten, slow, timed_out] = fitting.network.plausibility;
    if (imported)
        slow = slow_exchanges(fitting.network);
    if (const auto& links = fitting.network.links; !links || links->port.queue_bytes == 0)
        timed_out = timed_out_calls(points);
    if (beaten)
        fitting.note("bounds", text_of(*beaten));
    if (slow)
        fitting.note("placement", text_of(*slow));
    if (timed_out)
        fitting.note("time-outs", text_of(*timed_out));
}

} // namespace

Profile fit_points(std::span<const PointSamples> points, const Provenance& provenance,
                   const FitRequest& request) {
    Fitting fitting(points, provenance.clusters, request.held_out, request.seed);
    fitting.network.defaults_of = known_defaults(provenance.mpi_library);
    fit_models(fitting);
    auto& plausibility = fitting.network.plausibility;
    const bool loop = provenance.start_mode == StartMode::loop;
    plausibility.beaten = beaten_bounds(fitting.network, loop);
    SimulationCache simulations;
    fit_corrections(fitting, simulations);
    plausibility.beaten = beaten_bounds(fitting.network, loop); // now with calls of ours
    note_plausibility(fitting, points, is_imported(provenance));
    auto errors = errors_of_algorithms(fitting, simulations);
    fitting.note_left_out();
    note_unread(fitting, points);
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

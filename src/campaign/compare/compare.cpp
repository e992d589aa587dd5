// SPDX-License-Identifier: BSD-3-Clause
// A comparison as a session of the engine; the counters of the lab, added up.
#include "campaign/compare/compare.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "campaign/engine/engine.hpp"
#include "campaign/policies/comparison.hpp"
#include "core/result.hpp"
#include "lab/counters.hpp"

namespace alltold::campaign {

std::optional<Drops> dropped_so_far() {
    if (!std::getenv("ALLTOLD_LAB"))
        return std::nullopt;
    const auto counters = lab::read_counters();
    if (!counters)
        return std::nullopt;
    Drops drops;
    for (const auto& port : (*counters)["ports"])
        drops.ports += port["drops"].get<std::uint64_t>();
    if (counters->contains("backbone"))
        for (const auto& cluster : (*counters)["backbone"])
            for (const auto& way : cluster)
                drops.backbone += way["drops"].get<std::uint64_t>();
    return drops;
}

Specification ComparisonRequest::specification(std::uint64_t size_bytes) const {
    if (collective == Collective::alltoallv)
        return matrix->specification(clusters.ranks(), size_bytes);
    return Specification::of(collective, clusters.ranks(), root, size_bytes);
}

const Entry& ComparisonOutcome::entry(int candidate, std::uint64_t size_bytes) const {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) {
        return one.candidate == candidate && one.size_bytes == size_bytes;
    });
    assert(found != entries.end());
    return *found;
}

Result<std::optional<ComparisonOutcome>> compare(const Arrangement& arrangement,
                                                 const ComparisonRequest& request) {
    SessionOptions options{.start_mode = request.start_mode,
                           .seed = request.seed,
                           .watchdog_s = request.watchdog_s,
                           .smaller = "run smaller sizes with -m"};
    options.extras.matrix = request.matrix;
    for (const auto& candidate : request.candidates)
        if (candidate.choice.algorithm)
            options.extras.algorithms.push_back(candidate.choice);
    std::optional<ComparisonOutcome> outcome;
    const auto ran = with_engine(arrangement, options, [&](Engine& engine) -> Status {
        ALLTOLD_TRY(entries, Comparison::entries_of(request));
        Comparison comparison(request, std::move(*entries));
        ALLTOLD_TRY_DONE(engine.run(comparison));
        outcome = comparison.outcome();
        outcome->hosts = arrangement.hosts;
        return Done{};
    });
    if (!ran)
        return ran.error();
    return outcome;
}

} // namespace alltold::campaign

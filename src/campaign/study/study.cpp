// SPDX-License-Identifier: BSD-3-Clause
// Arranges the ranks, opens the store and takes the steps.
#include "campaign/study/study.hpp"

#include <utility>

#include "campaign/study/steps.hpp"

namespace alltold::campaign {

Result<std::optional<StudyResult>> study(const mpi::ManagedCommunicator& world,
                                         const StudyOptions& options) {
    if (world.size() < 2)
        return bad_input("a study needs at least 2 ranks");
    const auto ranks = arrange(world, options.clusters);
    if (!ranks)
        return ranks.error();
    std::optional<StudyResult> result;
    const SessionOptions session_options{.store = options.folder / store_file,
                                         .start_mode = options.start_mode,
                                         .seed = options.seed};
    const auto studied = with_engine(*ranks, session_options, [&](Engine& engine) -> Status {
        auto concluded = study_steps(engine, options);
        if (!concluded)
            return concluded.error();
        result = std::move(*concluded);
        return Done{};
    });
    if (!studied)
        return studied.error();
    return result;
}

} // namespace alltold::campaign

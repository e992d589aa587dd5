// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/measure.hpp"

#include "campaign/engine/engine.hpp"

namespace alltold::campaign {

Result<std::optional<MeasureReport>> measure(const mpi::Session& session,
                                             const MeasureOptions& options) {
    const auto world = session.world();
    if (world.size() < 2)
        return bad_input("measuring needs at least 2 ranks; start it with mpirun -n 2 or more");
    wake_promptly();
    ALLTOLD_TRY(arrangement, arrange(world, options.clusters));
    Result<std::vector<Point>> plan = std::vector<Point>();
    if (world.rank() == 0)
        plan = make_plan(arrangement->clusters, options.request);
    ALLTOLD_TRY_DONE(mpi::agree(world, plan ? Status(Done{}) : plan.error()));
    const SessionOptions session_options{.store = options.store,
                                         .start_mode = options.start_mode,
                                         .seed = options.seed,
                                         .watchdog_s = options.watchdog_s};
    std::optional<MeasureReport> report;
    const auto measured = with_engine(*arrangement, session_options, [&](Engine& engine) -> Status {
        CalibrateOptions how = options;
        how.goal.refine = how.goal.refine && options.request.sizes_bytes.empty();
        Calibrate calibrate(engine.store(), *plan, std::move(how));
        ALLTOLD_TRY_DONE(engine.run(calibrate));
        report = MeasureReport{engine.status(), calibrate.points(), calibrate.samples(),
                               calibrate.elapsed_s(), engine.here()};
        return Done{};
    });
    if (!measured)
        return measured.error();
    return report;
}

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// One calibration at a time.
#include "campaign/policies/stages.hpp"

namespace alltold::campaign {

Result<bool> Stages::begin_stage() {
    if (calibrations_.size() == stages_.size() && more_) {
        const auto further = std::exchange(more_, nullptr)();
        if (!further)
            return further.error();
        stages_.insert(stages_.end(), further->begin(), further->end());
    }
    if (calibrations_.size() == stages_.size())
        return false;
    const auto& stage = stages_[calibrations_.size()];
    auto plan = make_plan(hosts_, stage.request);
    if (!plan)
        return plan.error();
    auto options = options_;
    options.budget_s = stage.budget_s;
    options.goal.refine = stage.request.sizes_bytes.empty();
    calibrations_.push_back(
        std::make_unique<Calibrate>(engine_.store(), std::move(*plan), std::move(options)));
    open_ = true;
    return true;
}

Result<std::optional<Measurement>> Stages::next(double now_s) {
    for (;;) {
        if (open_) {
            auto asked = calibrations_.back()->next(now_s);
            if (!asked || *asked)
                return asked;
            if (auto over = ended(engine_.status(), now_s); !over)
                return over.error();
        }
        const auto begun = begin_stage();
        if (!begun)
            return begun.error();
        if (!*begun)
            return std::optional<Measurement>();
        now_s = engine_.now_s();
    }
}

Status Stages::ended(const EngineStatus& status, double now_s) {
    if (!std::exchange(open_, false))
        return Done{};
    return calibrations_.back()->ended(status, now_s);
}

} // namespace alltold::campaign

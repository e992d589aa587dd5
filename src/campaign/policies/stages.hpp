// SPDX-License-Identifier: BSD-3-Clause
// Several consecutive calibrations in one session.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "campaign/engine/engine.hpp"
#include "campaign/plan.hpp"
#include "campaign/policies/calibrate.hpp"

namespace alltold::campaign {

struct Stage {
    double budget_s = 0;
    Request request; ///< no sizes are added to those it names
};

/// Runs the stages, then the further ones that `more` returns, which may depend on the store's
/// contents by then.
class Stages : public Policy {
  public:
    using More = std::function<Result<std::vector<Stage>>()>;
    Stages(Engine& engine, const Clusters& hosts, std::vector<Stage> stages,
           CalibrateOptions options, More more)
        : engine_(engine), hosts_(hosts), stages_(std::move(stages)), options_(std::move(options)),
          more_(std::move(more)) {}

    Result<std::optional<Measurement>> next(double now_s) override;
    Status observe(const Measurement& measurement, const Observation& observation) override {
        return calibrations_.back()->observe(measurement, observation);
    }
    void finished(const Measurement& measurement) override {
        calibrations_.back()->finished(measurement);
    }
    Status ended(const EngineStatus& status, double now_s) override;
    std::string progress(const Measurement& measurement, double now_s) const override {
        return calibrations_.back()->progress(measurement, now_s);
    }

    /// The result of a stage that has begun.
    const Calibrate& calibration(std::size_t stage) const { return *calibrations_[stage]; }
    /// Whether all the stages given at first are over.
    bool asked_for_more() const { return !more_; }

  private:
    /// False when there is no further stage.
    Result<bool> begin_stage();

    Engine& engine_;
    Clusters hosts_;
    std::vector<Stage> stages_;
    CalibrateOptions options_;
    More more_;
    std::vector<std::unique_ptr<Calibrate>> calibrations_; ///< of stages begun
    bool open_ = false;                                    ///< the last of them is not over
};

} // namespace alltold::campaign

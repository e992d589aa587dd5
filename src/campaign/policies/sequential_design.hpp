// SPDX-License-Identifier: BSD-3-Clause
// Measures the calls that a sequential design proposes.
#pragma once

#include "campaign/policy.hpp"
#include "predict/design/design.hpp"

namespace alltold::campaign {

struct SequentialDesignOptions {
    StartMode start_mode = StartMode::silence;
    double budget_s = 60;  ///< from the first call of next on
    double reserved_s = 0; ///< what is measured afterwards; counts in the time left that is shown
};

/// Measures calls until every prediction is as precise as the design's goal, no measurement would
/// improve any of them, or the budget ends. The corrections are fitted again whenever the number of
/// measured calls has grown by a fourth.
class SequentialDesign : public Policy {
  public:
    SequentialDesign(Campaign& store, Design& design, SequentialDesignOptions options)
        : store_(store), design_(design), options_(options) {}

    Result<std::optional<Measurement>> next(double now_s) override;
    Status observe(const Measurement& measurement, const Observation& observation) override;
    void finished(const Measurement&) override { ++measurements_; }
    Status ended(const EngineStatus& status, double now_s) override;
    std::string progress(const Measurement& measurement, double now_s) const override;

  private:
    double left_s(double now_s) const {
        return started_s_.value_or(now_s) + options_.budget_s - now_s;
    }

    Campaign& store_;
    Design& design_;
    SequentialDesignOptions options_;
    std::optional<double> started_s_;
    std::size_t call_ = 0; ///< of the last measurement
    int measurements_ = 0;
    int fitted_measurements_ = 0; ///< how many the corrections were fitted to
};

Point point_of(const DesignCall& call);

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// Measures a plan until every point is accurate enough or the budget ends.
#pragma once

#include "campaign/policies/point_progress.hpp"
#include "campaign/policy.hpp"

namespace alltold::campaign {

/// Called after a sample's commit.
using OnSample = std::function<void(const Point&, const Observation&)>;

struct CalibrateOptions {
    Goal goal = {};
    StartMode start_mode = StartMode::silence; ///< of collectives
    double budget_s = 90;                      ///< from the first call of next on
    double reserved_s = 0; ///< what is measured afterwards; counts in the time left that is shown
    std::uint64_t seed = 1;
    OnSample on_sample = {};
    /// Points of all kinds in the order of the plan, and only longer messages where they are quick
    /// are added to it (Probe::refine_rough).
    bool rough = false;
};

/// For rough_network_plan: three repetitions of each point, and up to nine where they disagree.
CalibrateOptions rough_calibration(double budget_s = 15);

/// Passes over all unfinished points, each in a new shuffled order: first kind by kind, each within
/// its share of the remaining budget, then over all kinds. Probes may request more points when
/// theirs are done.
class Calibrate : public Policy {
  public:
    Calibrate(Campaign& store, std::vector<Point> plan, CalibrateOptions options);

    Result<std::optional<Measurement>> next(double now_s) override;
    Status observe(const Measurement& measurement, const Observation& observation) override;
    void finished(const Measurement& measurement) override;
    Status ended(const EngineStatus& status, double now_s) override;
    std::string progress(const Measurement& measurement, double now_s) const override;

    /// Every point of the plan and why it stopped.
    const std::vector<PointProgress>& points() const { return points_; }
    /// Taken in this session, warm-ups included.
    int samples() const { return samples_; }
    double elapsed_s() const { return elapsed_s_; }

  private:
    /// Starts from the samples that the store already holds.
    Status take_stock();
    /// Adds a point to be measured, with its samples in `stored`.
    void add(const Point& point, std::span<const PointSamples> stored);
    /// Whether an unplanned point is new, differs from a planned one in size and count only, and
    /// has a size that the goal allows.
    bool may_add(const Point& point) const;
    /// Adds the points that probes of the stage request; true if there are any.
    bool refine();
    /// The unfinished points of the next pass.
    std::vector<std::size_t> order_of_pass();
    /// Gives a point up that a rough measurement need not take.
    Status leave_out(PointProgress& progress) const;
    /// Begins the next pass, of this stage or of the next one with unfinished points; false if
    /// there is none.
    bool begin_pass(double now_s);
    /// When a stage ends: it shares the remaining budget with the kinds after it.
    double end_of_stage(double now_s) const;
    /// Empty if there is no time for it.
    std::optional<Measurement> measurement_of(std::size_t index, std::size_t left_in_pass,
                                              double now_s) const;

    /// Expected seconds of one repetition, which may be a loop; 0 if unknown.
    double repetition_s(const PointProgress& progress) const;

    Campaign& store_;
    std::vector<Point> plan_;
    CalibrateOptions options_;
    std::vector<PointProgress> points_;
    std::optional<double> started_s_;
    std::size_t stage_ = 0;      ///< index into kinds(); behind the last: all kinds
    std::string_view kind_ = {}; ///< of the stage; empty: all
    double until_s_ = 0;         ///< when the stage ends
    bool stage_begun_ = false;
    int pass_ = 0;
    std::vector<std::size_t> order_; ///< of the pass
    std::size_t place_ = 0;          ///< of the next one in it
    bool any_measured_ = false;      ///< in the pass
    std::size_t current_ = 0;        ///< point of the last measurement
    int samples_ = 0;
    double elapsed_s_ = 0;
};

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// Which call to measure next: the one that narrows predictions most per second.
#pragma once

#include "predict/choice/choice.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {

/// A call that may be measured, predicted, or both.
struct DesignCall {
    CollectiveProbe probe;
    Choice choice; ///< with complete parameters; the default is the MPI library's own
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0; ///< m
    double weight = 0;            ///< how much its prediction counts; 0: it may only be measured
    std::vector<double> times_s = {}; ///< measured so far

    CorrectedCalls of() const { return CorrectedCalls::on(clusters, probe, choice.is_default()); }
};

struct DesignGoal {
    double precision = 0.1; ///< half-width of a prediction's 90 % interval that is narrow enough
    double most_cost_s = 1; ///< of one measurement
};

/// A measurement that the design proposes.
struct Proposal {
    std::size_t call = 0;
    int repetitions = 1;
    bool warm_up = false; ///< one more repetition goes before
    double cost_s = 0;    ///< expected, warm-up included
};

/// Sequential V-optimal design (Chaloner and Verdinelli 1995, section 2; Gaussian processes as in
/// Sacks et al. 1989): each time the measurement with the largest decrease of the summed, weighted
/// variance of the predicted log times per second of measuring, where variance below the goal
/// counts for nothing. Predictions are baselines with Gaussian-process corrections (Correction).
/// Pure: the caller measures.
class Design {
  public:
    /// `network` has parameters of models; its corrections are ignored. Calls that no model can
    /// predict are left out of everything.
    Design(const Network& network, std::vector<DesignCall> calls, DesignGoal goal);

    const std::vector<DesignCall>& calls() const { return calls_; }
    void add(std::size_t call, double time_s);
    /// Fits the corrections again, to all times so far.
    void refit();
    /// What to measure next: again a call whose few times differ from what all others predict for
    /// it, else the call that reduces the predictions' variance most per second; empty if no
    /// measurement of at most `left_s` reduces any.
    std::optional<Proposal> next(double left_s) const;
    /// The predicted time; empty if it is unknown.
    std::optional<Estimate> predicted_s(std::size_t call) const;
    /// Half-width of the prediction's interval, without the scatter of repetitions.
    double half_width(std::size_t call) const;
    /// Targets whose predictions are narrow enough, and all targets.
    std::pair<int, int> narrow_targets() const;

  private:
    /// Calls of one collective that share a correction.
    struct Group {
        CorrectedCalls of;
        Baseline baseline = {};
        std::size_t compared = 0; ///< calls measured when baselines were last compared
        bool changed = true;      ///< times were added since the last fit
        std::optional<Residual> residual = {};
        std::vector<std::size_t> members = {};
    };

    void fit(Group& group);
    void update(Group& group);
    /// Sets modelled times and traits by the group's baseline.
    void model(Group& group);
    /// The medians of its members that were measured, in their order. Sets their errors.
    std::vector<MeasuredCall> measured_in(const Group& group);
    /// The half-width squared of an interval with so many more repetitions; `smooth` is the
    /// variance of the Gaussian process for this call. An unmeasured call may differ from the
    /// smooth ratio; a measured one is known as well as its own median, which the error of
    /// unmeasured ones does not widen (ExpectedRatio::most_reach).
    double squared_half_width(const Group& group, std::size_t call, double smooth,
                              int more = 0) const;
    Proposal proposal_of(std::size_t call) const;
    /// Of a measurement, with its overhead.
    double cost_s(std::size_t call, int repetitions, double time_s) const;
    bool affordable(const Proposal& proposal, double left_s) const {
        return proposal.cost_s <= std::min(left_s, goal_.most_cost_s);
    }
    /// A call to repeat because its times differ from what others predict; empty if there is none.
    std::optional<Proposal> surprise(const Group& group, double left_s) const;
    /// Variance of the call's median with so many more repetitions; infinite without any.
    double median_variance(const Group& group, std::size_t call, int more) const;

    const Network& network_;
    std::vector<DesignCall> calls_;
    DesignGoal goal_;
    std::vector<Group> groups_;
    std::vector<std::size_t> group_of_; ///< of each call
    std::vector<ModelTime> modelled_;   ///< of each call
    std::vector<CallTraits> traits_;    ///< of each call
    std::vector<double> errors_;        ///< of each call's median, relative
    double reach_ = 0;                  ///< of all predictions (reach_of)
    mutable SimulationCache simulations_;
};

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// One algorithm's time under one model, as a function of its parameters.
#pragma once

#include "network/cost_model.hpp"
#include "predict/forms/closed_forms.hpp"
#include "simulate/simulate.hpp"

namespace alltold {

class SimulationCache;

/// Limits of simulation. One message takes about a microsecond and 150 bytes.
struct Effort {
    double most_messages = 4e6; ///< of one simulation
    /// Estimates calls of more messages instead of refusing them: from fewer segments, by an
    /// inexact closed form, or from fewer ranks; searches few segment sizes. Not those of
    /// all-to-all-v.
    bool estimate = false;
    bool value_only = false;                ///< intervals are not needed
    SimulationCache* simulations = nullptr; ///< of simulations on the same network; may be null
    bool past_slow_start = false;           ///< on links, of all connections
    bool window_share = false; ///< ModelTime::window_share is wanted, at twice the cost
    bool starts_apart = true;  ///< ModelTime::may_lose is to mean ranks that start apart too
    bool corrected = true;     ///< by measurements of the collective, if known
};

/// Times calls of `algorithm`. Everything passed must outlive it; check_model must hold.
class AlgorithmTimer {
  public:
    AlgorithmTimer(const Network& network, const Algorithm& algorithm,
                   const Specification& specification, const Clusters& clusters,
                   const CostModel& model, Effort effort = {});

    Result<ModelTime> operator()(const Parameters& parameters) const;
    /// Whether calls with these parameters are simulated, which takes time for small segments.
    bool simulates(const Parameters& parameters) const;
    /// The time by a closed form, exact or not; empty without one.
    std::optional<ModelTime> formula(const Parameters& parameters) const;
    /// Whether times include what lost bytes may cost.
    bool charges_losses() const;
    /// Largest message in bytes that the model was fitted to; 0: not known.
    double largest_known_bytes() const;

  private:
    /// Without timeout_sd.
    Result<ModelTime> time_of(const Parameters& parameters) const;
    /// `messages` is their number in the whole call.
    Result<ModelTime> simulated(const Parameters& parameters, double messages) const;
    /// Of a call of any number of messages, unless it was simulated before.
    Result<ModelTime> kept_simulation(const Parameters& parameters) const;
    Result<ModelTime> run_simulation(const simulate::EventGraph& graph) const;
    /// The wall time per call of a loop, less the work (Network::loop_work_s).
    Result<ModelTime> run_loop(const simulate::EventGraph& graph) const;
    /// A straight line through two simulations of fewer segments, at most `most_simulated`.
    Result<ModelTime> by_segments(const Parameters& parameters, double most_simulated) const;
    /// From fewer hosts, with fewer ranks on each where they have many, as many as `effort` allows.
    /// `a_segment` is messages_of_a_segment, which builds schedules, here and below.
    Result<ModelTime> by_ranks(const Parameters& parameters, double a_segment) const;
    Result<ModelTime> of_other(const Clusters& clusters, std::uint64_t size_bytes,
                               const Parameters& parameters) const;
    double bytes_s(const Clusters& clusters) const;
    double across_bytes(const Clusters& clusters, Parameters parameters) const;
    ModelTime with_slow_start(ModelTime time, double across) const;
    /// Whether ModelTime::window_share is wanted, and calls on these links may wait for windows.
    bool wants_window_share() const;
    Result<simulate::Times> simulated_on(const Simulated& network,
                                         const simulate::EventGraph& graph,
                                         double Estimate::*rate) const;
    /// Whether buffers overflow if ranks start at random instants, a little apart.
    bool loses_apart(const simulate::EventGraph& graph) const;
    void add_window_waits(ModelTime& time, const simulate::EventGraph& graph, double used_s) const;
    double segments(const Parameters& parameters) const;
    double messages_of_a_segment(const Parameters& parameters) const;
    bool is_exchange(double a_segment) const;
    double most_segments(double a_segment) const;
    /// Of a call with a block of its own size for each pair: all messages.
    double messages_of_pairs(const Parameters& parameters) const;
    /// Messages of a segment by the schedules of `whole`, or of one with fewer segments.
    double counted_messages(const Clusters& clusters, const Specification& whole,
                            Parameters parameters) const;
    /// As counted_messages, by a power law through two smaller numbers of ranks, at most about
    /// `most_built`: schedules of a million ranks take minutes to build.
    double messages_by_ranks(const Parameters& parameters) const;
    /// Whether closed forms describe such calls: not those without bytes, nor operators of their
    /// own.
    bool has_shape() const;
    /// On network `number` of `networks_`.
    CallShape shape_of(const Parameters& parameters, std::size_t number = 0) const;
    /// The form to use if a simulation is too large: an upper bound is preferred to an
    /// approximation, which may be too low.
    const ClosedForm* rough_form(const Parameters& parameters) const;
    ModelTime by(const ClosedForm& form, const Parameters& parameters) const;

    /// The first network if it is a pLogP or link network; else null.
    const PLogP* plogp() const;
    const LinkNetwork* links() const;

    const Network& network_;
    const Algorithm& algorithm_;
    const Specification& specification_;
    const Clusters& clusters_;
    const CostModel& model_;
    Effort effort_;
    /// At the parameters' values, and at the ends of their intervals where they differ; empty where
    /// the model simulates nothing.
    std::vector<Simulated> networks_;
};

} // namespace alltold

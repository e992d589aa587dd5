// SPDX-License-Identifier: BSD-3-Clause
// One algorithm's time under one model, as a function of its parameters.
#pragma once

#include <optional>
#include <vector>

#include "core/estimate.hpp"
#include "network/cost_model.hpp"
#include "predict/algorithm_time.hpp"
#include "predict/closed_forms.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "simulate/simulate.hpp"

namespace alltold {

class SimulationCache;

/// How much may be simulated. One message takes about a microsecond.
struct Effort {
    double most_messages = 16e6; ///< of one simulation
    /// Calls of more messages are estimated and not refused: from fewer segments, by a closed form
    /// that is not exact, or from fewer ranks; and a segment size is searched among few.
    bool estimate = false;
    bool value_only = false;           ///< intervals are not needed
    SimulationCache* memory = nullptr; ///< of simulations on the same network; may be null
    bool past_slow_start = false;      ///< on links, of all connections
    bool corrected = true; ///< by what was measured of the collective, where that is known
};

/// Times calls of `algorithm`. Everything passed must outlive it; check_model must hold.
class AlgorithmTimer {
  public:
    AlgorithmTimer(const Network& network, const Algorithm& algorithm,
                   const Specification& specification, const Clusters& clusters,
                   const CostModel& model, Effort effort = {});

    Result<AlgorithmTime> operator()(const Parameters& parameters) const;
    /// Whether calls with these parameters are simulated, which takes time for small segments.
    bool simulates(const Parameters& parameters) const;
    /// The time by a closed form, exact or not; nothing where there is none.
    std::optional<AlgorithmTime> formula(const Parameters& parameters) const;
    /// Largest message in bytes that the model has seen; 0: not known.
    double largest_known_bytes() const;

  private:
    Result<AlgorithmTime> simulated(const Parameters& parameters) const;
    Result<AlgorithmTime> run_simulation(const Parameters& parameters) const;
    /// A straight line through two simulations of fewer segments; as many as may be simulated.
    Result<AlgorithmTime> by_segments(const Parameters& parameters) const;
    /// A power law through two smaller numbers of ranks, the larger as large as may be simulated.
    Result<AlgorithmTime> by_ranks(const Parameters& parameters) const;
    Result<AlgorithmTime> of_other(const Clusters& clusters, std::uint64_t size_bytes,
                                   const Parameters& parameters) const;
    double across_bytes(const Clusters& clusters, Parameters parameters) const;
    double with_slow_start_s(double time_s, double across) const;
    double segments(const Parameters& parameters) const;
    double messages_of_a_segment(const Parameters& parameters) const;
    CallShape shape_of(const Parameters& parameters) const;
    /// The form to take where simulating is too much: an upper bound before an
    /// approximation, which may flatter.
    const ClosedForm* rough_form(const Parameters& parameters) const;
    AlgorithmTime by(const ClosedForm& form, const Parameters& parameters) const;

    /// The first of the networks where it is one of pLogP, or of links; null else.
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

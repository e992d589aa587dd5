// SPDX-License-Identifier: BSD-3-Clause
// One algorithm's time under one model, as a function of its parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "model/estimate.hpp"
#include "predict/algorithm_models.hpp"
#include "predict/closed_forms.hpp"
#include "simulate/play.hpp"

namespace alltold {

/// A time with its interval, how it was found, and what the buffers could not hold.
struct AlgorithmTime {
    Estimate time_s;
    std::string method;
    double dropped_bytes = 0;
};

/// How much may be simulated. One message takes about a microsecond.
struct Effort {
    double most_messages = 16e6; ///< of one simulation
    /// Calls of more messages, and those for which there is an approximation, are estimated (by a
    /// closed form that is not exact, or from fewer ranks) and not refused, and a segment size is
    /// searched among halves alone where that needs simulations.
    bool estimate = false;
};

/// Times calls of `algorithm`. Everything passed must outlive it; check_model must hold.
class AlgorithmTimer {
  public:
    AlgorithmTimer(const FittedNetwork& network, const Algorithm& algorithm,
                   const Specification& specification, const Clusters& clusters,
                   AlgorithmModel model, Effort effort = {});

    Result<AlgorithmTime> operator()(const Parameters& parameters) const;
    /// Whether calls with these parameters are simulated, which takes time for small segments.
    bool simulates(const Parameters& parameters) const;
    /// Whether a simulation is part of that, in full or of fewer ranks.
    bool needs_play(const Parameters& parameters) const;
    /// Largest message in bytes that the model has seen; 0: not known.
    double largest_known_bytes() const;

  private:
    Result<AlgorithmTime> simulated(const Parameters& parameters) const;
    Result<AlgorithmTime> extrapolated(const Parameters& parameters) const;
    AlgorithmTime smt_equation_7() const;
    CallShape shape_of(const Parameters& parameters) const;
    bool too_large(const Parameters& parameters) const;
    /// The form to take where simulating is too much: an upper bound before an
    /// approximation, which may flatter.
    const ClosedForm* rough_form(const Parameters& parameters) const;
    AlgorithmTime by(const ClosedForm& form, const Parameters& parameters) const;

    const FittedNetwork& network_;
    const Algorithm& algorithm_;
    const Specification& specification_;
    const Clusters& clusters_;
    AlgorithmModel model_;
    Effort effort_;
    /// pLogP and Hockney: at the value, and at the ends of the intervals where they differ.
    std::vector<PLogP> plogp_;
};

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// One algorithm's time under one model, as a function of its parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "model/estimate.hpp"
#include "predict/algorithm_models.hpp"
#include "simulate/play.hpp"

namespace alltold {

/// A time with its interval, how it was found, and what the buffers could not hold.
struct AlgorithmTime {
    Estimate time_s;
    std::string method;
    double dropped_bytes = 0;
};

/// Times calls of `algorithm`. Everything passed must outlive it; check_model must hold.
class AlgorithmTimer {
  public:
    AlgorithmTimer(const FittedNetwork& network, const Algorithm& algorithm,
                   const Specification& specification, const Clusters& clusters,
                   AlgorithmModel model);

    Result<AlgorithmTime> operator()(const Parameters& parameters) const;
    /// Whether calls with these parameters are simulated, which takes time for small segments.
    bool simulates(const Parameters& parameters) const;
    /// Largest message in bytes that the model has seen; 0: not known.
    double largest_known_bytes() const;

  private:
    Result<AlgorithmTime> simulated(const Parameters& parameters) const;
    AlgorithmTime smt_equation_7() const;

    const FittedNetwork& network_;
    const Algorithm& algorithm_;
    const Specification& specification_;
    const Clusters& clusters_;
    AlgorithmModel model_;
    /// pLogP and Hockney: at the value, and at the ends of the intervals where they differ.
    std::vector<PLogP> plogp_;
};

} // namespace alltold

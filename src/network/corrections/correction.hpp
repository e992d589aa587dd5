// SPDX-License-Identifier: BSD-3-Clause
// What measured collectives say of a model's times, and predictions corrected by it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/estimate.hpp"
#include "network/corrections/residual_fit.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "topology/clusters.hpp"

namespace alltold {

struct CostModel;
struct Network;

/// A measured call of one of our algorithms, and what the model says of it.
struct MeasuredCall {
    const Algorithm* algorithm = nullptr;
    Parameters parameters; ///< without clusters
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0; ///< m
    double measured_s = 0;        ///< the median, above 0
    double relative_error = 0;    ///< standard error of the median over the median
    double modelled_s = 0;        ///< above 0
};

/// The traits by which `call` is compared with others. Windows without limit are those of n.
CallTraits traits_of(const Algorithm& algorithm, const Parameters& parameters, int ranks,
                     std::uint64_t size_bytes, double modelled_s);
std::vector<MeasuredRatio> ratios_of(const std::vector<MeasuredCall>& calls);

/// A model that predicted worse what was left out.
struct RejectedModel {
    const CostModel* model = nullptr;
    LeftOut left_out;
};

/// Measured calls of one collective on one cluster, or on several, beside one model.
class Correction {
  public:
    /// One call or more, all of one collective; `fit` is fit_residual's of their ratios.
    Correction(bool several_clusters, const CostModel& model, std::vector<MeasuredCall> calls,
               const ResidualFit& fit, std::vector<RejectedModel> rejected = {});

    Collective collective() const { return calls_.front().algorithm->collective; }
    bool several_clusters() const { return several_clusters_; }
    const CostModel& model() const { return *model_; }
    const std::vector<MeasuredCall>& calls() const { return calls_; }
    const ResidualFit& fit() const { return fit_; }
    const std::vector<RejectedModel>& rejected() const { return rejected_; }

    /// The model's time corrected, with its 90 % interval.
    Estimate time_s(const CallTraits& call) const;
    /// Whether one of the calls is this one.
    bool knows(const Algorithm& algorithm, const Parameters& parameters, const Clusters& clusters,
               std::uint64_t size_bytes) const;

  private:
    bool several_clusters_;
    const CostModel* model_;
    std::vector<MeasuredCall> calls_;
    ResidualFit fit_;
    std::vector<RejectedModel> rejected_;
    Residual residual_;
};

/// That of `collective` on as many clusters, one or several; null where nothing was measured there.
const Correction* correction_of(const Network& network, Collective collective,
                                const Clusters& clusters);

} // namespace alltold

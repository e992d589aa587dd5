// SPDX-License-Identifier: BSD-3-Clause
// gamma, delta and M from measured all-to-all times, and whether the older models do better.
#pragma once

#include <map>

#include "network/json/json_cursor.hpp"
#include "network/plogp/plogp.hpp"
#include "network/signature/signature.hpp"

namespace alltold {

struct AlltoallRun;

/// Parameters of those models, by their keys in a profile (ContentionModel::parameters).
using PaperParameters = std::map<std::string_view, Estimate>;

/// All models as fitted to the same run.
struct PaperModels {
    Signature signature;        ///< SMT07, equation 5
    PaperParameters parameters; ///< of the others
};

/// A model's time of an all-to-all, in seconds.
struct PaperTime {
    std::string_view model;
    double time_s = 0;
};

/// The signature, and every row with a ContentionModel, by the run's weights.
PaperModels fit_paper_models(const AlltoallRun& run);
/// Their parameters before anything was fitted.
PaperModels unfitted_paper_models();

/// The time of an all-to-all of n processes, m bytes per pair, by the signature and by each row in
/// order of preference; without those that need pLogP where `plogp` is null.
std::vector<PaperTime> paper_times_s(const PaperModels& models, const Hockney& network,
                                     const PLogP* plogp, int n, double size_bytes);

/// A number that is fitted, and kept under the signature's "papers" in a profile.
struct ContentionParameter {
    std::string_view key;  ///< among those of all such models
    NumberRange range;     ///< what a profile may hold
    bool interval = false; ///< kept as an estimate, else as a number
    double unfitted = 1;   ///< before anything was fitted
};

/// A model of the library's all-to-all within a cluster. Parameters are those of all models.
struct ContentionModel {
    std::vector<ContentionParameter> parameters = {};
    /// Those of this model, from one run; null: it has none.
    PaperParameters (*fit)(const AlltoallRun& run) = nullptr;
    /// n >= 1 processes, m bytes per pair; `plogp` is null where it is not known.
    double (*time_s)(const PaperParameters& parameters, const Hockney& network, const PLogP* plogp,
                     int n, double size_bytes) = nullptr;
    bool needs_plogp = false;
};

/// How one model does on points it was not fitted to.
struct ModelError {
    std::string name;         ///< of a cost model
    double leave_one_out = 0; ///< median of |predicted - measured| / measured, each point left out
    double leave_one_out_worst = 0;
};

/// `models` with the median and the worst of each one's relative errors (as many lists as models,
/// none empty), best median first.
std::vector<ModelError> with_errors(std::vector<ModelError> models,
                                    std::span<const std::vector<double>> errors);

/// Whether the reference run saturated the network, without which its signature does not carry over
/// to other n (the Myrinet case of SMT07 section 6.3).
enum class Saturation { saturated, not_saturated, unknown };

struct SignatureFit {
    Hockney network;          ///< the alpha and beta it is relative to
    Estimate gamma;           ///< at least 1
    Estimate delta_s;         ///< at least 0
    Estimate threshold_bytes; ///< M
    std::array<double, 3>
        covariance{}; ///< var(gamma), cov(gamma, delta), var(delta), for this M, alpha and beta
    double residual_relative = 0; ///< spread of measured / fitted about 1 at the reference n
    int reference_n = 0;          ///< n' of SMT07: the process count it was fitted at
    double smallest_bytes = 0;
    double largest_bytes = 0;
    std::vector<ModelError> models; ///< best first
    PaperParameters papers;         ///< fitted to the same run; empty in older profiles
    Saturation saturation = Saturation::unknown;
    std::string saturation_reason;   ///< one sentence
    double growth = 0;               ///< SaturationVerdict::growth
    std::vector<double> sizes_bytes; ///< every m it was fitted on, ascending

    /// How many times as long a call on n processes may take as the fit says.
    double may_grow(int n) const {
        return n > reference_n && reference_n > 0
                   ? std::pow(static_cast<double>(n) / reference_n, growth)
                   : 1;
    }
    Signature model() const { return {gamma.value, delta_s.value, threshold_bytes.value}; }
};

/// Fits gamma, delta and M (SMT07 equation 5) at the largest n present, by generalised least
/// squares on the medians with the covariance of the repetitions and of alpha; gamma >= 1 and delta
/// >= 0 are kept. Medians, not the paper's means: one 200 ms time-out would move a mean by more
/// than all the rest.
///
/// M is searched over the measured sizes (at least two must pay delta), and no delta at all is
/// preferred unless the step lowers the weighted squares by more than the best of so many chance
/// steps would. The data can only say between which two sizes M lies: its value is the smallest
/// size that pays, its interval starts at the largest that does not. Without a step, delta and M
/// are 0 and M's interval is all that was measured.
///
/// `eager_limit_bytes`, where it was probed, is a candidate for M that comes from elsewhere: from
/// there on the library sends in another way, and pays more per message. A step between the two
/// sizes around it is one at the limit, and M is the limit plus 1. Where no step stands out among
/// those at all sizes, the one at the limit need only stand out by itself.
///
/// Intervals come from the bootstrap over repetitions, over the errors of alpha and beta
/// (`network.covariance`) and over the model's own error where the medians scatter about the fit
/// more than repetitions explain. Other n present serve to judge saturation. Refuses (status `no`),
/// naming the reason, fewer than four sizes at that n, fewer than three repetitions, times that are
/// not positive and finite, and fits that cannot be distinguished from noise.
/// The papers' other models are fitted to the same medians; BM04's where `plogp` is not null.
Result<SignatureFit> fit_signature(std::span<const Series> alltoall, const HockneyFit& network,
                                   std::uint64_t seed = 1,
                                   const std::optional<Estimate>& eager_limit_bytes = {},
                                   const PLogP* plogp = nullptr);

/// Likewise for alpha and beta known exactly.
Result<SignatureFit> fit_signature(std::span<const Series> alltoall, const Hockney& network,
                                   std::uint64_t seed = 1);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Corrections of a model's times, learned from measured collectives, and corrected predictions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "network/collective_probe.hpp"
#include "network/corrections/residual_fit.hpp"
#include "network/model_time.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "topology/clusters.hpp"

namespace alltold {

struct CostModel;
struct Network;

/// Whether the longest messages of a call, its segments or blocks, exceed the eager limit of the
/// MPI library; false where that is not known.
bool by_rendezvous(const Network& network, const Parameters& parameters, std::uint64_t size_bytes);

/// A measured call, and what the model says of it.
struct MeasuredCall {
    const Algorithm* algorithm = nullptr; ///< null: the MPI library's own
    Parameters parameters;                ///< without clusters
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0; ///< m
    double measured_s = 0;        ///< the median, above 0
    double relative_error = 0;    ///< standard error of the median over the median
    ModelTime modelled = {};
    int repetitions = 0;  ///< 0: not known
    int timed_out = 0;    ///< repetitions that took a time-out longer than the quickest
    bool outlier = false; ///< MeasuredRatio::outlier
    /// Of the repetitions, where some are far quicker than the median, as where others take a
    /// time-out; else 0.
    double lower_quartile_s = 0;

    /// The median with the 90 % interval that the repetitions' scatter gives it.
    Estimate interval_s() const;
};

/// The traits by which `call` is compared with others; windows without limit are those of n.
/// `algorithm` is null for the library's own.
CallTraits traits_of(const Algorithm* algorithm, const Parameters& parameters, int ranks,
                     std::uint64_t size_bytes, const ModelTime& modelled);
std::vector<MeasuredRatio> ratios_of(const std::vector<MeasuredCall>& calls);

/// Where modelled times come from.
struct Baseline {
    const CostModel* model = nullptr;
    /// For the library's collectives: the algorithm of ours whose modelled times come nearest to
    /// the measured ones, whatever the library runs. Null, unless by_defaults: the model's equation
    /// of its all-to-all.
    const Algorithm* resembles = nullptr;
    /// For the library's collectives: each call takes the times of what comes nearest to what the
    /// library runs by default there.
    bool by_defaults = false;

    bool operator==(const Baseline&) const = default;
    /// "links", "bcast.binomial on links", "the library's defaults on links".
    std::string text() const;
};

/// A baseline that predicted worse what was left out.
struct RejectedBaseline {
    Baseline baseline;
    LeftOut left_out;
};

/// The calls that share a correction. Calls on one cluster and on several, with different numbers
/// of ranks per host, and with another start mode than the store's other collectives are corrected
/// separately.
struct CorrectedCalls {
    CollectiveProbe probe;
    bool of_library = false; ///< the MPI library's own, else our algorithms'
    bool several_clusters = false;
    int ranks_per_host = 1; ///< Clusters::most_ranks_of_a_host

    /// Those on clusters like these.
    static CorrectedCalls on(const Clusters& clusters, const CollectiveProbe& probe,
                             bool of_library);

    bool operator==(const CorrectedCalls&) const = default;
    /// "several clusters", "one cluster with 4 ranks per host"
    std::string where() const;
    /// "the library's bcast on several clusters", "our alltoall on one cluster with 4 ranks per
    /// host after a barrier".
    std::string text() const;
};

/// Measured calls beside a baseline. Copies share what was learned from them.
class Correction {
  public:
    /// `calls` are one or more and give the ranks per host; `fit` is fit_residual of their ratios.
    Correction(const CorrectedCalls& of, const Baseline& baseline, std::vector<MeasuredCall> calls,
               const ResidualFit& fit, std::vector<RejectedBaseline> rejected = {});

    const CorrectedCalls& of() const { return of_; }
    const Baseline& baseline() const { return learned_->baseline; }
    const std::vector<MeasuredCall>& calls() const { return learned_->calls; }
    const ResidualFit& fit() const { return learned_->fit; }
    /// Corrections that share their errors have one.
    const Residual& residual() const { return *learned_->residual; }
    const std::vector<RejectedBaseline>& rejected() const { return learned_->rejected; }
    /// By a process that explains calls of other corrections, too, with its kernel.
    Correction explained_by(std::shared_ptr<const Residual> residual,
                            const ResidualKernel& kernel) const;
    /// With intervals of so many deviations each way (ResidualFit::reach).
    Correction reaching(double reach) const;
    /// As of calls from the usual start.
    Correction from_usual_start() const;
    /// For the periods of loops. Rates and losses cost the same there, but start-ups and depth
    /// overlap, so that a loop keeps anything between none and all of the logarithm by which single
    /// calls are off.
    Correction for_loops() const;
    bool of_loops() const { return of_loops_; }

    /// The modelled time corrected, with its 90 % interval.
    Estimate time_s(const CallTraits& call) const;
    /// The measured call with these arguments; null if there is none.
    const MeasuredCall* measured(const Algorithm* algorithm, const Parameters& parameters,
                                 const Clusters& clusters, std::uint64_t size_bytes) const;

  private:
    struct Learned {
        Baseline baseline;
        std::vector<MeasuredCall> calls;
        ResidualFit fit;
        std::vector<RejectedBaseline> rejected;
        std::shared_ptr<const Residual> residual;
    };
    CorrectedCalls of_;
    std::shared_ptr<const Learned> learned_;
    bool of_loops_ = false;
};

/// Lets one process explain the library's calls and ours of the same collective on the same kind of
/// clusters: both rest on the same links, so that their errors go together. Given no `fit`, such
/// corrections as have one kernel, as they are read from a profile.
void share_errors(std::vector<Correction>& corrections,
                  const std::function<ResidualKernel(std::vector<MeasuredRatio>)>& fit = {});

/// Null if none of these calls were measured. Given a Collective, calls from the usual start.
const Correction* correction_of(const Network& network, const CollectiveProbe& probe,
                                const Clusters& clusters, bool of_library);
const Correction* correction_of(const Network& network, Collective collective,
                                const Clusters& clusters, bool of_library = false);

/// What was measured of this very call from the usual start; null if nothing was.
const MeasuredCall* measured_call(const Network& network, Collective collective,
                                  const Algorithm* algorithm, const Parameters& parameters,
                                  const Clusters& clusters, std::uint64_t size_bytes);

/// The network for collectives that follow `start_mode` instead of the usual start: the corrections
/// for that start replace the usual ones, and parameters fitted to the library's collectives from
/// the usual start are left out. After a barrier the library's all-to-alls have the half-duplex
/// factor, if it is known. In a loop times are periods (Network::loop_work_s), with the corrections
/// of single calls (Correction::for_loops).
Network network_after(const Network& network, StartMode start_mode);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// What measured collectives say of a model's times, and predictions corrected by it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/estimate.hpp"
#include "network/collective_probe.hpp"
#include "network/corrections/residual_fit.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "topology/clusters.hpp"

namespace alltold {

struct CostModel;
struct Network;

/// What a model says of a call.
struct ModelledTime {
    double time_s = 0;     ///< 0: the model cannot time it
    double timeout_sd = 0; ///< of log time, by TCP's time-outs
    /// Its longest messages are sent by rendezvous, which a model may know nothing of.
    bool rendezvous = false;
    std::string runs = {}; ///< which of its algorithms the library is taken to run; empty: not known
};

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
    ModelledTime modelled = {};

    /// The median with the 90 % interval that the repetitions' scatter gives it.
    Estimate interval_s() const;
};

/// The traits by which `call` is compared with others; windows without limit are those of n.
/// `algorithm` is null for the library's own.
CallTraits traits_of(const Algorithm* algorithm, const Parameters& parameters, int ranks,
                     std::uint64_t size_bytes, const ModelledTime& modelled);
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

/// Whose calls a correction is about. Those on one cluster and on several, those with other numbers
/// of ranks per host, and those that follow something else than the store's other collectives, are
/// corrected apart.
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

/// Measured calls beside a baseline.
class Correction {
  public:
    /// One call or more, which tell the ranks per host; `fit` is fit_residual's of their ratios.
    Correction(const CorrectedCalls& of, const Baseline& baseline, std::vector<MeasuredCall> calls,
               const ResidualFit& fit, std::vector<RejectedBaseline> rejected = {});

    const CorrectedCalls& of() const { return of_; }
    const Baseline& baseline() const { return baseline_; }
    const std::vector<MeasuredCall>& calls() const { return calls_; }
    const ResidualFit& fit() const { return fit_; }
    const std::vector<RejectedBaseline>& rejected() const { return rejected_; }

    /// The modelled time corrected, with its 90 % interval.
    Estimate time_s(const CallTraits& call) const;
    /// The one of the calls that is this one; null if it was not measured.
    const MeasuredCall* measured(const Algorithm* algorithm, const Parameters& parameters,
                                 const Clusters& clusters, std::uint64_t size_bytes) const;

  private:
    CorrectedCalls of_;
    Baseline baseline_;
    std::vector<MeasuredCall> calls_;
    ResidualFit fit_;
    std::vector<RejectedBaseline> rejected_;
    Residual residual_;
};

/// Null if nothing was measured of these calls; those of a collective are from the usual start.
const Correction* correction_of(const Network& network, const CollectiveProbe& probe,
                                const Clusters& clusters, bool of_library);
const Correction* correction_of(const Network& network, Collective collective,
                                const Clusters& clusters, bool of_library = false);

/// What was measured of this very call from the usual start; null if nothing was.
const MeasuredCall* measured_call(const Network& network, Collective collective,
                                  const Algorithm* algorithm, const Parameters& parameters,
                                  const Clusters& clusters, std::uint64_t size_bytes);

/// The network as collectives find it that follow `start_mode` and not what they usually do: the
/// corrections of those calls take the place of the usual ones, and what was fitted to the
/// library's collectives from the usual start is left out. After a barrier the library's
/// all-to-alls have the half-duplex factor, if it is known.
Network network_after(const Network& network, StartMode start_mode);

} // namespace alltold

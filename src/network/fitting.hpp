// SPDX-License-Identifier: BSD-3-Clause
// A network while its models are fitted: the samples, and the results so far.
#pragma once

#include "network/fit/curve_fit.hpp"
#include "network/network.hpp"

namespace alltold {

/// A model that could not be fitted, with the reason.
struct Refusal {
    std::string what;   ///< "local", "inter_cluster", "alltoall"
    std::string reason; ///< one sentence
};

/// A remark on something that was fitted.
struct FitNote {
    std::string what; ///< as in a refusal
    std::string text; ///< one sentence
};

class Fitting {
  public:
    /// The points must outlive it. Ignores those for which `held_out` is true, which serve to check
    /// predictions. `seed` is of the bootstrap.
    Fitting(std::span<const PointSamples> points, Clusters measured_clusters,
            const std::function<bool(const Point&)>& held_out = {},
            std::uint64_t bootstrap_seed = 1);

    Network network;              ///< fitted so far
    std::vector<Refusal> refused; ///< not fitted, with reasons
    std::vector<FitNote> notes;   ///< on what was fitted, or left out of it
    const Clusters clusters;      ///< of all that was measured
    const std::uint64_t seed;

    void refuse(std::string what, std::string reason) {
        refused.push_back({std::move(what), std::move(reason)});
    }
    void note(std::string what, std::string text) {
        notes.push_back({std::move(what), std::move(text)});
    }
    /// Sets a parameter, or refuses it with the reason.
    template <typename T, typename Into>
    void place(const char* what, Result<T> fit, Into& into) {
        if (fit)
            into = std::move(*fit);
        else
            refuse(what, fit.error().message);
    }

    std::vector<const PointSamples*> sampled(std::string_view probe) const;
    /// The points of a probe that are `wanted`, those with too few repetitions left out.
    std::vector<Series> series(std::string_view probe,
                               const std::function<bool(const Point&)>& wanted = {}) const;
    /// All points of a probe as a curve (fit_curve), those with too few repetitions left out.
    Result<SizeCurve> curve(std::string_view probe, std::string_view what) const;
    /// The points of a probe of two ranks in one cluster, or in two; each pair is a group.
    /// Leaves out those with too few repetitions.
    std::vector<Series> of_pairs(std::string_view probe, bool same_cluster);
    /// Those of the pairs within this cluster.
    std::vector<Series> of_pairs(std::string_view probe, int cluster);
    /// The library's all-to-alls within this cluster with one rank per host. Leaves out those with
    /// too few repetitions.
    std::vector<Series> alltoalls(int cluster);
    /// With the points within this cluster only, refusals and notes of its own, and the same
    /// results.
    Fitting within(int cluster) const;
    /// Notes the points that were left out.
    void note_left_out();

  private:
    /// Where the point's first ranks are; -1 where they are none of these hosts.
    int cluster_of(const Point& point) const;
    /// Those whose two ranks' clusters are `wanted`.
    template <typename Wanted>
    std::vector<Series> of_pairs_where(std::string_view probe, Wanted&& wanted);
    /// Appends the series of a point with enough repetitions.
    void add(std::vector<Series>& series, const PointSamples& samples, int group);

    std::vector<const PointSamples*> points_;
    std::map<std::pair<int, int>, int> pairs_; ///< their groups
    std::vector<std::string> left_out_;
};

/// One point's series; points of one pair of ranks are one group.
Series series_of(const PointSamples& samples);

/// The median and its 95 % interval; the range of values too few for an interval of the median.
Estimate estimate_of(std::span<const double> values);

/// The median and its 95 % interval of every point of a collective of one block size by "mpi"
/// or one of the library's algorithms; with fewer than six repetitions the interval is from the
/// smallest to the largest.
std::vector<LibraryTime> library_times(const Fitting& fitting);

/// Fits all models that the points allow (CostModel::fit), and records the library's times. Refuses
/// models that cannot be fitted, with the reason.
void fit_models(Fitting& fitting);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// A model of the MPI library's own all-to-all under congestion, from all its single times.
#pragma once

#include "network/signature/signature_fit.hpp"

namespace alltold {

/// The time of one call, in seconds. Without loss it is log-normal about `core_s`. Time-outs come
/// at instants spread evenly over that time, a Poisson number of them, whose mean is itself only
/// known as a Gamma variable; one at instant u ends the call no earlier than u + timeout_s, so that
/// early ones of a long call are hidden behind its own traffic. With s(t) the share of instants
/// from which a time-out would last beyond t,
///   P(T <= t) = Phi(ln(t / core_s) / spread) (1 + timeouts s(t) / shape)^-shape,
///   s(t) = 1 - (t - timeout_s) / core_s, between 0 and 1.
struct CongestedTime {
    double core_s = 0;    ///< above 0
    double spread = 0;    ///< standard deviation of ln T without time-outs, above 0
    double timeout_s = 0; ///< what a lost packet costs if no later packet reveals it
    double timeouts = 0;  ///< expected number in one call, 0 or more
    double shape = 1;     ///< of the Gamma distribution of that number's mean, above 0

    double probability_below(double time_s) const;
    /// The time below which calls stay with `probability`, 0 < probability < 1.
    double quantile(double probability) const;
    /// Likelihood of a measured time, per second.
    double density(double time_s) const;
    /// Probability that a call that took `time_s` ended with a time-out and not with its traffic.
    double probability_of_timeout(double time_s) const;

  private:
    /// Distribution and density of the time without time-outs.
    double core_below(double time_s) const;
    double core_density(double time_s) const;
    /// Distribution and density of the last time-out's end.
    double ends_below(double time_s) const;
    double ends_density(double time_s) const;
};

/// An all-to-all to be predicted, or all repetitions of one.
struct CongestedCall {
    int n = 2;             ///< ranks
    double size_bytes = 0; ///< m, per pair
    double wire_s = 0;     ///< what its bytes take on the busiest link, above 0
};
struct CongestedSeries {
    CongestedCall call;
    std::vector<double> times_s;
    /// On several clusters what other models say of the call, all of them fitted to other calls;
    /// the same models for each call.
    std::vector<PaperTime> others = {};
};

/// Which terms of the time without time-outs are there beside W = wire_s:
///   T0 = start + per_process (n - 1) + factor W + [m >= M] W (slow_down + falling / (n - 1)).
struct CongestionForm {
    bool per_process = false; ///< the second term
    bool slows = false;       ///< the fourth term
    bool falling = false;     ///< its dependence on n
    bool operator==(const CongestionForm&) const = default;
    int terms() const { return 2 + per_process + slows + falling; }
};

/// Expected time-outs of one of the n (n - 1) messages: `seen` time-outs in `exposed` messages.
struct TimeoutRate {
    double seen = 0;    ///< a likelihood's estimate, hence not whole
    double exposed = 0; ///< messages that might have met one
    /// Jeffreys' prior of a Poisson rate adds one half: none seen does not mean none ever.
    double shape() const { return seen + 0.5; }
    double per_message() const { return exposed > 0 ? shape() / exposed : 0; }
};

struct CongestionFit {
    int clusters = 1; ///< how many the calls spanned
    CongestionForm form;
    std::vector<double> coefficients; ///< in the order of the form's terms
    std::vector<std::vector<double>> covariance;
    Estimate threshold_bytes;       ///< M, where the form slows: between which sizes it lies
    double spread[2] = {0, 0};      ///< of ln T between repetitions: below M, and from M on
    double model_error[2] = {0, 0}; ///< of ln T0 between points: below M, and from M on
    double least_over_wire = 0;     ///< T0 is never less than this times W
    double buffer_bytes = 0;        ///< of a port, below which nothing is lost; 0: not known
    Estimate timeout_s;             ///< R
    TimeoutRate timeouts[2];        ///< below M, and from M on
    int largest_n = 0, smallest_n = 0;
    double smallest_bytes = 0, largest_bytes = 0;
    /// Which points it was fitted on.
    struct Fitted {
        int n = 2;
        double size_bytes = 0;
        bool operator==(const Fitted&) const = default;
    };
    std::vector<Fitted> fitted;
    std::vector<ModelError> models; ///< on points left out, best first; this one is "congestion"

    /// Whether a call is one of those that are slowed down.
    bool slow(double size_bytes) const { return form.slows && size_bytes >= threshold_bytes.value; }
    /// Whether M may lie at or below this size, though no call that small was seen to be slow.
    bool in_doubt(double size_bytes) const {
        return form.slows && !slow(size_bytes) && size_bytes > threshold_bytes.low;
    }
    /// Whether all that may arrive at a port at once fits into its buffer.
    bool never_overflows(const CongestedCall& call) const {
        return buffer_bytes > 0 && (call.n - 1) * call.size_bytes <= buffer_bytes;
    }
    /// T0 of a call.
    double core_s(const CongestedCall& call) const { return core_s(call, slow(call.size_bytes)); }
    double core_s(const CongestedCall& call, bool slowed) const;
    /// The distribution of a call's time: of a single one, the uncertainty of all parameters in it.
    CongestedTime time(const CongestedCall& call) const {
        return time(call, slow(call.size_bytes));
    }
    CongestedTime time(const CongestedCall& call, bool slowed) const;
};

/// Known before the fit: the network, and what a time-out is likely to take.
struct CongestionPrior {
    HockneyFit network;      ///< for the papers' models in `models`
    double buffer_bytes = 0; ///< of a switch port; 0: not known
    double timeout_s = 0.2;  ///< TCP's least
    /// The papers' models are for one, and then they are fitted to the same calls.
    bool one_cluster = true;
};

/// Fits the model: T0's coefficients by least squares of relative errors on the medians of the
/// repetitions that no time-out ended, M over the sizes measured, the form by leaving out each n
/// and each m in turn, time-outs and their length by maximum likelihood on all single times, in
/// turn until they agree. Refuses (status `no`), naming the reason, fewer than five points, fewer
/// than four sizes, fewer than two n, fewer than three repetitions, times that are not positive,
/// and a model that predicts points left out no better than the papers' do.
Result<CongestionFit> fit_congestion(std::span<const CongestedSeries> measured,
                                     const CongestionPrior& prior);

} // namespace alltold

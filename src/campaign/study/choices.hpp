// SPDX-License-Identifier: BSD-3-Clause
// The rules' choices, compared with the MPI library's own.
#pragma once

#include "store/tuned_calls.hpp"

namespace alltold::campaign {

/// Medians of the chosen algorithm and the library.
struct ChosenTimes {
    Estimate chosen_s, library_s;

    double gain() const { return library_s.value / chosen_s.value; }
    bool faster() const { return gain() >= 1 + Terms().worth; }
    bool slower() const { return gain() * (1 + Terms().worth) <= 1; }
};

/// One call and what algorithm auto would run for it; times once they are known.
struct ChosenCall {
    Collective collective = Collective::bcast;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    std::string algorithm = "mpi"; ///< as a choice is written
    double bound_s = 0;            ///< 0 where no rate is known
    std::optional<ChosenTimes> timed = {};
    /// One of ours that a rule for calls from the study's other start mode (second_start) names,
    /// where `algorithm` is the library's own; else empty.
    std::string second_algorithm = {};
    /// The same as `timed` from that start, of second_algorithm if there is one; all-to-alls only.
    std::optional<ChosenTimes> second = {};

    /// One of ours that its rule names for loops, and how many times as fast as the library's own
    /// it is expected to be there; empty and 1 where none is.
    std::string loop_algorithm = {};
    double loop_gain = 1;

    /// Unless `timed`: times of the choice and of the library's own, measured or else predicted.
    std::optional<Estimate> untimed_s = {}, untimed_library_s = {};

    std::string name() const { return std::string(name_of(collective)); }
    /// Whether one of ours was chosen that the times show to be slower than the library's own.
    bool loses() const { return algorithm != "mpi" && timed && timed->slower(); }
    /// Whether one of ours runs from the other start mode alone, and is faster there.
    bool gains_from_second() const {
        return !second_algorithm.empty() && second && second->faster();
    }
    /// The probe of its times from that start mode.
    std::string second_probe(StartMode start_mode) const {
        return CollectiveProbe{collective, start_mode}.text();
    }
};

/// Calls of `collectives` on these hosts from `start_mode`, by the profile's rules; all-to-alls by
/// those for calls from any start, and second_algorithm by those for second_start(start_mode).
std::vector<ChosenCall> chosen_calls(const Profile& profile, const Clusters& hosts,
                                     std::span<const std::uint64_t> sizes_bytes,
                                     StartMode start_mode,
                                     std::span<const Collective> collectives = studied_collectives);

/// As chosen_calls, but decides each call by itself (Decider), as rules would if they covered no
/// other call, which takes a tenth of the time that rules take.
std::vector<ChosenCall>
decided_calls(const Network& network, StartMode start_mode, const Clusters& hosts,
              std::span<const std::uint64_t> sizes_bytes,
              std::span<const Collective> collectives = studied_collectives);

/// The calls, each with the algorithms to time beside the library's own: the one of ours that is
/// chosen, else those that may be faster than the library. All-to-alls also from the second start.
/// Uses the times in `measured`.
std::vector<TunedCall> calls_to_time(std::span<const ChosenCall> calls, const Profile& profile,
                                     std::span<const PointSamples> measured, StartMode start_mode);

/// Copies the times of these calls from `measured`, which a study with `start_mode` took.
void add_times(std::span<ChosenCall> calls, std::span<const PointSamples> measured,
               StartMode start_mode);

/// For calls that are not `timed`, predicts the times that were not measured.
void add_predictions(std::span<ChosenCall> calls, const Network& network);

/// The gain in `times` of the chosen algorithm: "2.04x", "tie", or "-" where that is the library's
/// own or nothing is known.
std::string gain_text(std::string_view algorithm, const std::optional<ChosenTimes>& times);
/// The same from the usual start, or "predicted" where not both times were measured.
std::string gain_text(const ChosenCall& call);
/// Times of the choice and of the library's own, measured or else predicted; "-" without any, "not
/// known" where the prediction says nothing.
std::string time_text(const ChosenCall& call);
std::string library_time_text(const ChosenCall& call);
std::string over_bound_text(const ChosenCall& call);

/// The largest gain over the library; null where nothing is faster.
const ChosenCall* best_of(std::span<const ChosenCall> calls);

nlohmann::ordered_json choices_to_json(std::span<const ChosenCall> calls);

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// The rules' choices, compared with the MPI library's own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/median.hpp"
#include "network/collective_probe.hpp"
#include "network/network.hpp"
#include "predict/choice.hpp"
#include "predict/safe_choice.hpp"
#include "schedule/specification.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"
#include "store/tuned_calls.hpp"

namespace alltold::campaign {

/// Medians of the chosen algorithm and the library.
struct ChosenTimes {
    Estimate chosen_s, library_s;

    double gain() const { return library_s.value / chosen_s.value; }
    bool faster() const { return gain() >= worth_gaining; }
    bool slower() const { return gain() <= 1 / worth_gaining; }
};

/// One call and what algorithm auto would run for it; times once they are known.
struct ChosenCall {
    Collective collective = Collective::bcast;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    std::string algorithm = "mpi"; ///< as a choice is written
    double bound_s = 0;            ///< 0 where no rate is known
    std::optional<ChosenTimes> timed = {};
    /// The same from the study's other start mode (second_start); all-to-alls only.
    std::optional<ChosenTimes> second = {};

    /// Unless `timed`: of the choice and of the library's own what was measured, else predicted.
    std::optional<Estimate> untimed_s = {}, untimed_library_s = {};

    std::string name() const { return std::string(name_of(collective)); }
    /// Whether one of ours was chosen that the times show to be slower than the library's own.
    bool loses() const { return algorithm != "mpi" && timed && timed->slower(); }
    /// The probe of its times from that start mode.
    std::string second_probe(StartMode start_mode) const {
        return CollectiveProbe{collective, start_mode}.text();
    }
};

/// Calls of `collectives` on these hosts, by the profile's rules.
std::vector<ChosenCall> chosen_calls(const Profile& profile, const Clusters& hosts,
                                     std::span<const std::uint64_t> sizes_bytes,
                                     std::span<const Collective> collectives = studied_collectives);

/// The calls with what is to be timed beside the library's own: what the rules choose of ours, else
/// what may be quicker than it. All-to-alls also from the second start. Times in `measured` count.
std::vector<TunedCall> calls_to_time(std::span<const ChosenCall> calls, const Profile& profile,
                                     std::span<const PointSamples> measured, StartMode start_mode);

/// Takes what `measured` holds of them, by a study from `start_mode`.
void add_times(std::span<ChosenCall> calls, std::span<const PointSamples> measured,
               StartMode start_mode);

/// Predicts what was not measured of calls that are not `timed`.
void add_predictions(std::span<ChosenCall> calls, const Network& network);

/// What `times` gain: "2.04x", "tie", or "-" where the library's own was chosen or nothing is
/// known.
std::string gain_text(const ChosenCall& call, const std::optional<ChosenTimes>& times);
/// The same from the usual start, or "predicted" where not both times were measured.
std::string gain_text(const ChosenCall& call);
/// Of the choice and of the library's own: measured or else predicted; "-" where not known.
std::string time_text(const ChosenCall& call);
std::string library_time_text(const ChosenCall& call);
std::string over_bound_text(const ChosenCall& call);

/// The largest gain over the library; null where nothing is faster.
const ChosenCall* best_of(std::span<const ChosenCall> calls);

/// Which of the rules' choices lose, a note each; tables show the library's own there.
std::string losses_text(std::span<const ChosenCall> calls);

/// One line a call: what was chosen, its time, the library's, the ratio, the time over the bound.
std::string choice_table(std::span<const ChosenCall> calls);
/// The same of the calls timed from the second start; empty without any.
std::string second_start_table(std::span<const ChosenCall> calls);

nlohmann::ordered_json choices_to_json(std::span<const ChosenCall> calls);

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// What is known of a network, small enough to read: the JSON profile.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "network/congestion_fit.hpp"
#include "network/hockney_fit.hpp"
#include "network/signature_fit.hpp"
#include "predict/network.hpp"
#include "store/campaign.hpp"

namespace alltold {

/// A model that was tried and refused, and why.
struct Refusal {
    std::string what;   ///< "local", "wide", "alltoall signature of cluster 0"
    std::string reason; ///< one sentence
};

/// Parameters with intervals, where they came from and how far they reach. Units are in the JSON
/// keys.
struct Profile {
    std::string name;      ///< the file's stem, or "@gigabit-ethernet-2007"
    std::string source;    ///< the campaign it was fitted from, or the paper and section
    std::string assumed;   ///< what the source did not give and we assumed; empty if nothing
    Provenance provenance; ///< empty hosts where a paper names none
    std::optional<HockneyFit> local;         ///< between hosts of one cluster
    std::optional<HockneyFit> wide;          ///< between hosts of different clusters
    std::optional<SignatureFit> alltoall;    ///< the library's own all-to-all within one cluster
    std::optional<CongestionFit> congestion; ///< the same, all single times, all process counts
    std::optional<PLogP> plogp;              ///< between hosts of one cluster
    std::optional<ClusterModel> cluster;     ///< the hosts of one cluster and their switch
    std::optional<LinkNetwork> links;        ///< ports, their queues, the backbone
    std::vector<Refusal> refused;
    std::vector<LibraryTime> library;    ///< the MPI library's own collectives, as measured
    std::vector<Correction> corrections; ///< our algorithms, measured and modelled
    std::vector<std::string> rules;      ///< what to run, one rule a line: made from all the above

    /// What predictions are made from.
    Network network() const {
        return {local,   wide,  alltoall, assumed,     plogp,
                cluster, links, library,  corrections, congestion};
    }
};

/// Reads a profile from a JSON file, or a built-in one when `name` starts with '@'.
/// Fails naming the file and the JSON field that is missing, has the wrong type or the wrong unit,
/// or is out of range; an unknown '@' name lists the known ones.
Result<Profile> load_profile(std::string_view name);

/// Writes it, through a temporary file, so that a full disk leaves the old one whole.
Status save_profile(const Profile& profile, const std::filesystem::path& path);

/// The published networks: "@fast-ethernet-2007", "@gigabit-ethernet-2007", "@myrinet-2007",
/// "@nancy-rennes-2007", "@fast-ethernet-1999".
const std::vector<Profile>& builtin_profiles();

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// All that is known of a network, small enough to read: the JSON profile, with its rules.
#pragma once

#include <filesystem>

#include "predict/corrections/algorithm_errors.hpp"
#include "predict/decide/decide.hpp"
#include "predict/rules/rule.hpp"

namespace alltold {

/// A network, where its parameters came from and what follows from them. Units are in the JSON
/// keys.
struct Profile {
    std::string name;      ///< the file's stem, or "@gigabit-ethernet-2007"
    std::string source;    ///< the campaign it was fitted from, or the paper and section
    Provenance provenance; ///< empty hosts where a paper names none
    Network network;       ///< what predictions are made from
    std::vector<Refusal> refused;
    std::vector<FitNote> notes;
    std::vector<std::string> rules; ///< what to run, one rule a line: made from all the above
    std::vector<AlgorithmErrors> algorithm_errors = {}; ///< as errors_of_algorithms orders them
};

/// Reads a profile from a JSON file, or a built-in one when `name` starts with '@'.
/// Fails naming the file and the JSON field that is missing, has the wrong type or the wrong unit,
/// or is out of range; an unknown '@' name lists the known ones.
Result<Profile> load_profile(std::string_view name);

/// Whether save_profile may write this file: fails as may_replace does, and for the name of a
/// built-in profile.
Status may_save_profile(const std::filesystem::path& path);

/// Fails as may_save_profile does. Writes it, through a temporary file, so that a full disk leaves
/// the old one whole.
Status save_profile(const Profile& profile, const std::filesystem::path& path);

/// The published networks: "@fast-ethernet-2007", "@gigabit-ethernet-2007", "@myrinet-2007",
/// "@nancy-rennes-2007", "@fast-ethernet-1999".
const std::vector<Profile>& builtin_profiles();

/// Parses the profile's rules. Fails, naming the profile and the rule, for an invalid rule.
Result<std::vector<Rule>> rules_of(const Profile& profile);

/// Replaces the profile's rules by those that its network decides (decision_table). Given `calls`,
/// only by those that calls on these follow.
void make_rules(Profile& profile, std::vector<Clusters> calls = {}, const Terms& terms = {});

} // namespace alltold

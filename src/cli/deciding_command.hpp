// SPDX-License-Identifier: BSD-3-Clause
// The command that measures what predictions leave open.
#pragma once

#include <string>

#include "predict/choice/rank.hpp"
#include "store/profile.hpp"

namespace alltold::cli {

/// The tune that times the candidates of the ranking's call, on the network of `profile`, read from
/// `file`: in a lab like the one whose truth a study left beside it, else under mpirun.
std::string deciding_command(const std::string& file, const Profile& profile,
                             const Ranking& ranking);

} // namespace alltold::cli

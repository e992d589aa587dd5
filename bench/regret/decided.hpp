// SPDX-License-Identifier: BSD-3-Clause
// The choice that alltold makes for a call, by the code as it is.
#pragma once

#include <vector>

#include "core/result.hpp"
#include "network/collective_probe.hpp"
#include "predict/choice/choice.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold::regret {

/// The profile that a study with these measurements makes, without what it decides.
Result<Profile> fitted(const Campaign& campaign);

/// Adds what a study decides for all calls at once.
void decide_all(Profile& profile);

/// The choice that `alltold run --algorithm auto --profile` runs first, and then what else the rule
/// names: programs compare all of it with the library's own.
Result<std::vector<Choice>> decided(const Profile& profile, Collective collective,
                                    const Clusters& clusters, std::uint64_t size_bytes,
                                    StartMode start);

} // namespace alltold::regret

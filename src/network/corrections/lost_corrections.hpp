// SPDX-License-Identifier: BSD-3-Clause
// What is not known of calls that follow another start than those measured.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "network/corrections/correction.hpp"

namespace alltold {

/// The corrections that network_after leaves out of its result, because none of these calls were
/// measured from the start that was asked for: each with its number of calls.
struct LostCorrections {
    StartMode start_mode = StartMode::silence;
    std::vector<std::pair<CorrectedCalls, std::size_t>> of;
};

/// One sentence that says so of the library's or our `collective` on such clusters; empty where no
/// correction was left out.
std::string lost_correction_text(const Network& network, Collective collective,
                                 const Clusters& clusters, bool of_library);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Finds the calls among those left out.
#include "network/corrections/lost_corrections.hpp"

#include <fmt/format.h>

#include "network/network.hpp"

namespace alltold {

std::string lost_correction_text(const Network& network, Collective collective,
                                 const Clusters& clusters, bool of_library) {
    const auto& lost = network.lost_corrections;
    const auto asked = CorrectedCalls::on(clusters, {collective}, of_library);
    if (lost)
        for (const auto& [of, calls] : lost->of)
            if (of == asked)
                return fmt::format("{} {} on {} was not measured {}: the time is the "
                                   "model's, not corrected by the {} calls that were measured "
                                   "from another start",
                                   of_library ? "the MPI library's" : "alltold's",
                                   name_of(collective), of.where(), in_words(lost->start_mode),
                                   calls);
    return "";
}

} // namespace alltold

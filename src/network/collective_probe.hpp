// SPDX-License-Identifier: BSD-3-Clause
// The probe of a collective: which one, and what its repetitions follow.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "network/start_mode.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// Written "alltoall"; or "barrier:alltoall" if the repetitions have another start mode than the
/// store's other collectives (Provenance::start_mode), and then only corrections are fitted to it;
/// or "within:alltoall" for the ranks of one cluster other than the first, from Point::first_rank
/// on, and then only the cluster's signature is fitted to it.
struct CollectiveProbe {
    Collective collective = Collective::alltoall;
    std::optional<StartMode> start_mode = {};
    bool within = false; ///< then without a start mode of its own

    bool operator==(const CollectiveProbe&) const = default;
    /// Empty for another probe.
    static std::optional<CollectiveProbe> parse(std::string_view text);
    std::string text() const;
};

/// What the repetitions of a probe follow in a store whose others follow `usual`.
StartMode start_mode_of(std::string_view probe, StartMode usual);

} // namespace alltold

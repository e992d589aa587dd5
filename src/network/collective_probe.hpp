// SPDX-License-Identifier: BSD-3-Clause
// The probe of a collective: which one, and what its repetitions follow.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "network/start_mode.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// Written "alltoall", or "barrier:alltoall" where repetitions follow something else than those of
/// the store's other collectives (Provenance::start_mode). The latter only give corrections. Or
/// "within:alltoall" where the ranks are those of one cluster that is not the first, from
/// Point::first_rank on, from which its signature is fitted and nothing else.
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

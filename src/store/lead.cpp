// SPDX-License-Identifier: BSD-3-Clause
// Names of leads.
#include "store/lead.hpp"

#include <fmt/format.h>

namespace alltold {

std::string_view name_of(Lead lead) {
    switch (lead) {
    case Lead::silence:
        return "silence";
    case Lead::barrier:
        return "barrier";
    case Lead::back_to_back:
        break;
    }
    return "back-to-back";
}

Result<Lead> parse_lead(std::string_view text) {
    for (const auto lead : {Lead::silence, Lead::barrier, Lead::back_to_back})
        if (name_of(lead) == text)
            return lead;
    return bad_input(fmt::format("'{}' is none of silence, barrier, back-to-back", text));
}

} // namespace alltold

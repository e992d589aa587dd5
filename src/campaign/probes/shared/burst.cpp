// SPDX-License-Identifier: BSD-3-Clause
// Posting all, then waiting for all.
#include "campaign/probes/shared/burst.hpp"

#include "campaign/engine/tags.hpp"
#include "core/result.hpp"

namespace alltold::campaign {
namespace {

constexpr double longest_nap_in_burst_s = 50e-6;

} // namespace

Status Burst::send(int target) {
    mpi::Requests all;
    for (int i = 0; i < count_; ++i)
        ALLTOLD_TRY_DONE(all.send(over_, message(i), target, tag_pingpong));
    return all.wait_napping(longest_nap_in_burst_s);
}

Status Burst::receive(int source) {
    mpi::Requests all;
    for (int i = 0; i < count_; ++i)
        ALLTOLD_TRY_DONE(all.receive(over_, message(i), source, tag_pingpong));
    return all.wait_napping(longest_nap_in_burst_s);
}

} // namespace alltold::campaign

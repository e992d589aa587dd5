// SPDX-License-Identifier: BSD-3-Clause
// The choices made where the caller makes none.
#include "runtime/choice.hpp"

#include <cassert>
#include <string_view>

namespace alltold {
namespace {

/// Empty: the MPI library's own.
constexpr std::string_view default_name(Collective collective) {
    switch (collective) {
    case Collective::bcast:
        return "bcast.binomial";
    case Collective::scatter:
        return "scatter.binomial";
    case Collective::gather:
        return "gather.binomial";
    case Collective::alltoall:
    case Collective::alltoallv:
        return "alltoall.pairwise";
    default:
        return "";
    }
}

} // namespace

Choice default_choice(Collective collective) {
    const auto name = default_name(collective);
    if (name.empty())
        return {};
    const auto algorithm = find_algorithm(name);
    assert(algorithm);
    return {*algorithm, {}};
}

} // namespace alltold

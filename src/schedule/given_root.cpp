// SPDX-License-Identifier: BSD-3-Clause
// Checks that the collective has a root, and that it is a rank.
#include "schedule/given_root.hpp"

#include <fmt/format.h>

namespace alltold {

Result<int> given_root(Collective collective, int ranks, std::optional<int> root) {
    if (!root)
        return 0;
    if (!traits_of(collective).rooted)
        return bad_input(fmt::format("--root: {} has no root; leave it out", name_of(collective)));
    if (*root < 0 || *root >= ranks)
        return bad_input(fmt::format("--root {}: must be a rank from 0 to {}", *root, ranks - 1));
    return *root;
}

} // namespace alltold

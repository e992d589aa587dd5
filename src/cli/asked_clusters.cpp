// SPDX-License-Identifier: BSD-3-Clause
// Reads --clusters and -n.
#include "cli/asked_clusters.hpp"

#include <fmt/format.h>

#include "core/limits.hpp"

namespace alltold::cli {

Result<Clusters> parse_clusters(const std::string& text) {
    return in_context("--clusters", Clusters::parse(text));
}

Result<Clusters> asked_clusters(const std::string& text, std::optional<int> n, int least) {
    if (n && (*n < least || *n > most_ranks))
        return bad_input(
            fmt::format("-n {}: must be at least {} and at most {}", *n, least, most_ranks));
    if (text.empty()) {
        if (!n)
            return bad_input("-n or --clusters is missing, such as -n 8 or --clusters 3+7");
        return Clusters({*n});
    }
    auto clusters = parse_clusters(text);
    if (clusters && n && *n != clusters->ranks())
        return bad_input(fmt::format("-n {} contradicts the {} ranks of --clusters {}; give only "
                                     "one of them",
                                     *n, clusters->ranks(), clusters->text()));
    return clusters;
}

} // namespace alltold::cli

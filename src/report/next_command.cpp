// SPDX-License-Identifier: BSD-3-Clause
// Writes command lines.
#include "report/next_command.hpp"

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold {

std::string ranks_option(const Clusters& clusters) {
    const bool flat = clusters.count() == 1 && clusters.one_rank_per_host();
    return fmt::format("{} {}", flat ? "-n" : "--clusters", clusters.text());
}

std::string size_option(Collective collective, std::uint64_t size_bytes) {
    return traits_of(collective).has_data ? " -m " + format_size_word(size_bytes) : "";
}

std::string rank_command(const std::string& command, const std::string& profile,
                         Collective collective, const Clusters& clusters,
                         std::uint64_t size_bytes) {
    return fmt::format("{} rank {} {} {}{} --why", command, profile, name_of(collective),
                       ranks_option(clusters), size_option(collective, size_bytes));
}

} // namespace alltold

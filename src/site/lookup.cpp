// SPDX-License-Identifier: BSD-3-Clause
// The first folder with a network for the job.
#include "site/lookup.hpp"

#include <utility>

#include <fmt/format.h>

namespace alltold::site {
namespace {

std::string why_of(const SiteNetwork& network, const std::optional<FoundProfile>& found,
                   const SiteFolder& folder, const LibraryVersion& library) {
    const auto where = fmt::format("network '{}' of {} ({}) names all hosts", network.name,
                                   folder.path.string(), folder.from);
    if (!found)
        return fmt::format("{}, but has no profile: usual trials run", where);
    const auto file = fmt::format("profile {}: {}", found->profile.file.string(), where);
    switch (found->suits) {
    case Suits::same:
        return fmt::format("{}; it is of this MPI library, {}", file, library.text());
    case Suits::other_version:
        return fmt::format("{}; it is of {}, the nearest to {} there: its network holds, and its "
                           "choices are compared with this version's own",
                           file, found->profile.library.text(), library.text());
    case Suits::other_library:
        break;
    }
    return fmt::format("{}; it is of {}, there is none of {}: its choices are trials only", file,
                       found->profile.library.text(), library.library);
}

} // namespace

Result<std::optional<SiteKnowledge>> look_up(std::span<const std::string> hosts,
                                             const LibraryVersion& library, std::string& why_not) {
    for (const auto& folder : site_folders()) {
        ALLTOLD_TRY(networks, read_site(folder.path));
        std::string missing;
        if (const auto* const network = network_of(*networks, hosts, missing)) {
            auto found = profile_for(*network, library);
            auto why = why_of(*network, found, folder, library);
            return std::optional(SiteKnowledge{*network, std::move(found), std::move(why)});
        }
        why_not += fmt::format("{}no network of {} ({}) names {}", why_not.empty() ? "" : "; ",
                               folder.path.string(), folder.from,
                               missing.empty() ? "any host" : "host " + missing);
    }
    return std::optional<SiteKnowledge>();
}

} // namespace alltold::site

// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 reads, and hands the texts on.
#include "preload/site_of_job.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "core/environment.hpp"
#include "core/text.hpp"
#include "network/json/profile_network.hpp"
#include "preload/agreement.hpp"
#include "preload/observer.hpp"
#include "preload/process.hpp"
#include "site/give_back.hpp"
#include "site/lookup.hpp"

namespace alltold::preload {
namespace {

using Texts = std::vector<mpi::NamedText>; // as in SiteOfJob, or none

constexpr const char* for_trials = "trials";

std::string library_text() {
    std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
    int length = 0;
    PMPI_Get_library_version(text.data(), &length);
    text.resize(static_cast<std::size_t>(length));
    return text;
}

/// On rank 0.
Result<Texts> texts_for(const std::vector<std::string>& hosts) {
    const auto library = site::library_version(library_text());
    if (!library)
        return Texts();
    std::string why_not;
    ALLTOLD_TRY(found, site::look_up(hosts, *library, why_not));
    if (!*found) {
        if (observes() || !variable("ALLTOLD_SITE").empty())
            say(fmt::format("alltold: {}\n", why_not));
        return Texts();
    }
    const auto& [network, profile, why] = **found;
    if (observes() || (profile && profile->suits != site::Suits::same))
        say(fmt::format("alltold: {}\n", why));
    mpi::NamedText rules;
    if (profile) {
        ALLTOLD_TRY(text, read_profile_file(profile->profile.file, "a profile of a site"));
        rules = {profile->profile.file.string(), std::move(*text)};
    }
    const auto learned = network.folder / site::learned_file;
    const bool trials_only = profile && profile->suits == site::Suits::other_library;
    return Texts{std::move(rules),
                 {(network.folder / site::hosts_file).string(), network.hosts_text},
                 {learned.string(), site::read_learned(learned).of(library->text()).text()},
                 {library->text(), trials_only ? for_trials : ""}};
}

} // namespace

Result<std::optional<SiteOfJob>> site_of_job() {
    const auto hosts = hosts_of_ranks();
    auto texts = mpi::broadcast_texts([&] { return texts_for(hosts); }, MPI_COMM_WORLD);
    if (!texts)
        return texts.error();
    if (texts->empty())
        return std::optional<SiteOfJob>();
    auto& [library, use] = (*texts)[3];
    return std::optional(SiteOfJob{std::move((*texts)[0]), std::move((*texts)[1]),
                                   std::move((*texts)[2]), std::move(library), use == for_trials});
}

} // namespace alltold::preload

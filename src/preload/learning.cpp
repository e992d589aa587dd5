// SPDX-License-Identifier: BSD-3-Clause
// Looks for a profile on rank 0; without one, loads liballtold-learn and runs its study.
#include "preload/learning.hpp"

#include <cstdio>
#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include "core/hash.hpp"
#include "core/say.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "learn/learn.hpp"
#include "preload/agreement.hpp"
#include "preload/process.hpp"
#include "preload/settings.hpp"
#include "preload/where.hpp"
#include "runtime/environment.hpp"

namespace alltold::preload {
namespace {

namespace fs = std::filesystem;
using Profiles = std::vector<mpi::NamedText>; // none or one

Result<double> budget_s() {
    const auto text = variable("ALLTOLD_LEARN");
    const auto budget_s = parse_time(text);
    if (!budget_s || *budget_s <= 0)
        return bad_input(fmt::format("ALLTOLD_LEARN: '{}' is not a time, such as 60s", text));
    return *budget_s;
}

/// The folder of the profile of these hosts, by rank, and of its campaign.
Result<fs::path> folder_for(const std::vector<std::string>& hosts) {
    auto cache = variable("XDG_CACHE_HOME");
    if (cache.empty() && !variable("HOME").empty())
        cache = variable("HOME") + "/.cache";
    if (cache.empty())
        return environment("ALLTOLD_LEARN: neither XDG_CACHE_HOME nor HOME says where to keep a "
                           "profile");
    Hash hash;
    hash.add(ALLTOLD_MPI_NAME);
    for (const auto& host : hosts)
        hash.add(host);
    return fs::path(cache) / "alltold" / fmt::format("{:016x}", hash.value());
}

/// The file that ALLTOLD_PROFILE names for a profile to be made; empty: none.
fs::path wanted_file() {
    const fs::path named = variable("ALLTOLD_PROFILE");
    std::error_code failed;
    return named.empty() || fs::exists(named, failed) ? fs::path() : named;
}

/// Whether its rules can be used on these hosts without taking any for another.
bool knows(const Profiles& profile, const std::vector<std::string>& hosts) {
    const auto settings = read_settings(profile);
    if (!settings)
        return false;
    const auto places =
        places_of_ranks(*settings, hosts, [&] { return std::vector<std::uint64_t>(hosts.size()); });
    return places && places->taken.empty();
}

/// None: one is to be measured.
Result<Profiles> kept_profile(const std::vector<std::string>& hosts) {
    if (!variable("ALLTOLD_PROFILE").empty() && wanted_file().empty()) {
        auto named = read_profile_text();
        if (!named || knows(*named, hosts))
            return named;
    }
    const auto folder = folder_for(hosts);
    if (!folder)
        return folder.error();
    const auto file = *folder / "profile.json";
    std::error_code failed;
    if (!fs::exists(file, failed))
        return Profiles();
    auto text = read_text_file(file, "a profile made by ALLTOLD_LEARN");
    if (!text)
        return text.error();
    return Profiles{{file.string(), std::move(*text)}};
}

Learn* learn() {
    Dl_info info{};
    if (!dladdr(reinterpret_cast<const void*>(&learns), &info) || !info.dli_fname)
        return nullptr;
    const auto file = fs::path(info.dli_fname).parent_path() / learn_library;
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<Learn*>(dlsym(library, learn_function)) : nullptr;
}

/// Rank 0's part before the study: the folder.
Status prepare(const fs::path& folder, double budget_s) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed)
        return environment(fmt::format("ALLTOLD_LEARN: {}: {}", folder.string(), failed.message()));
    const auto wanted = wanted_file();
    say(fmt::format("alltold: learning this network for {}, to keep it in {}\n",
                    format_time(budget_s), (wanted.empty() ? folder : wanted).string()));
    std::fflush(stderr);
    return Done{};
}

/// Rank 0's part after it.
Result<Profiles> finished(const fs::path& folder) {
    const auto file = folder / "profile.json";
    auto text = read_text_file(file, "a profile made by ALLTOLD_LEARN");
    if (!text)
        return text.error();
    const auto wanted = wanted_file();
    if (wanted.empty())
        return Profiles{{file.string(), std::move(*text)}};
    if (auto saved = replace_text_file(wanted, *text, {"a profile", "\"alltold profile\""}); !saved)
        return saved.error();
    return Profiles{{wanted.string(), std::move(*text)}};
}

/// The error of rank 0, or of any rank, on every rank.
Status all(const Status& mine) {
    return agree({0, mine ? "" : mine.error().message});
}

} // namespace

bool learns() {
    return !variable("ALLTOLD_LEARN").empty();
}

Result<std::uint64_t> learn_request() {
    if (const auto asked = budget_s(); !asked)
        return asked.error();
    Hash hash;
    for (const auto* name : {"ALLTOLD_LEARN", "ALLTOLD_PROFILE", "ALLTOLD_RULES",
                             "ALLTOLD_CLUSTERS", "ALLTOLD_HOSTFILE"})
        hash.add(variable(name));
    return hash.value();
}

Result<Profiles> learned_profile() {
    const auto hosts = hosts_of_ranks();
    auto kept = mpi::broadcast_texts([&] { return kept_profile(hosts); }, MPI_COMM_WORLD);
    if (!kept || !kept->empty() || hosts.size() < 2)
        return kept;
    auto* const study = learn();
    auto ready = study ? Status(Done{})
                       : environment(fmt::format("ALLTOLD_LEARN: cannot load {}", learn_library));
    const double time_s = *budget_s();
    LearnRequest request{"", time_s, variable("ALLTOLD_CLUSTERS"), variable("ALLTOLD_HOSTFILE")};
    if (ready && world_rank() == 0) {
        const auto folder = folder_for(hosts);
        request.folder = folder ? folder->string() : "";
        ready = folder ? prepare(*folder, time_s) : folder.error();
    }
    if (auto agreed = all(ready); !agreed)
        return agreed.error();
    std::string error;
    const bool learned = study(request, error);
    if (auto agreed = all(learned ? Status(Done{})
                                  : environment("ALLTOLD_LEARN: " +
                                                (error.empty() ? "the study failed" : error)));
        !agreed)
        return agreed.error();
    return mpi::broadcast_texts([&] { return finished(request.folder); }, MPI_COMM_WORLD);
}

} // namespace alltold::preload

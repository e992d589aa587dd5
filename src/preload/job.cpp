// SPDX-License-Identifier: BSD-3-Clause
// Starts and ends the preload library in a job.
#include "preload/job.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "core/environment.hpp"
#include "core/text.hpp"
#include "preload/agreement.hpp"
#include "preload/process.hpp"
#include "preload/program_communicator.hpp"
#include "preload/progress_engine.hpp"
#include "preload/progress_thread.hpp"
#include "preload/site_of_job.hpp"
#include "preload/where.hpp"
#include "site/site_folder.hpp"
#include "topology/rank_order.hpp"

namespace alltold::preload {
namespace {

/// From rank 0.
void tell(const std::string& what) {
    if (world_rank() == 0)
        say(fmt::format("alltold: {}\n", plain_text(what)));
}

void warn(const std::string& what) {
    tell(what + "; the MPI library's own collectives run");
}

/// Collective; rank 0 says which hosts were taken for others.
Result<Places> find_places(const Settings& settings) {
    auto found = places_of_ranks(settings, hosts_of_ranks(), switches_of_ranks);
    if (!found)
        return found.error();
    if (!found->taken.empty())
        tell(text_of(found->taken));
    auto& places = found->places;
    if (order_by_host(places.cluster_of, places.host_of).clusters ==
        Clusters({static_cast<int>(places.host_of.size())}))
        return Places{};
    return std::move(places);
}

} // namespace

std::atomic<Job*> Job::present_ = nullptr;

Job::Job(Settings settings, Places places, std::unique_ptr<SharedChannel> shared_channel)
    : settings_(std::move(settings)), places_(std::move(places)),
      shared_channel_(std::move(shared_channel)), observer_(observer_of_environment()) {
    if (settings_.site && settings_.compare != Compare::off && !settings_.observe_only)
        memory_ = std::make_unique<JobMemory>(*settings_.site);
}

void Job::begin() {
    const bool asked = has_settings() || observes();
    auto settings = asked ? read_settings() : Result<Settings>(Settings{});
    const auto agreed_on = [&](bool site) {
        return agree(
            {settings ? settings->hash : 1, settings ? "" : settings.error().message, site});
    };
    const auto with_site = agreed_on(world_rank() == 0 && !site::site_folders().empty());
    if (!with_site)
        return warn(with_site.error().message);
    if (*with_site && settings->profile.empty()) {
        const auto site = site_of_job();
        if (!site)
            return warn(site.error().message);
        if (*site) {
            settings = read_settings(**site); // the same texts, but rules and versions may differ
            if (auto agreed = agreed_on(false); !agreed)
                return warn(agreed.error().message);
        }
    }
    if (!asked && !settings->rules)
        return;
    auto places = find_places(*settings);
    if (!places)
        return warn(places.error().message);
    auto shared_channel = Result(std::unique_ptr<SharedChannel>());
    if (settings->rules && !settings->observe_only)
        shared_channel = SharedChannel::make();
    if (!shared_channel)
        return warn(shared_channel.error().message);
    present_.store(new Job(std::move(*settings), std::move(*places), std::move(*shared_channel)),
                   std::memory_order_release);
    if (const auto why_not = ProgressThread::begin(); !why_not.empty())
        tell(why_not);
    ProgramCommunicator::prepare_world();
}

void Job::end() {
    auto* const job = present();
    if (!job)
        return;
    ProgressThread::end();
    const auto summary = ProgramCommunicator::end_all();
    if (job->observer_)
        job->observer_->finish();
    if (job->memory_)
        job->memory_->give_back();
    if (!summary.empty() && world_rank() == 0)
        say(fmt::format("alltold: {}\n", summary));
    ProgressEngine::stop();
    present_.store(nullptr, std::memory_order_release);
    delete job;
}

void Job::end_session() {
    static std::atomic<bool> said = false;
    int has_world = 0;
    PMPI_Initialized(&has_world);
    const auto process = launched_process();
    if (!has_world && (has_settings() || observes()) && (!process || process->rank == 0) &&
        !said.exchange(true))
        say("alltold: the program uses MPI sessions without MPI_Init; the MPI library's own "
            "collectives run\n");
}

std::optional<Places> Job::places_of(MPI_Comm comm) const {
    const auto world = world_ranks(comm);
    if (std::find(world.begin(), world.end(), MPI_UNDEFINED) != world.end())
        return {};
    Places places;
    if (!places_.cluster_of.empty())
        for (const auto rank : world) {
            places.cluster_of.push_back(places_.cluster_of[static_cast<std::size_t>(rank)]);
            places.host_of.push_back(places_.host_of[static_cast<std::size_t>(rank)]);
        }
    return places;
}

bool Job::may_concern(int ranks) const {
    const auto names_ours = [&](const Rule& rule) {
        return rule.ranks.contains(static_cast<std::uint64_t>(ranks)) &&
               (rule.choice.algorithm ||
                std::ranges::any_of(rule.others, [](const Candidate& other) {
                    return other.choice.algorithm != nullptr;
                }));
    };
    return observed() ||
           (settings_.rules && std::ranges::any_of(*settings_.rules, [&](auto& source) {
                return std::ranges::any_of(source, names_ours);
            }));
}

void Job::observe(const ObservedCall& call) {
    const std::lock_guard lock(observing_);
    observer_->observe(call);
}

void Job::observe(const ObservedBlocks& blocks) {
    const std::lock_guard lock(observing_);
    observer_->observe(blocks);
}

} // namespace alltold::preload

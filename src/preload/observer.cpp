// SPDX-License-Identifier: BSD-3-Clause
// The log that ALLTOLD_LOG asks for: sums on every rank, added up and printed by rank 0.
#include "preload/observer.hpp"

#include <cstdio>
#include <vector>

#include <fmt/format.h>

#include "core/environment.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"
#include "preload/call_log.hpp"
#include "preload/job.hpp"
#include "preload/log_report.hpp"
#include "preload/log_setting.hpp"
#include "preload/process.hpp"
#include "topology/rank_order.hpp"

namespace alltold::preload {
namespace {

LogSetting setting_of_environment() {
    return log_setting(variable("ALLTOLD_LOG"), variable("ALLTOLD_LOG_FILE"));
}

/// The sum of all ranks' logs on rank 0, `mine` on the others. Uses a private communicator, because
/// the program may have left messages unreceived.
CallLog gathered(const CallLog& mine) {
    MPI_Comm all = MPI_COMM_NULL;
    PMPI_Comm_dup(MPI_COMM_WORLD, &all);
    const auto text = mine.text();
    int ranks = 1;
    PMPI_Comm_size(all, &ranks);
    CallLog sum = mine;
    if (world_rank() != 0)
        PMPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, 0, all);
    else
        // One rank after the other, so that rank 0 holds one text at a time.
        for (int rank = 1; rank < ranks; ++rank) {
            MPI_Status status;
            int length = 0;
            PMPI_Probe(rank, 0, all, &status);
            PMPI_Get_count(&status, MPI_CHAR, &length);
            std::string theirs(static_cast<std::size_t>(length), ' ');
            PMPI_Recv(theirs.data(), length, MPI_CHAR, rank, 0, all, MPI_STATUS_IGNORE);
            sum.read(theirs);
        }
    PMPI_Comm_free(&all);
    return sum;
}

class Log : public CallObserver {
  public:
    explicit Log(LogSetting setting) : setting_(std::move(setting)), start_s_(PMPI_Wtime()) {}

    void observe(const ObservedCall& call) override {
        // Texts are made once for a choice, not at each call.
        const CallClass shape{call.collective,
                              call.ranks,
                              size_bits_of(call.collective, call.size_bytes),
                              static_cast<int>(call.why),
                              call.nonblocking,
                              text_of_choice(call.choice)};
        log_.add(shape, {1, static_cast<double>(call.size_bytes), call.duration_s});
    }

    void observe(const ObservedBlocks& blocks) override {
        log_.add_blocks({blocks.collective, blocks.ranks,
                         size_bits_of(blocks.collective, blocks.size_bytes), 0, blocks.nonblocking,
                         text_of_choice(blocks.choice)},
                        {blocks.calls, blocks.time_s, blocks.saved_s, blocks.error_s});
    }

    void finish() override {
        log_.add_run(PMPI_Wtime() - start_s_);
        const auto all = gathered(log_);
        if (world_rank() == 0)
            write(report_of(all, run_of(all)));
    }

  private:
    LoggedRun run_of(const CallLog& all) const {
        LoggedRun run;
        PMPI_Comm_size(MPI_COMM_WORLD, &run.ranks);
        run.time_s = all.run_s() / run.ranks;
        run.clusters = Clusters({run.ranks});
        if (const auto places = Job::present()->places_of(MPI_COMM_WORLD);
            places && !places->cluster_of.empty())
            run.clusters = order_by_host(places->cluster_of, places->host_of).clusters;
        run.observed_only = setting_.kind == LogSetting::Kind::profile;
        run.profile = Job::present()->settings().profile;
        run.network = Job::present()->settings().network.get();
        return run;
    }

    void write(const LogReport& report) const {
        const auto text = setting_.json() ? json_of(report) : alltold::preload::text_of(report);
        if (setting_.file.empty()) {
            say(text);
            return;
        }
        // The text's own first words: an older log may be replaced, another file not.
        const auto saved = replace_text_file(
            setting_.file, text,
            {"a log", setting_.json() ? "\"observed_only\"" : "from MPI_Init to MPI_Finalize"});
        if (!saved)
            say(fmt::format("alltold: {}\n{}", saved.error().message, text));
    }

    const std::string& text_of_choice(const Choice* choice) {
        const Choice key = choice ? *choice : Choice{};
        for (const auto& [known, text] : texts_)
            if (known == key)
                return text;
        if (texts_.size() == CallLog::most_classes)
            texts_.clear();
        return texts_.emplace_back(key, alltold::text_of(key)).second;
    }

    LogSetting setting_;
    double start_s_;
    CallLog log_;
    std::vector<std::pair<Choice, std::string>> texts_;
};

} // namespace

bool observes() {
    return setting_of_environment().kind != LogSetting::Kind::none;
}

std::unique_ptr<CallObserver> observer_of_environment() {
    auto setting = setting_of_environment();
    if (setting.kind == LogSetting::Kind::none)
        return nullptr;
    if (setting.kind == LogSetting::Kind::unknown) {
        if (world_rank() == 0)
            say(fmt::format("alltold: ALLTOLD_LOG: '{}' is unknown; use explain or profile\n",
                            setting.word));
        return nullptr;
    }
    return std::make_unique<Log>(std::move(setting));
}

} // namespace alltold::preload

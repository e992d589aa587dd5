// SPDX-License-Identifier: BSD-3-Clause
// A study that leaves the process as it found it.
#include "learn/learn.hpp"

#include <array>
#include <csignal>
#include <exception>

#include "campaign/engine/prompt.hpp"
#include "campaign/engine/signals.hpp"
#include "campaign/study/study.hpp"
#include "core/result.hpp"
#include "runtime/mpi/managed_communicator.hpp"

namespace alltold {
namespace {

/// Puts back the handlers of the signals that a campaign catches.
class SignalHandlers {
  public:
    SignalHandlers() {
        for (std::size_t i = 0; i < signals.size(); ++i)
            sigaction(signals[i], nullptr, &before_[i]);
    }
    ~SignalHandlers() {
        for (std::size_t i = 0; i < signals.size(); ++i)
            sigaction(signals[i], &before_[i], nullptr);
    }
    SignalHandlers(const SignalHandlers&) = delete;
    SignalHandlers& operator=(const SignalHandlers&) = delete;

  private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGALRM};
    std::array<struct sigaction, signals.size()> before_{};
};

/// Puts back the error handler of MPI_COMM_WORLD, which mpi::ManagedCommunicator changes.
class ErrorHandler {
  public:
    ErrorHandler() { PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before_); }
    ~ErrorHandler() {
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before_);
        PMPI_Errhandler_free(&before_);
    }
    ErrorHandler(const ErrorHandler&) = delete;
    ErrorHandler& operator=(const ErrorHandler&) = delete;

  private:
    MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

Status study_network(const LearnRequest& request) {
    const ErrorHandler error_handler;
    const SignalHandlers handlers;
    ALLTOLD_TRY(ranks, mpi::ManagedCommunicator::world().dup());
    campaign::StudyOptions options;
    options.folder = request.folder;
    options.budget_s = request.budget_s;
    options.clusters.environment = request.clusters;
    options.clusters.host_file = request.host_file;
    const auto result = campaign::study(*ranks, options);
    campaign::wake_as_usual();
    return result ? Status(Done{}) : result.error();
}

} // namespace
} // namespace alltold

extern "C" [[gnu::visibility("default")]] bool alltold_learn(const alltold::LearnRequest& request,
                                                             std::string& error) try {
    const auto learned = alltold::study_network(request);
    if (const int signal = alltold::campaign::stop_signal(); signal != 0)
        std::raise(signal);
    if (!learned)
        error = learned.error().message;
    return static_cast<bool>(learned);
} catch (const std::exception& failed) {
    error = failed.what();
    return false;
}

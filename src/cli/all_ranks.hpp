// SPDX-License-Identifier: BSD-3-Clause
// Runs a subcommand on all ranks and prints its report on rank 0.
#pragma once

#include "cli/subcommand.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::cli {

/// Opens MPI, calls `work` with the session and `options` on all ranks, and calls `print` with the
/// report, which only rank 0 has: an EngineStatus. All ranks read the same command line, so if
/// `options` is an error, all of them fail. A session that a signal stopped did not do all that was
/// asked, and may go on. Collective.
template <typename Options, typename Work, typename Print>
Result<ExitStatus> on_all_ranks(const Result<Options>& options, Work&& work, Print&& print) {
    ALLTOLD_TRY(session, mpi::Session::open());
    const int rank = session->world().rank();
    if (!options)
        return print_on_rank_0(options.error(), rank);
    const auto report = work(*session, *options);
    if (!report)
        return print_on_rank_0(report.error(), rank);
    if (!*report)
        return ExitStatus::done;
    print(**report);
    return (*report)->interrupted ? ExitStatus::no : ExitStatus::done;
}

} // namespace alltold::cli

// SPDX-License-Identifier: BSD-3-Clause
// Subcommands that run under mpirun and of which rank 0 alone speaks.
#pragma once

#include "cli/subcommand.hpp"
#include "core/result.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::cli {

/// Opens MPI, does `work` with it and `options` on all ranks, and has `say` tell of the report,
/// which is there on rank 0 alone. All ranks read the same command line, so where `options` is an
/// error they fail alike. Collective.
template <typename Options, typename Work, typename Say>
Result<ExitStatus> on_all_ranks(const Result<Options>& options, Work&& work, Say&& say) {
    const auto session = mpi::Session::open();
    if (!session)
        return session.error();
    const int rank = session->world().rank();
    if (!options)
        return said(options.error(), rank);
    const auto report = work(*session, *options);
    if (!report)
        return said(report.error(), rank);
    if (*report)
        say(**report);
    return ExitStatus::done;
}

} // namespace alltold::cli

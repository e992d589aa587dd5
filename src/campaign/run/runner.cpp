// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/run/runner.hpp"

#include "runtime/blocking.hpp"
#include "runtime/library_call.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::campaign {
namespace {

/// One rank's counts and displacements in bytes of an all-to-all-v; each must fit an int.
struct Vectors {
    std::vector<int> send_counts, send_displacements, receive_counts, receive_displacements;

    Vectors(const Specification& specification, int rank) {
        const auto ints = [](const auto& values) {
            return std::vector<int>(values.begin(), values.end());
        };
        const auto shares = specification.shares(rank);
        send_counts = ints(shares.send_bytes);
        send_displacements = ints(shares.send_offsets);
        receive_counts = ints(shares.receive_bytes);
        receive_displacements = ints(shares.receive_offsets);
    }
};

/// Reductions combine bytes by MPI_BXOR, which takes any size and whose results are exact.
Arguments arguments_of(const Specification& specification, const Buffers& buffers) {
    const int size = static_cast<int>(specification.size_bytes());
    return {specification.collective(),
            {buffers.send(), size, MPI_BYTE},
            {buffers.receive(), size, MPI_BYTE},
            specification.root(),
            traits_of(specification.collective()).reduces ? MPI_BXOR : MPI_OP_NULL};
}

Status run_mpi(const Specification& specification, const Buffers& buffers,
               const mpi::ManagedCommunicator& over) {
    if (specification.collective() != Collective::alltoallv)
        return alltold::run_library(over.handle(), arguments_of(specification, buffers));
    const Vectors of(specification, over.rank());
    return mpi::check(PMPI_Alltoallv(buffers.send(), of.send_counts.data(),
                                     of.send_displacements.data(), MPI_BYTE, buffers.receive(),
                                     of.receive_counts.data(), of.receive_displacements.data(),
                                     MPI_BYTE, over.handle()),
                      "MPI_Alltoallv");
}

Result<Call> call_of(const Specification& specification, const Buffers& buffers,
                     const Caller& caller) {
    if (specification.collective() != Collective::alltoallv)
        return Call::of(caller, arguments_of(specification, buffers));
    const Vectors of(specification, caller.rank);
    return Call::alltoallv(
        caller, {buffers.send(), of.send_counts.data(), of.send_displacements.data(), MPI_BYTE},
        {buffers.receive(), of.receive_counts.data(), of.receive_displacements.data(), MPI_BYTE});
}

/// How the library is made to use the algorithm of its own that the choice names.
Result<mpi::Forcing> forcing_of(const Choice& choice, Collective collective) {
    const auto library = library_named(mpi::Session::library());
    ALLTOLD_TRY(row, find_library_algorithm(library, collective, choice.library));
    const mpi::Forced what{std::string(name_of(collective)), std::string(choice.library),
                           (*row)->number, choice.parameters.segment_bytes,
                           choice.parameters.window};
    return library == MpiLibrary::mpich ? mpi::Forcing::mpich(what) : mpi::Forcing::open_mpi(what);
}

/// A duplicate made while `forcing` is in force.
Result<mpi::ManagedCommunicator> dup_under(mpi::Forcing& forcing,
                                           const mpi::ManagedCommunicator& world) {
    ALLTOLD_TRY_DONE(forcing.on());
    auto over = world.dup();
    ALLTOLD_TRY_DONE(forcing.off());
    return over;
}

} // namespace

Result<Runner> Runner::make(const mpi::ManagedCommunicator& over, const Choice& choice,
                            Collective collective, const Clusters& clusters) {
    Runner runner(over);
    if (choice.is_default())
        return runner;
    if (!choice.algorithm) {
        ALLTOLD_TRY(forcing, forcing_of(choice, collective));
        if (forcing->per_call()) {
            runner.forcing_ = std::make_unique<mpi::Forcing>(std::move(*forcing));
            return runner;
        }
        ALLTOLD_TRY(forced, dup_under(*forcing, over));
        runner.library_over_ = std::move(*forced);
        return runner;
    }
    Places places;
    for (int rank = 0; rank < clusters.ranks(); ++rank) {
        places.cluster_of.push_back(clusters.cluster_of(rank));
        places.host_of.push_back(clusters.host_of(rank));
    }
    runner.ours_ = std::make_unique<CommunicatorState>(over.handle());
    ALLTOLD_TRY_DONE(runner.ours_->set_places(std::move(places)));
    ALLTOLD_TRY_DONE(runner.ours_->choose(choice, false));
    runner.ours_->open_on(over.handle());
    return runner;
}

Status Runner::prepare(const Specification& specification, const Buffers& buffers) const {
    if (!ours_)
        return Done{};
    const auto made = program(specification, buffers);
    return made ? Status(Done{}) : made.error();
}

Result<std::shared_ptr<const Program>> Runner::program(const Specification& specification,
                                                       const Buffers& buffers) const {
    ALLTOLD_TRY(call, call_of(specification, buffers, ours_->caller()));
    const auto prepared = alltold::prepare(*ours_, *call);
    return prepared ? Result(**prepared) : prepared.error();
}

void Runner::record(OperationRecorder* recorder) const {
    ours_->idle_execution().record(recorder);
}

Status Runner::run_library(const Specification& specification, const Buffers& buffers) const {
    if (forcing_)
        ALLTOLD_TRY_DONE(forcing_->on());
    auto ran = run_mpi(specification, buffers, library_over_);
    if (forcing_)
        ALLTOLD_TRY_DONE(forcing_->off());
    return ran;
}

Status Runner::run(const Specification& specification, const Buffers& buffers) const {
    if (!ours_)
        return run_library(specification, buffers);
    // A call like the one before is found more quickly by its arguments.
    if (specification.collective() != Collective::alltoallv)
        return alltold::run(*ours_, arguments_of(specification, buffers));
    ALLTOLD_TRY(call, call_of(specification, buffers, ours_->caller()));
    return alltold::run(*ours_, *call);
}

Result<double> Runner::run_after_barrier(const Specification& specification, const Buffers& buffers,
                                         const Clock& clock) const {
    ALLTOLD_TRY_DONE(mpi::check(PMPI_Barrier(over_.handle()), "MPI_Barrier"));
    const double began_s = clock.now_s();
    ALLTOLD_TRY_DONE(run(specification, buffers));
    return clock.now_s() - began_s;
}

Status Runner::run_loop(int calls, const BetweenCalls& between, const Specification& specification,
                        const Buffers& buffers, const Clock& clock) const {
    Work work(between, over_.rank());
    double one = 1;
    double sum = 0;
    for (int call = 0; call < calls; ++call) {
        ALLTOLD_TRY_DONE(run(specification, buffers));
        if (between.sync)
            ALLTOLD_TRY_DONE(
                mpi::check(PMPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, over_.handle()),
                           "MPI_Allreduce"));
        // Last: else ranks that share a processor would keep each other from starting in time.
        work.run(clock);
    }
    return Done{};
}

} // namespace alltold::campaign

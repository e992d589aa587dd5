// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/run/runner.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units.hpp"
#include "runtime/blocking.hpp"
#include "runtime/library_call.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::campaign {
namespace {

/// A chain fills within a call for each rank, so filling adds at most a sixteenth: of 4 KiB on 8
/// hosts of 20 Mbit a call took 3.0, 2.3, 2.0, 1.9 and 1.9 ms in 16, 64, 128, 256 and 1,024 calls.
constexpr int calls_a_rank = 16;
/// Then 30 repetitions take a quarter of the usual budget of 60 s.
constexpr double longest_loop_s = 0.5;
/// Longer calls are sent in segments: of 64 KiB a call of a chain took 38 ms in 4 calls, 33 in 64.
constexpr int least_calls = 4;

} // namespace

std::string BetweenCalls::text() const {
    std::string text;
    if (work_s > 0)
        text = fmt::format("{} of work{}{}", format_time(work_s),
                           exponential ? " on average, exponential" : "",
                           exponential && sync ? "," : "");
    if (sync)
        text += fmt::format("{}an allreduce of 8 B after each call", text.empty() ? "" : " and ");
    return text;
}

Work::Work(const BetweenCalls& between, int rank)
    : between_(between), random_(between.seed * 1000003 + static_cast<std::uint64_t>(rank)) {}

double Work::draw_s() {
    return between_.exponential ? -between_.work_s * std::log(1 - random_.uniform())
                                : between_.work_s;
}

void Work::run(const Clock& clock) {
    if (between_.work_s <= 0)
        return;
    // Asleep, since ranks of a lab share the processors that each host would have for itself.
    clock.sleep_until(clock.now_s() + draw_s());
}

int calls_of_loop(double time_s, int ranks) {
    const int most = calls_a_rank * ranks;
    return time_s > 0 ? static_cast<int>(
                            std::clamp(longest_loop_s / time_s, static_cast<double>(least_calls),
                                       static_cast<double>(std::max(most, least_calls))))
                      : least_calls;
}

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
    return ALLTOLD_PMPI(Alltoallv, buffers.send(), of.send_counts.data(),
                        of.send_displacements.data(), MPI_BYTE, buffers.receive(),
                        of.receive_counts.data(), of.receive_displacements.data(), MPI_BYTE,
                        over.handle());
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
        ALLTOLD_TRY_INTO(runner.library_over_, dup_under(*forcing, over));
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
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Barrier, over_.handle()));
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
                ALLTOLD_PMPI(Allreduce, &one, &sum, 1, MPI_DOUBLE, MPI_SUM, over_.handle()));
        // Last: else ranks that share a processor would keep each other from starting in time.
        work.run(clock);
    }
    return Done{};
}

} // namespace alltold::campaign

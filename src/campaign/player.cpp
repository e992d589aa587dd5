// SPDX-License-Identifier: BSD-3-Clause
// The five collectives by MPI and by alltold.
#include "campaign/player.hpp"

#include "campaign/vectors.hpp"
#include "runtime/blocking.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::play {
namespace {

int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int play_mpi(const Specification& specification, const Buffers& buffers, MPI_Comm comm) {
    const int size = static_cast<int>(specification.size_bytes());
    const int root = specification.root();
    if (specification.collective() == Collective::alltoallv)
        return Vectors(specification, rank_in(comm)).play_mpi(buffers, comm);
    switch (specification.collective()) {
    case Collective::bcast:
        return MPI_Bcast(buffers.receive(), size, MPI_BYTE, root, comm);
    case Collective::scatter:
        return MPI_Scatter(buffers.send(), size, MPI_BYTE, buffers.receive(), size, MPI_BYTE, root,
                           comm);
    case Collective::gather:
        return MPI_Gather(buffers.send(), size, MPI_BYTE, buffers.receive(), size, MPI_BYTE, root,
                          comm);
    default:
        return MPI_Alltoall(buffers.send(), size, MPI_BYTE, buffers.receive(), size, MPI_BYTE,
                            comm);
    }
}

Arguments arguments_of(const Specification& specification, const Buffers& buffers) {
    const int size = static_cast<int>(specification.size_bytes());
    return {specification.collective(),
            {buffers.send(), size, MPI_BYTE},
            {buffers.receive(), size, MPI_BYTE},
            specification.root()};
}

Call call_of(const Specification& specification, const Buffers& buffers, const Caller& caller,
             int& code) {
    if (specification.collective() == Collective::alltoallv)
        return Vectors(specification, caller.rank).call(buffers, caller, code);
    return Call::of(caller, arguments_of(specification, buffers), code);
}

Result<int> run_vectors(CommunicatorState& mine, const Specification& specification,
                        const Buffers& buffers) {
    int code = MPI_SUCCESS;
    auto call = call_of(specification, buffers, mine.caller(), code);
    return code == MPI_SUCCESS ? alltold::run(mine, call) : Result<int>(code);
}

/// What the library is to be told for a candidate that names one of its algorithms.
Result<mpi::Forcing> forcing_of(const Choice& choice, Collective collective) {
    const auto library = library_named(mpi::Session::library());
    const auto row = find_library_algorithm(library, collective, choice.library);
    if (!row)
        return row.error();
    const mpi::Forced what{std::string(name_of(collective)), std::string(choice.library),
                           (*row)->number, choice.parameters.segment_bytes,
                           choice.parameters.window};
    return library == MpiLibrary::mpich ? mpi::Forcing::mpich(what) : mpi::Forcing::open_mpi(what);
}

/// A duplicate made while `forcing` is in force.
Result<mpi::Communicator> dup_under(mpi::Forcing& forcing, const mpi::Communicator& world) {
    if (auto told = forcing.on(); !told)
        return told.error();
    auto over = world.dup();
    if (auto told = forcing.off(); !told)
        return told.error();
    return over;
}

/// What the player's communicator keeps.
Result<CommunicatorState*> kept(MPI_Comm comm) {
    int code = MPI_SUCCESS;
    auto* mine = CommunicatorState::of(comm, code);
    if (auto found = mpi::check(code, "MPI_Comm_split"); !found)
        return found.error();
    return mine;
}

} // namespace

Result<Player> Player::make(const mpi::Communicator& world, const Candidate& candidate,
                            Collective collective, const Clusters& clusters) {
    if (!candidate.choice.library.empty()) {
        auto forcing = forcing_of(candidate.choice, collective);
        if (!forcing)
            return forcing.error();
        auto over = forcing->per_call() ? world.dup() : dup_under(*forcing, world);
        if (!over)
            return over.error();
        Player player(std::move(*over), candidate, clusters);
        if (forcing->per_call())
            player.forcing_ = std::make_shared<mpi::Forcing>(std::move(*forcing));
        return player;
    }
    auto over = world.dup();
    if (!over)
        return over.error();
    if (!candidate.choice.algorithm && !candidate.rules)
        return Player(std::move(*over), candidate, clusters);
    int code = MPI_SUCCESS;
    auto* mine = CommunicatorState::of(over->handle(), code);
    std::vector<int> cluster_of;
    for (int rank = 0; rank < clusters.ranks(); ++rank)
        cluster_of.push_back(clusters.cluster_of(rank));
    if (code == MPI_SUCCESS)
        code = mine->set_clusters(cluster_of);
    if (auto set = mpi::check(code, "MPI_Comm_split"); !set)
        return set.error();
    if (candidate.choice.algorithm && !candidate.open)
        if (auto chosen = mine->choose(candidate.choice, false); !chosen)
            return chosen.error();
    return Player(std::move(*over), candidate, clusters);
}

Choice Player::choice_for(const Specification& specification) const {
    return candidate_.rules ? candidate_.rules->at(specification.size_bytes()) : candidate_.choice;
}

Status Player::rehearse(const Specification& specification, const Buffers& buffers) const {
    if (!choice_for(specification).algorithm)
        return Done{};
    auto mine = kept(over_.handle());
    if (!mine)
        return mine.error();
    if (candidate_.open) {
        const auto chosen = candidate_.at(specification, clusters_);
        if (!chosen)
            return chosen.error();
        // Choosing forgets schedules.
        const auto& before =
            (*mine)->choices().choice_of(specification.collective(), specification.size_bytes());
        if (!(*chosen == before))
            if (auto accepted = (*mine)->choose(*chosen, false); !accepted)
                return accepted;
    }
    int code = MPI_SUCCESS;
    auto call = call_of(specification, buffers, (*mine)->caller(), code);
    if (auto made = mpi::check(code, "alltold's call"); !made)
        return made.error();
    const auto prepared = prepare(**mine, call, code);
    return prepared ? mpi::check(code, "alltold's size exchange") : prepared.error();
}

Status Player::meet() const {
    return mpi::check(MPI_Barrier(over_.handle()), "MPI_Barrier");
}

Status Player::play_library(const Specification& specification, const Buffers& buffers) const {
    if (forcing_)
        if (auto told = forcing_->on(); !told)
            return told;
    auto played = mpi::check(play_mpi(specification, buffers, over_.handle()),
                             "the MPI library's collective");
    if (forcing_)
        if (auto told = forcing_->off(); !told)
            return told;
    return played;
}

Status Player::play(const Specification& specification, const Buffers& buffers) const {
    if (!choice_for(specification).algorithm)
        return play_library(specification, buffers);
    auto mine = kept(over_.handle());
    if (!mine)
        return mine.error();
    const auto ran = specification.collective() == Collective::alltoallv
                         ? run_vectors(**mine, specification, buffers)
                         : alltold::run(**mine, arguments_of(specification, buffers));
    return ran ? mpi::check(*ran, "alltold's collective") : ran.error();
}

} // namespace alltold::play

// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/mpi/managed_communicator.hpp"

#include "runtime/mpi/broadcast_text.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::mpi {
namespace {

/// MPI counts are int; control messages and probes stay far below.
int count_of(std::size_t size_bytes) {
    assert(size_bytes <= 0x7fffffff);
    return static_cast<int>(size_bytes);
}

} // namespace

ManagedCommunicator ManagedCommunicator::world() {
    return {MPI_COMM_WORLD, false};
}

ManagedCommunicator::ManagedCommunicator(MPI_Comm handle, bool owned)
    : handle_(handle), owned_(owned ? new MPI_Comm(handle) : nullptr) {
    PMPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(handle_, &rank_);
    PMPI_Comm_size(handle_, &size_);
}

void ManagedCommunicator::Free::operator()(MPI_Comm* handle) const {
    int finalized = 0;
    PMPI_Finalized(&finalized);
    if (!finalized)
        PMPI_Comm_free(handle);
    delete handle;
}

Result<ManagedCommunicator> ManagedCommunicator::dup() const {
    MPI_Comm copy = MPI_COMM_NULL;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Comm_dup, handle_, &copy));
    return ManagedCommunicator(copy, true);
}

Result<ManagedCommunicator> ManagedCommunicator::subset(std::span<const int> ranks, int tag) const {
    MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
    PMPI_Comm_group(handle_, &all);
    PMPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
    MPI_Comm made = MPI_COMM_NULL;
    const int code = PMPI_Comm_create_group(handle_, some, tag, &made);
    PMPI_Group_free(&some);
    PMPI_Group_free(&all);
    ALLTOLD_TRY_DONE(check(code, "MPI_Comm_create_group"));
    return ManagedCommunicator(made, true);
}

Result<ManagedCommunicator> ManagedCommunicator::ordered(int place) const {
    MPI_Comm same = MPI_COMM_NULL;
    const int code = PMPI_Comm_split(handle_, 0, place, &same);
    ALLTOLD_TRY_DONE(check(code, "MPI_Comm_split"));
    return ManagedCommunicator(same, true);
}

Status ManagedCommunicator::send(std::span<const std::byte> bytes, int target, int tag) const {
    return ALLTOLD_PMPI(Send, bytes.data(), count_of(bytes.size()), MPI_BYTE, target, tag, handle_);
}

Status ManagedCommunicator::receive(std::span<std::byte> bytes, int source, int tag) const {
    return ALLTOLD_PMPI(Recv, bytes.data(), count_of(bytes.size()), MPI_BYTE, source, tag, handle_,
                        MPI_STATUS_IGNORE);
}

Result<std::string> ManagedCommunicator::broadcast_text(std::string text) const {
    ALLTOLD_TRY_DONE(mpi::broadcast_text(text, handle_));
    return text;
}

Result<std::vector<std::string>> ManagedCommunicator::gather_text(const std::string& text) const {
    const int length = count_of(text.size());
    const auto all = static_cast<std::size_t>(rank_ == 0 ? size_ : 0);
    std::vector<int> lengths(all);
    ALLTOLD_TRY_DONE(
        ALLTOLD_PMPI(Gather, &length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, handle_));
    std::vector<int> from(all + 1, 0);
    for (std::size_t i = 0; i < all; ++i)
        from[i + 1] = from[i] + lengths[i];
    std::string joined(static_cast<std::size_t>(from.back()), '\0');
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Gatherv, text.data(), length, MPI_CHAR, joined.data(),
                                  lengths.data(), from.data(), MPI_CHAR, 0, handle_));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < all; ++i)
        texts.push_back(
            joined.substr(static_cast<std::size_t>(from[i]), static_cast<std::size_t>(lengths[i])));
    return texts;
}

Status agree(const ManagedCommunicator& all, const Status& mine) {
    int status = mine ? 0 : static_cast<int>(mine.error().status);
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Bcast, &status, 1, MPI_INT, 0, all.handle()));
    if (status == 0 || all.rank() == 0)
        return mine;
    return Error{"", static_cast<ExitStatus>(status)};
}

Status agree_all(const ManagedCommunicator& all, const Status& mine) {
    // The status as one digit before the text; nothing where all is well.
    const auto text =
        mine ? std::string()
             : std::to_string(static_cast<int>(mine.error().status)) + mine.error().message;
    ALLTOLD_TRY(texts, all.gather_text(text));
    for (const auto& error : *texts)
        if (!error.empty())
            return agree(all, Error{error.substr(1), static_cast<ExitStatus>(error[0] - '0')});
    return agree(all, Done{});
}

} // namespace alltold::mpi

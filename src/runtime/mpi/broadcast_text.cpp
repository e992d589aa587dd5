// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/mpi/broadcast_text.hpp"

#include "runtime/mpi/error.hpp"

namespace alltold::mpi {

Status broadcast_text(std::string& text, MPI_Comm comm) {
    int length = static_cast<int>(text.size());
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Bcast, &length, 1, MPI_INT, 0, comm));
    text.resize(static_cast<std::size_t>(length));
    return ALLTOLD_PMPI(Bcast, text.data(), length, MPI_CHAR, 0, comm);
}

namespace {

/// Names and texts, each ended by a null character; of an error the message alone.
std::string packed(const Result<std::vector<NamedText>>& texts) {
    if (!texts)
        return texts.error().message;
    std::string all;
    for (const auto& [name, text] : *texts)
        all += name + '\0' + text + '\0';
    return all;
}

Result<std::vector<NamedText>> unpacked(const std::string& all) {
    std::vector<NamedText> texts;
    for (std::size_t at = 0; at < all.size();) {
        const auto middle = all.find('\0', at);
        if (middle == all.npos)
            return bad_input(all);
        const auto end = all.find('\0', middle + 1);
        texts.push_back({all.substr(at, middle - at), all.substr(middle + 1, end - middle - 1)});
        at = end + 1;
    }
    return texts;
}

} // namespace

Result<std::vector<NamedText>>
broadcast_texts(const std::function<Result<std::vector<NamedText>>()>& read, MPI_Comm comm) {
    int rank = 0;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Comm_rank, comm, &rank));
    auto all = rank == 0 ? packed(read()) : std::string();
    ALLTOLD_TRY_DONE(broadcast_text(all, comm));
    return unpacked(all);
}

} // namespace alltold::mpi

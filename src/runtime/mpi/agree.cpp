// SPDX-License-Identifier: BSD-3-Clause
// Agreement on errors.
#include "runtime/mpi/agree.hpp"

#include "runtime/mpi/error.hpp"

namespace alltold::mpi {

Status agree(const ManagedCommunicator& all, const Status& mine) {
    int status = mine ? 0 : static_cast<int>(mine.error().status);
    if (auto told = ALLTOLD_PMPI(Bcast, &status, 1, MPI_INT, 0, all.handle()); !told)
        return told;
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

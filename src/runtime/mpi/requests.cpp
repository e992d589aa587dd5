// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/mpi/requests.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "runtime/mpi/error.hpp"

namespace alltold::mpi {

Requests::~Requests() {
    for (auto& handle : handles_)
        if (handle != MPI_REQUEST_NULL) {
            PMPI_Cancel(&handle);
            PMPI_Request_free(&handle);
        }
}

Status Requests::send(const ManagedCommunicator& over, std::span<const std::byte> bytes, int target,
                      int tag) {
    handles_.push_back(MPI_REQUEST_NULL);
    return ALLTOLD_PMPI(Isend, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, target, tag,
                        over.handle(), &handles_.back());
}

Status Requests::receive(const ManagedCommunicator& over, std::span<std::byte> bytes, int source,
                         int tag) {
    handles_.push_back(MPI_REQUEST_NULL);
    return ALLTOLD_PMPI(Irecv, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, source, tag,
                        over.handle(), &handles_.back());
}

Result<bool> Requests::test() {
    int complete = 0;
    const int code = PMPI_Testall(static_cast<int>(handles_.size()), handles_.data(), &complete,
                                  MPI_STATUSES_IGNORE);
    ALLTOLD_TRY_DONE(check(code, "MPI_Testall"));
    return complete != 0;
}

Status Requests::wait_napping(double longest_nap_s) {
    for (Naps naps(longest_nap_s);; naps.take()) {
        ALLTOLD_TRY(complete, test());
        if (*complete)
            return Done{};
    }
}

Status gather_napping(const ManagedCommunicator& over, std::span<const std::byte> sent,
                      std::span<std::byte> all, double longest_nap_s) {
    const auto bytes = static_cast<int>(sent.size());
    MPI_Request request = MPI_REQUEST_NULL;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Igather, sent.data(), bytes, MPI_BYTE, all.data(), bytes,
                                  MPI_BYTE, 0, over.handle(), &request));
    return wait_napping(request, longest_nap_s);
}

Status wait_napping(MPI_Request request, double longest_nap_s) {
    for (Naps naps(longest_nap_s);; naps.take()) {
        int complete = 0;
        ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Test, &request, &complete, MPI_STATUS_IGNORE));
        if (complete != 0)
            return Done{};
    }
}

void Naps::take() {
    std::this_thread::sleep_for(std::chrono::duration<double>(next_s_));
    next_s_ = std::min(1.5 * next_s_, longest_s_);
}

} // namespace alltold::mpi

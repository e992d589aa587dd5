// SPDX-License-Identifier: BSD-3-Clause
// Sizes as the bytes of a small all-to-all-v.
#include "runtime/size_exchange.hpp"

namespace alltold {

int Telling::start(std::shared_ptr<const Talk> talk, const Shares& shares, MPI_Comm comm,
                   int first_tag) {
    talk_ = std::move(talk);
    telling_.clear();
    for (const int destination : talk_->size_exchange.destinations)
        telling_.push_back(shares.send_bytes[static_cast<std::size_t>(destination)]);
    told_.assign(talk_->size_exchange.received_sizes(), 0);
    return execution_.start(talk_->program,
                            {reinterpret_cast<const std::byte*>(telling_.data()),
                             reinterpret_cast<std::byte*>(told_.data()), nullptr},
                            comm, first_tag);
}

} // namespace alltold

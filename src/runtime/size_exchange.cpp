// SPDX-License-Identifier: BSD-3-Clause
// Sizes as the bytes of a small all-to-all-v.
#include "runtime/size_exchange.hpp"

#include "runtime/mpi/error.hpp"

namespace alltold {
namespace {

constexpr const char* the_size_exchange = "alltold's size exchange";

} // namespace

Status SizeExchangeRun::start(std::shared_ptr<const SizeExchangeProgram> exchange,
                              const Shares& shares, MPI_Comm comm, int first_tag) {
    exchange_ = std::move(exchange);
    sent_.clear();
    for (const int destination : exchange_->size_exchange.destinations)
        sent_.push_back(shares.send_bytes[static_cast<std::size_t>(destination)]);
    received_.assign(exchange_->size_exchange.received_sizes(), 0);
    return mpi::check(execution_.start(exchange_->program,
                                       {reinterpret_cast<const std::byte*>(sent_.data()),
                                        reinterpret_cast<std::byte*>(received_.data()), nullptr},
                                       comm, first_tag),
                      the_size_exchange);
}

Result<bool> SizeExchangeRun::test() {
    bool done = false;
    ALLTOLD_TRY_DONE(mpi::check(execution_.test(done), the_size_exchange));
    return done;
}

Status SizeExchangeRun::wait() {
    return mpi::check(execution_.wait(), the_size_exchange);
}

} // namespace alltold

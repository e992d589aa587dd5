// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/recipe.hpp"

#include <fmt/format.h>

#include "runtime/mpi/error.hpp"
#include "schedule/algorithms/work.hpp"

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

namespace {

/// The schedule of `rank` with the peers and tags of the larger communicator.
Schedule routed(const Schedule& schedule, const Routes& routes, int rank) {
    const auto all = schedule.operations();
    std::vector<Operation> operations(all.begin(), all.end());
    std::vector<std::int32_t> first_edge{0}, edges;
    for (int i = 0; i < schedule.size(); ++i) {
        const auto after = schedule.after(i);
        edges.insert(edges.end(), after.begin(), after.end());
        first_edge.push_back(static_cast<std::int32_t>(edges.size()));
        auto& operation = operations[static_cast<std::size_t>(i)];
        if (!operation.is_message())
            continue;
        const auto& peer = routes.peers[static_cast<std::size_t>(operation.peer)];
        const auto& receiver =
            operation.is_outgoing() ? peer : routes.peers[static_cast<std::size_t>(rank)];
        operation.peer = peer.rank;
        operation.tag += receiver.first_tag;
    }
    return {std::move(operations), std::move(first_edge), std::move(edges),
            schedule.scratch_bytes()};
}

} // namespace

Task Recipe::task_of(const Shape& shape) const {
    return {shape.collective,
            rank,
            ranks,
            shape.root,
            shape.size_bytes,
            shape.collective == Collective::alltoallv ? &shape.shares : nullptr,
            choice.parameters,
            shape.reduction};
}

Status Recipe::accepts_call(const Shape& shape) const {
    const int root = choice.algorithm->rooted() ? shape.root : -1;
    return accepts(*choice.algorithm, shape.collective, ranks, root, choice.parameters,
                   shape.reduction);
}

Result<std::shared_ptr<const Program>> Recipe::program_for(const Shape& shape) const {
    ALLTOLD_TRY_DONE(accepts_call(shape));
    // A small segment of a long message makes more operations than memory holds.
    const auto task = task_of(shape);
    if (choice.parameters.segment_bytes > 0)
        ALLTOLD_TRY_DONE(check_work(*choice.algorithm, task, to_run));
    auto program = std::make_shared<const Program>(choice.algorithm->generate(task));
    if (program->highest_tag() >= tags)
        return bad_input(fmt::format("{} messages between two ranks in one call; MPI's tags allow "
                                     "{}: use larger segments",
                                     program->highest_tag() + 1, tags));
    return routes ? std::make_shared<const Program>(routed(program->schedule(), *routes, rank))
                  : program;
}

Result<std::shared_ptr<const SizeExchangeProgram>>
Recipe::size_exchange_before(const Shape& shape) const {
    ALLTOLD_TRY_DONE(accepts_call(shape));
    auto size_exchange = size_exchange_of(*choice.algorithm, task_of(shape));
    if (routes)
        size_exchange.schedule = routed(size_exchange.schedule, *routes, rank);
    return std::make_shared<const SizeExchangeProgram>(std::move(size_exchange));
}

} // namespace alltold

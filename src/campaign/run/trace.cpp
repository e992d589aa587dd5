// SPDX-License-Identifier: BSD-3-Clause
// Operations with their times as bytes, gathered.
#include "campaign/run/runner.hpp"

namespace alltold::campaign {
namespace {

static_assert(std::is_trivially_copyable_v<TracedOperation>);

TracedOperation traced(const Operation& operation, const OperationTime& time,
                       const GlobalClock& clock) {
    const auto global_s = [&](double true_s) {
        return clock.to_global(clock.local().shown_at(true_s));
    };
    const auto rows = static_cast<std::uint64_t>(operation.rows);
    return {operation.kind,
            operation.peer,
            operation.tag,
            rows * operation.region.size_bytes,
            global_s(time.started_s),
            global_s(time.ended_s)};
}

std::vector<TracedOperation> operations_in(const std::string& bytes) {
    std::vector<TracedOperation> operations(bytes.size() / sizeof(TracedOperation));
    std::memcpy(operations.data(), bytes.data(), operations.size() * sizeof(TracedOperation));
    return operations;
}

void start_at_zero(std::vector<std::vector<TracedOperation>>& ranks) {
    double first_s = std::numeric_limits<double>::infinity();
    for (const auto& rank : ranks)
        for (const auto& operation : rank)
            first_s = std::min(first_s, operation.started_s);
    for (auto& rank : ranks)
        for (auto& operation : rank) {
            operation.started_s -= first_s;
            operation.ended_s -= first_s;
        }
}

} // namespace

Result<std::vector<std::vector<TracedOperation>>> gather_trace(const mpi::ManagedCommunicator& over,
                                                               const Program& program,
                                                               const OperationRecorder& recorder,
                                                               const GlobalClock& clock) {
    std::string bytes;
    // A run that failed has none.
    for (std::size_t i = 0; i < recorder.times.size(); ++i) {
        const auto operation = traced(program[static_cast<int>(i)], recorder.times[i], clock);
        bytes.append(reinterpret_cast<const char*>(&operation), sizeof operation);
    }
    ALLTOLD_TRY(all, over.gather_text(bytes));
    std::vector<std::vector<TracedOperation>> ranks;
    for (const auto& one : *all)
        ranks.push_back(operations_in(one));
    start_at_zero(ranks);
    return ranks;
}

} // namespace alltold::campaign

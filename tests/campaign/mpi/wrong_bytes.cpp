// SPDX-License-Identifier: BSD-3-Clause
// Algorithms broken on purpose: a run must name the algorithm, the rank and the block.
#include <cstdio>
#include <string>
#include <utility>

#include "campaign/compare/compare.hpp"
#include "runtime/mpi/session.hpp"
#include "schedule/builder.hpp"

using namespace alltold;

namespace {

Schedule direct(const Task& task) {
    return (*find_algorithm("alltoall.direct"))->generate(task);
}

/// Rank 1 confuses the first two blocks it sends.
Schedule swapped(const Task& task) {
    const auto right = direct(task);
    if (task.rank != 1)
        return right;
    std::vector<Operation> operations(right.operations().begin(), right.operations().end());
    std::vector<Operation*> sends;
    for (auto& operation : operations)
        if (operation.is_outgoing())
            sends.push_back(&operation);
    std::swap(sends[0]->region, sends[1]->region);
    Builder builder;
    for (const auto& operation : operations)
        builder.append(operation, {});
    return std::move(builder).finish();
}

/// Nobody does anything: what was right before lies in the buffers still.
Schedule idle(const Task&) {
    return {};
}

/// Whether a run of the library's own beside `row` fails with all of `words` in its error.
bool caught(const mpi::Session& session, const Algorithm& row, std::vector<std::string> words) {
    campaign::ComparisonRequest request;
    const auto ranks = campaign::arrange(session.world(), {automatic, "", ""});
    if (!ranks)
        return false;
    request.clusters = Clusters({session.world().size()});
    request.candidates = {{}, {Choice{&row, {}}}};
    request.sizes_bytes = {1, 1000};
    request.repetitions = 2;
    const auto outcome = campaign::compare(*ranks, request);
    if (outcome || outcome.error().status != ExitStatus::no)
        return false;
    const auto& text = outcome.error().message;
    if (session.world().rank() != 0)
        return text.empty();
    std::printf("%s\n", text.c_str());
    for (const auto& word : words)
        if (text.find(word) == std::string::npos)
            return false;
    return true;
}

} // namespace

int main() {
    const auto session = mpi::Session::open();
    if (!session)
        return 2;
    const Algorithm swap{.name = "alltoall.swapped",
                         .wins = "never",
                         .generate = swapped};
    const Algorithm lazy{.name = "alltoall.idle",
                         .wins = "never",
                         .generate = idle};
    const bool both = caught(*session, swap, {"alltoall.swapped at ", ": rank ", "block 1->"}) &&
                      caught(*session, lazy, {"alltoall.idle at ", ": rank 0 ", "block 0->0"});
    return both ? 0 : 1;
}

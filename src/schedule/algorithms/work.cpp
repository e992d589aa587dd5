// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/algorithms/work.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold {
namespace {

/// No block is larger.
std::uint64_t largest_block(const Task& task) {
    std::uint64_t most = task.size_bytes;
    if (task.shares)
        for (const auto* sizes :
             {&task.shares->send_bytes, &task.shares->receive_bytes, &task.shares->relayed_bytes})
            for (const auto size_bytes : *sizes)
                most = std::max(most, size_bytes);
    return std::max<std::uint64_t>(most, 1);
}

double segments_of(const Operation& operation, std::uint64_t segment_bytes) {
    const bool cut = operation.is_message() || operation.kind == Kind::combine;
    if (!cut || segment_bytes == 0)
        return 1;
    return std::max(1., std::ceil(static_cast<double>(operation.region.size_bytes) /
                                  static_cast<double>(segment_bytes)));
}

/// Advice that makes the schedules smaller.
std::string remedy(const Parameters& parameters) {
    return parameters.segment_bytes > 0 ? "use fewer ranks or larger segments" : "use fewer ranks";
}

Error too_many(const Algorithm& algorithm, const Parameters& parameters, int ranks, double count,
               std::string_view whose, double most, std::string_view doing) {
    return bad_input(fmt::format(
        "{} among {} ranks takes about {:.2g} operations{}, and {:.2g} are the most to {}; {}",
        algorithm.name, ranks, count, whose, most, doing, remedy(parameters)));
}

} // namespace

Status check_bytes(Collective collective, int ranks, std::uint64_t size_bytes) {
    constexpr double most = 9e18; // signed strides must hold them
    const double n = ranks;
    using enum CollectiveTraits::Blocks;
    const auto kind = traits_of(collective).blocks;
    const double blocks = kind == one ? 1 : kind == per_rank ? n : n * n;
    if (blocks * static_cast<double>(size_bytes) <= most)
        return Done{};
    return bad_input(fmt::format("{} among {} ranks with blocks of {}: {:.2g} bytes in all are too "
                                 "many to count; use smaller blocks",
                                 name_of(collective), ranks,
                                 format_size(static_cast<double>(size_bytes)),
                                 blocks * static_cast<double>(size_bytes)));
}

double operations_of(const Algorithm& algorithm, const Task& task) {
    auto whole = task.parameters;
    if (whole.segment_bytes > 0)
        whole.segment_bytes = std::max(whole.segment_bytes, largest_block(task));
    const auto schedule = algorithm.generate({task.collective, task.rank, task.ranks, task.root,
                                              task.size_bytes, task.shares, whole, task.reduction});
    double count = 0;
    for (const auto& operation : schedule.operations())
        count += segments_of(operation, task.parameters.segment_bytes);
    if (algorithm.segments_diverge && task.parameters.segment_bytes > 0) {
        const int per_segment = traits_of(task.collective).reduces ? 3 : 2; // combined as well
        count = std::max(count, per_segment *
                                    (std::ceil(static_cast<double>(task.size_bytes) /
                                               static_cast<double>(task.parameters.segment_bytes)) +
                                     std::bit_width(static_cast<unsigned>(task.ranks))));
    }
    return count;
}

Status check_work(const Algorithm& algorithm, const Task& task, const WorkLimit& limit) {
    const double count = operations_of(algorithm, task);
    if (count <= limit.of_one_rank)
        return Done{};
    return too_many(algorithm, task.parameters, task.ranks, count, " of one rank",
                    limit.of_one_rank, limit.doing);
}

Status check_work(const Algorithm& algorithm, const Specification& specification,
                  const Parameters& parameters, const WorkLimit& limit) {
    const int ranks = specification.ranks(), root = specification.root();
    const auto count_of = [&](int rank) {
        return operations_of(algorithm, {specification.collective(), rank, ranks, root,
                                         specification.size_bytes(), nullptr, parameters,
                                         specification.reduction()});
    };
    double count = count_of(root), largest = count;
    // Ends as soon as the limit is reached: what is left takes as much as what was counted.
    for (int rank = 0; rank < ranks && count <= limit.operations; ++rank)
        if (rank != root) {
            const double own = count_of(rank);
            count += own;
            largest = std::max(largest, own);
            if (count > limit.operations)
                count *= static_cast<double>(ranks) / (rank + 1);
        }
    if (largest > limit.of_one_rank)
        return too_many(algorithm, parameters, ranks, largest, " of one rank", limit.of_one_rank,
                        limit.doing);
    if (count > limit.operations)
        return too_many(algorithm, parameters, ranks, count, "", limit.operations, limit.doing);
    return Done{};
}

} // namespace alltold

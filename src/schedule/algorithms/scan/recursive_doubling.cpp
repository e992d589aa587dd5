// SPDX-License-Identifier: BSD-3-Clause
// ceil(log2 n) rounds: after round k each rank has combined the last 2^k ranks (Hillis and Steele
// 1986).
#include "schedule/algorithms/prefix.hpp"

namespace alltold::scan_recursive_doubling {
namespace {

Schedule generate(const Task& task) {
    const Region own{Buffer::send, 0, task.size_bytes}, result{Buffer::receive, 0, task.size_bytes};
    Builder builder;
    const Value sum{result, builder.copy(own, result)};
    add_prefix_rounds(builder, task, 0, 1, {own}, sum);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "scan.recursive_doubling",
    .collective = Collective::scan,
    .wins = "short vectors: ceil(log2 n) rounds",
    .generate = generate,
    .in_order = true,
};

} // namespace alltold::scan_recursive_doubling

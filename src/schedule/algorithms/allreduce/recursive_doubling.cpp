// SPDX-License-Identifier: BSD-3-Clause
// Pairs at distances 1, 2, 4, ... exchange all they have; surplus ranks join a neighbour (Thakur,
// Rabenseifner and Gropp 2005).
#include <bit>

#include "schedule/algorithms/accumulator.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold::allreduce_recursive_doubling {
namespace {

/// The ranks that take part in the exchanges: of the first 2 * surplus the odd ones, which stand
/// for the one before too, and all others.
class Members {
  public:
    explicit Members(int ranks)
        : count_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
          surplus_(ranks - count_) {}

    int count() const { return count_; }
    bool is_paired(int rank) const { return rank < 2 * surplus_; }
    int number_of(int rank) const { return is_paired(rank) ? rank / 2 : rank - surplus_; }
    int rank_of(int number) const { return number < surplus_ ? 2 * number + 1 : number + surplus_; }

  private:
    int count_, surplus_;
};

Schedule generate(const Task& task) {
    const Region own{Buffer::send, 0, task.size_bytes}, result{Buffer::receive, 0, task.size_bytes};
    const Members members(task.ranks);
    const bool paired = members.is_paired(task.rank);
    Builder builder;
    if (paired && task.rank % 2 == 0) {
        builder.send(own, task.rank + 1);
        builder.receive(result, task.rank + 1);
        return std::move(builder).finish();
    }
    const int number = members.number_of(task.rank);
    // The side is that of the rank also where the operator commutes: the same bits everywhere.
    std::vector<Side> sides;
    if (paired)
        sides.push_back(Side::left);
    for (int distance = 1; distance < members.count(); distance *= 2)
        sides.push_back((number & distance) != 0 ? Side::left : Side::right);
    Accumulator all(builder, own, std::move(sides), result);
    if (paired)
        all.receive(task.rank - 1);
    for (int distance = 1; distance < members.count(); distance *= 2) {
        const int peer = members.rank_of(number ^ distance);
        const auto sent = builder.send(all.value(), peer, {all.ready()});
        all.receive(peer, sent);
    }
    if (paired)
        builder.send(result, task.rank - 1, {all.ready()});
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "allreduce.recursive_doubling",
    .collective = Collective::allreduce,
    .wins = "short vectors: log2 n rounds, or two more where the ranks are no power of two",
    .generate = generate,
    .in_order = true,
};

} // namespace alltold::allreduce_recursive_doubling

// SPDX-License-Identifier: BSD-3-Clause
// One coordinator per cluster gathers, exchanges and scatters all inter-cluster blocks.
#include "schedule/algorithms/exchange.hpp"

namespace alltold::alltoall_coordinator {
namespace {

// The scheme of MagPIe (Kielmann et al. 1999) and PACX-MPI, as Jeannot and Steffenel 2007 describe
// it: one message each way between any two clusters, through the lowest rank of each.
class Coordinator {
  public:
    explicit Coordinator(const Task& task)
        : task_(task), exchange_(task), clusters_(*task.parameters.clusters),
          mine_(clusters_.cluster_of(task.rank)), first_(clusters_.first(mine_)),
          size_(clusters_.size(mine_)), builder_(4 * static_cast<std::size_t>(task.ranks)) {}

    Schedule run() && {
        exchange_among(builder_, exchange_, first_, size_, task_.rank);
        for (int distance = 1; distance < clusters_.count(); ++distance) {
            const int remote = (mine_ + distance) % clusters_.count();
            if (task_.rank == first_)
                coordinate(remote);
            else
                rely_on_coordinator(remote);
        }
        exchange_.copy_own(builder_);
        return std::move(builder_).finish();
    }

  private:
    void rely_on_coordinator(int remote) {
        const int there = clusters_.first(remote), many = clusters_.size(remote);
        builder_.receive(exchange_.incoming(there, many), first_);
        builder_.send(exchange_.outgoing(there, many), first_);
    }

    void coordinate(int remote) {
        const int there = clusters_.first(remote), many = clusters_.size(remote);
        const auto arrived = builder_.scratch(exchange_.bytes(size_ * many));
        const auto received = builder_.receive(arrived, there);
        const auto gathered = builder_.scratch(exchange_.bytes(size_ * many));
        std::vector<Step> parts{
            builder_.copy(exchange_.outgoing(there, many), blocks(gathered, 0, many))};
        for (int i = 1; i < size_; ++i)
            parts.push_back(builder_.receive(blocks(gathered, i * many, many), first_ + i));
        const auto sent = builder_.send(gathered, there);
        builder_.also_after(sent, parts);
        scatter(arrived, received, there, many);
    }

    /// `arrived` holds size_ blocks from each remote rank; sends them on, sorted by receiver.
    void scatter(const Region& arrived, Step received, int there, int many) {
        const auto sorted = builder_.scratch(exchange_.bytes((size_ - 1) * many));
        for (int j = 0; j < size_; ++j) {
            const auto target =
                j == 0 ? exchange_.incoming(there, many) : blocks(sorted, (j - 1) * many, many);
            const auto copied = builder_.copy_rows(
                many, blocks(arrived, j, 1), static_cast<std::int64_t>(exchange_.bytes(size_)),
                blocks(target, 0, 1), static_cast<std::int64_t>(task_.size_bytes), {received});
            if (j > 0)
                builder_.send(target, first_ + j, {copied});
        }
    }

    Region blocks(const Region& region, int first, int count) const {
        return subregion(region, exchange_.bytes(first), exchange_.bytes(count));
    }

    const Task& task_;
    Exchange exchange_;
    const Clusters& clusters_;
    int mine_, first_, size_;
    Builder builder_;
};

Schedule generate(const Task& task) {
    return task.size_bytes == 0 ? Schedule() : Coordinator(task).run();
}

} // namespace

extern const Algorithm row{
    .name = "alltoall.coordinator",
    .wins =
        "very short messages over a backbone with a high cost per message; otherwise a baseline",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::alltoall_coordinator

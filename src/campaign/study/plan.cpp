// SPDX-License-Identifier: BSD-3-Clause
// Splitting a network's process counts and sizes into fitted and held out.
#include "campaign/study/plan.hpp"

#include <algorithm>
#include <cassert>

#include "campaign/plan.hpp"
#include "schedule/specification.hpp"

namespace alltold::campaign {
namespace {

constexpr std::uint64_t kib = 1024;

template <typename T>
bool contains(const std::vector<T>& values, const T& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

/// Process counts of one cluster, at least 2 each, none twice.
void add_count(std::vector<Clusters>& to, int n, const std::vector<Clusters>& but_not) {
    const Clusters layout({std::max(n, 2)});
    if (!contains(to, layout) && !contains(but_not, layout))
        to.push_back(layout);
}

void split_one_cluster(StudyPlan& plan, int hosts) {
    if (hosts >= 6)
        add_count(plan.fitted_layouts, hosts / 3, {});
    add_count(plan.fitted_layouts, hosts * 2 / 3, {});
    // Two hosts leave nothing larger to hold out; sizes still are.
    if (hosts > 2) {
        add_count(plan.held_out_layouts, hosts / 2, plan.fitted_layouts);
        add_count(plan.held_out_layouts, hosts, plan.fitted_layouts);
    }
}

void split_clusters(StudyPlan& plan, const Clusters& hosts) {
    if (hosts.size(0) >= 4)
        add_count(plan.fitted_layouts, hosts.size(0) / 2, {});
    if (hosts.size(0) >= 2)
        add_count(plan.fitted_layouts, hosts.size(0), {});
    std::vector<int> half;
    for (const int size : hosts.sizes())
        half.push_back((size + 1) / 2);
    plan.held_out_layouts.push_back(Clusters(half));
    if (Clusters(half) != hosts)
        plan.held_out_layouts.push_back(hosts);
}

} // namespace

bool StudyPlan::fits(const Point& point) const {
    if (!collective_named(point.probe))
        return true;
    if (point.algorithm != "mpi")
        return contains(learnt_layouts, point.clusters) && contains(learnt_sizes, point.size_bytes);
    return point.probe == "alltoall" && contains(fitted_layouts, point.clusters) &&
           contains(fitted_sizes, point.size_bytes);
}

std::vector<Clusters> StudyPlan::layouts() const {
    auto all = fitted_layouts;
    all.insert(all.end(), held_out_layouts.begin(), held_out_layouts.end());
    return all;
}

std::vector<std::uint64_t> StudyPlan::sizes() const {
    auto all = fitted_sizes;
    all.insert(all.end(), held_out_sizes.begin(), held_out_sizes.end());
    std::sort(all.begin(), all.end());
    return all;
}

StudyPlan plan_study(const Clusters& hosts) {
    assert(hosts.ranks() >= 2);
    StudyPlan plan;
    plan.fitted_sizes = {1 * kib, 4 * kib, 16 * kib, 64 * kib, 256 * kib};
    plan.held_out_sizes = {2 * kib, 8 * kib, 32 * kib, 128 * kib};
    plan.ours = {"bcast.binomial",
                 "bcast.chain_segmented segment=8KiB",
                 "scatter.flat",
                 "scatter.binomial",
                 "gather.binomial",
                 "gather.windowed window=1",
                 "alltoall.pairwise",
                 "alltoall.rotated window=2",
                 "alltoall.paced segment=4KiB window=16 inter_cluster_window=4"};
    plan.learnt_layouts = learning_subsets(hosts, {});
    // All hosts are there to be predicted.
    std::erase(plan.learnt_layouts, hosts);
    plan.learnt_sizes = {512, 4 * kib, 16 * kib, 64 * kib};
    plan.predicted_sizes = {4 * kib, 32 * kib};
    plan.chosen_bytes = 32 * kib;
    if (hosts.count() == 1)
        split_one_cluster(plan, hosts.ranks());
    else
        split_clusters(plan, hosts);
    return plan;
}

} // namespace alltold::campaign

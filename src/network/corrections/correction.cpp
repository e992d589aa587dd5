// SPDX-License-Identifier: BSD-3-Clause
// Calls as traits; times out of log ratios.
#include "network/corrections/correction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/statistics.hpp"
#include "network/cost_model.hpp"
#include "network/network.hpp"

namespace alltold {
namespace {

double octaves(double value) {
    return std::log2(std::max(1., value));
}

MeasuredRatio ratio_of(const MeasuredCall& call) {
    return {traits_of(call.algorithm, call.parameters, call.clusters.ranks(), call.size_bytes,
                      call.modelled),
            std::log(call.measured_s / call.modelled.time_s.value),
            call.relative_error * call.relative_error, call.outlier};
}

} // namespace

bool by_rendezvous(const Network& network, const Parameters& parameters, std::uint64_t size_bytes) {
    const auto segment_bytes = parameters.segment_bytes;
    const auto longest_bytes = segment_bytes > 0 ? std::min(segment_bytes, size_bytes) : size_bytes;
    return network.eager_limit_bytes &&
           static_cast<double>(longest_bytes) > network.eager_limit_bytes->value;
}

CallTraits traits_of(const Algorithm* algorithm, const Parameters& parameters, int ranks,
                     std::uint64_t size_bytes, const ModelTime& modelled) {
    CallTraits traits{algorithm               ? std::string(algorithm->name)
                      : modelled.runs.empty() ? "mpi"
                                              : "mpi." + modelled.runs};
    const auto size = static_cast<double>(size_bytes);
    const auto segment = static_cast<double>(parameters.segment_bytes);
    traits.modelled_s = modelled.time_s.value;
    traits.timeout_sd = modelled.timeout_sd;
    traits.rendezvous = modelled.rendezvous;
    traits.loses_packets = modelled.overflow_bytes > 0;
    traits.may_lose = modelled.may_lose;
    traits.window_share = modelled.window_share;
    traits.log2_size = octaves(size);
    traits.log2_ranks = octaves(ranks);
    if (algorithm && algorithm->segment != Algorithm::Use::no)
        traits.log2_segment = octaves(segment > 0 ? std::min(segment, size) : size);
    if (algorithm && algorithm->window != Algorithm::Use::no)
        traits.log2_window =
            octaves(parameters.window > 0 ? std::min(parameters.window, ranks) : ranks);
    return traits;
}

Estimate MeasuredCall::interval_s() const {
    const double factor = std::exp(normal_reach * relative_error);
    return {measured_s, measured_s / factor, measured_s * factor};
}

std::vector<MeasuredRatio> ratios_of(const std::vector<MeasuredCall>& calls) {
    std::vector<MeasuredRatio> ratios;
    for (const auto& call : calls)
        ratios.push_back(ratio_of(call));
    return ratios;
}

std::string Baseline::text() const {
    if (by_defaults)
        return fmt::format("the library's defaults on {}", model->name);
    return resembles ? fmt::format("{} on {}", resembles->name, model->name)
                     : std::string(model->name);
}

CorrectedCalls CorrectedCalls::on(const Clusters& clusters, const CollectiveProbe& probe,
                                  bool of_library) {
    return {probe, of_library, clusters.count() > 1, clusters.most_ranks_of_a_host()};
}

std::string CorrectedCalls::where() const {
    return fmt::format("{}{}", several_clusters ? "several clusters" : "one cluster",
                       ranks_per_host > 1 ? fmt::format(" with {} ranks per host", ranks_per_host)
                                          : "");
}

std::string CorrectedCalls::text() const {
    return fmt::format("{} {} on {}{}", of_library ? "the library's" : "our",
                       name_of(probe.collective), where(),
                       probe.start_mode ? fmt::format(" {}", in_words(*probe.start_mode)) : "");
}

Correction::Correction(const CorrectedCalls& of, const Baseline& baseline,
                       std::vector<MeasuredCall> calls, const ResidualFit& fit,
                       std::vector<RejectedBaseline> rejected)
    : of_(of) {
    of_.ranks_per_host = calls.front().clusters.most_ranks_of_a_host();
    auto residual = std::make_shared<const Residual>(ratios_of(calls), fit.kernel);
    learned_ = std::make_shared<const Learned>(
        Learned{baseline, std::move(calls), fit, std::move(rejected), std::move(residual)});
}

Correction Correction::from_usual_start() const {
    auto correction = *this;
    correction.of_.probe.start_mode.reset();
    return correction;
}

Correction Correction::for_loops() const {
    auto correction = *this;
    correction.of_loops_ = true;
    return correction;
}

Estimate Correction::time_s(const CallTraits& call) const {
    const auto corrected = learned_->residual->at(call).of(call.modelled_s, fit().reach);
    if (!of_loops_)
        return corrected;
    // A share between 0 and 1 is 1/2 on average, its square 1/3, and its variance 1/12.
    const double shift = std::log(corrected.value / call.modelled_s);
    const auto factor = [&](double ratio) {
        return std::exp(
            std::hypot(std::log(ratio) / std::sqrt(3), normal_reach * shift / std::sqrt(12)));
    };
    const double value_s = call.modelled_s * std::exp(shift / 2);
    return {value_s, value_s / factor(corrected.value / corrected.low),
            value_s * factor(corrected.high / corrected.value)};
}

const MeasuredCall* Correction::measured(const Algorithm* algorithm, const Parameters& parameters,
                                         const Clusters& clusters, std::uint64_t size_bytes) const {
    const auto found = std::ranges::find_if(calls(), [&](const MeasuredCall& call) {
        return call.algorithm == algorithm && call.clusters == clusters &&
               call.size_bytes == size_bytes &&
               call.parameters.segment_bytes == parameters.segment_bytes &&
               call.parameters.window == parameters.window &&
               call.parameters.inter_cluster_window == parameters.inter_cluster_window;
    });
    return found == calls().end() ? nullptr : &*found;
}

Correction Correction::reaching(double reach) const {
    auto learned = *learned_;
    learned.fit.reach = reach;
    auto correction = *this;
    correction.learned_ = std::make_shared<const Learned>(std::move(learned));
    return correction;
}

Correction Correction::explained_by(std::shared_ptr<const Residual> residual,
                                    const ResidualKernel& kernel) const {
    auto learned = *learned_;
    learned.residual = std::move(residual);
    learned.fit.kernel = kernel;
    auto explained = *this;
    explained.learned_ = std::make_shared<const Learned>(std::move(learned));
    return explained;
}

void share_errors(std::vector<Correction>& corrections,
                  const std::function<ResidualKernel(std::vector<MeasuredRatio>)>& fit) {
    for (auto& ours : corrections) {
        auto of = ours.of();
        if (std::exchange(of.of_library, true))
            continue;
        const auto library = std::ranges::find(corrections, of, &Correction::of);
        if (library == corrections.end())
            continue;
        auto ratios = ratios_of(ours.calls());
        const auto of_library = ratios_of(library->calls());
        ratios.insert(ratios.end(), of_library.begin(), of_library.end());
        if (!fit && !(ours.fit().kernel == library->fit().kernel))
            continue;
        const auto kernel = fit ? fit(ratios) : ours.fit().kernel;
        const auto residual = std::make_shared<const Residual>(ratios, kernel);
        *library = library->explained_by(residual, kernel);
        ours = ours.explained_by(residual, kernel);
    }
}

const Correction* correction_of(const Network& network, const CollectiveProbe& probe,
                                const Clusters& clusters, bool of_library) {
    const auto of = CorrectedCalls::on(clusters, probe, of_library);
    const auto found = std::ranges::find(network.corrections, of, &Correction::of);
    return found == network.corrections.end() ? nullptr : &*found;
}

const Correction* correction_of(const Network& network, Collective collective,
                                const Clusters& clusters, bool of_library) {
    return correction_of(network, CollectiveProbe{collective}, clusters, of_library);
}

const MeasuredCall* measured_call(const Network& network, Collective collective,
                                  const Algorithm* algorithm, const Parameters& parameters,
                                  const Clusters& clusters, std::uint64_t size_bytes) {
    if (network.loop_work_s)
        return nullptr;
    const auto* correction = correction_of(network, collective, clusters, !algorithm);
    return correction ? correction->measured(algorithm, parameters, clusters, size_bytes) : nullptr;
}

Network network_after(const Network& network, StartMode start_mode) {
    auto after = network;
    after.corrections.clear();
    after.library.clear();
    after.alltoall.reset();
    after.alltoall_of_clusters.clear();
    after.congestion.reset();
    if (start_mode == StartMode::barrier && after.half_duplex)
        after.half_duplex->applies = true;
    if (start_mode == StartMode::loop) {
        after.loop_work_s = 0;
        for (const auto& correction : network.corrections)
            if (!correction.of().probe.start_mode)
                after.corrections.push_back(correction.for_loops());
        return after;
    }
    for (const auto& correction : network.corrections)
        if (correction.of().probe.start_mode == start_mode)
            after.corrections.push_back(correction.from_usual_start());
    LostCorrections lost{start_mode, {}};
    for (const auto& correction : network.corrections)
        if (const auto& of = correction.of();
            !of.probe.start_mode &&
            std::ranges::find(after.corrections, of, &Correction::of) == after.corrections.end())
            lost.of.emplace_back(of, correction.calls().size());
    after.lost_corrections = std::move(lost);
    return after;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/policies/comparison.hpp"

#include <numeric>

#include <fmt/format.h>

#include "campaign/policies/point_progress.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

/// More than retransmissions and connections cost: Linux starts with 200 ms and 1 s.
constexpr double never_chance_s = 1;

double middle_s(const CandidateTimes& candidate) {
    return candidate.times_s.empty() ? candidate.warmup_s : median(candidate.times_s);
}

double least_s(const CandidateTimes& candidate) {
    double least = candidate.warmup_s;
    for (const double time_s : candidate.times_s)
        least = std::min(least, time_s);
    return least;
}

constexpr std::size_t traced_repetitions = 5;
/// The least time that the warm-ups of a size take.
constexpr double least_warm_ups_s = 1e-6;

} // namespace

std::vector<bool> too_slow(std::span<const CandidateTimes> candidates, double factor) {
    double best_s = std::numeric_limits<double>::infinity();
    for (const auto& candidate : candidates)
        best_s = std::min(best_s, middle_s(candidate));
    std::vector<bool> gone;
    for (const auto& candidate : candidates) {
        const double over_s = least_s(candidate) - factor * best_s;
        gone.push_back(!candidate.stays && over_s > 0 &&
                       (!candidate.times_s.empty() || over_s > never_chance_s));
    }
    return gone;
}

Result<std::vector<Entry>> Comparison::entries_of(const ComparisonRequest& request) {
    std::vector<Entry> entries;
    for (const auto size_bytes : request.sizes_bytes)
        for (int i = 0; i < std::ssize(request.candidates); ++i) {
            ALLTOLD_TRY(choice, request.candidates[static_cast<std::size_t>(i)].at(
                                    request.specification(size_bytes), request.clusters));
            entries.push_back({.candidate = i, .size_bytes = size_bytes, .choice = *choice});
        }
    return entries;
}

Comparison::Comparison(const ComparisonRequest& request, std::vector<Entry> entries)
    : request_(request) {
    outcome_.entries = std::move(entries);
}

const Candidate& Comparison::candidate_of(const Entry& entry) const {
    return request_.candidates[static_cast<std::size_t>(entry.candidate)];
}

std::vector<std::size_t> Comparison::shuffled(std::size_t size) const {
    std::vector<std::size_t> order(request_.candidates.size());
    std::iota(order.begin(), order.end(), size * request_.candidates.size());
    Random random(request_.seed * 1000003 + size * 1009 + static_cast<std::uint64_t>(round_));
    shuffle(order, random);
    return order;
}

void Comparison::start(double now_s) {
    started_s_ = asked_s_ = now_s;
    warm_ups_s_.assign(request_.sizes_bytes.size(), least_warm_ups_s);
    for (auto size = request_.sizes_bytes.size(); size-- > 0;) {
        const auto order = shuffled(size);
        order_.insert(order_.end(), order.begin(), order.end());
    }
}

std::span<Entry> Comparison::of_size() {
    return std::span(outcome_.entries)
        .subspan(size_ * request_.candidates.size(), request_.candidates.size());
}

void Comparison::start_size(std::size_t size, double now_s) {
    size_ = size;
    round_ = 0;
    order_.clear();
    place_ = 0;
    awaited_.reset();
    if (size == warm_ups_s_.size())
        return;
    const auto from = warm_ups_s_.begin() + static_cast<std::ptrdiff_t>(size);
    const double share = *from / std::accumulate(from, warm_ups_s_.end(), 0.);
    until_s_ = now_s + share * std::max(0., *started_s_ + request_.budget_s - now_s);
}

void Comparison::drop_out() {
    const auto entries = of_size();
    std::vector<CandidateTimes> times;
    for (const auto& entry : entries) {
        const auto& candidate = candidate_of(entry);
        times.push_back(
            {entry.warmup_s, entry.times_s, candidate.rules || candidate.choice.is_default()});
    }
    const auto slow = too_slow(times, request_.keep_within);
    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i].dropped_out = entries[i].dropped_out || slow[i];
}

bool Comparison::is_over_budget(double now_s) {
    return now_s > until_s_ && std::ranges::none_of(of_size(), [](const Entry& entry) {
               return entry.times_s.empty() && !entry.dropped_out;
           });
}

Result<std::optional<Measurement>> Comparison::next(double now_s) {
    if (!started_s_)
        start(now_s);
    if (const auto warm_up = next_warm_up(now_s))
        return warm_up;
    if (!tracing_)
        if (const auto timed = next_timed(now_s))
            return timed;
    tracing_ = true;
    return next_traced();
}

std::optional<Measurement> Comparison::next_in_order() {
    for (; place_ < order_.size() && !awaited_; ++place_)
        if (!outcome_.entries[order_[place_]].dropped_out)
            await(order_[place_]);
    return awaited_ ? std::optional(measurement()) : std::nullopt;
}

std::optional<Measurement> Comparison::next_warm_up(double now_s) {
    if (warm_)
        return std::nullopt;
    if (last_)
        warm_ups_s_[*last_ / request_.candidates.size()] += now_s - asked_s_;
    asked_s_ = now_s;
    auto next = next_in_order();
    if (!next) {
        warm_ = true;
        start_size(0, now_s);
    }
    return next;
}

std::optional<Measurement> Comparison::next_timed(double now_s) {
    while (size_ < request_.sizes_bytes.size()) {
        if (prepared_ && is_over_budget(now_s)) {
            outcome_.out_of_time = true;
            start_size(size_ + 1, now_s);
            continue;
        }
        if (auto next = next_in_order())
            return next;
        if (round_ == request_.repetitions) {
            start_size(size_ + 1, now_s);
            continue;
        }
        ++round_;
        if (request_.keep_within > 0)
            drop_out();
        order_ = shuffled(size_);
        place_ = 0;
    }
    return std::nullopt;
}

std::optional<Measurement> Comparison::next_traced() {
    auto& entries = outcome_.entries;
    const auto all = request_.trace ? traced_repetitions * entries.size() : 0;
    for (; to_trace_ < all && !awaited_; ++to_trace_)
        if (const auto i = to_trace_ % entries.size(); entries[i].choice.algorithm)
            await(i);
    if (!awaited_)
        return std::nullopt;
    auto traced = measurement();
    traced.trace = prepared_;
    return traced;
}

void Comparison::await(std::size_t entry) {
    prepared_ = !warm_ || last_ == entry || request_.clusters.count() == 1 ||
                request_.start_mode == StartMode::loop;
    awaited_ = last_ = entry;
}

Measurement Comparison::measurement() {
    const auto& entry = outcome_.entries[*awaited_];
    const bool timed = warm_ && prepared_;
    // Candidates of a round do equal work.
    auto between = request_.between;
    between.seed = request_.seed * 1000003 + static_cast<std::uint64_t>(round_);
    return {.point = {std::string(name_of(request_.collective)), text_of(entry.choice),
                      request_.clusters, entry.size_bytes},
            .root = request_.root,
            .repetitions = timed ? 1 : 0,
            .start_mode = request_.start_mode,
            .warm = timed,
            .verify = true,
            .pattern = ++repetitions_,
            .between = between};
}

Status Comparison::observe(const Measurement& measurement, const Observation& observation) {
    auto& entry = outcome_.entries[*last_];
    if (prepared_)
        awaited_.reset();
    ++outcome_.checked;
    if (observation.wrong_rank >= 0)
        return refused(fmt::format("{} at {}, repetition {}: rank {} has a wrong byte: {}",
                                   candidate_of(entry).name(), format_size(entry.size_bytes),
                                   round_, observation.wrong_rank, text_of(observation.wrong)));
    if (measurement.trace) {
        traces_.resize(outcome_.entries.size());
        traces_[*last_].push_back({request_.collective,
                                   measurement.point.algorithm,
                                   request_.clusters,
                                   entry.size_bytes,
                                   request_.root,
                                   observation.value,
                                   {}});
        return Done{};
    }
    const auto dropped = dropped_so_far();
    if (!prepared_) {
        prepared_ = true;
    } else if (observation.warm_up) {
        entry.warmup_s = observation.value;
    } else {
        entry.times_s.push_back(observation.value);
        entry.calls.push_back(observation.calls);
        if (observation.retransmitted)
            entry.retransmitted.push_back(static_cast<double>(*observation.retransmitted));
        if (dropped && dropped_)
            entry.drops.push_back(*dropped - *dropped_);
    }
    dropped_ = dropped;
    return Done{};
}

void Comparison::traced(const Measurement&, std::vector<std::vector<TracedOperation>> operations) {
    if (!awaited_) // else a rank started late
        traces_[*last_].back().ranks = std::move(operations);
}

Status Comparison::ended(const EngineStatus& status, double now_s) {
    static_cast<EngineStatus&>(outcome_) = status;
    outcome_.checked += status.late;
    outcome_.elapsed_s = now_s - started_s_.value_or(now_s);
    for (auto& traces : traces_)
        if (!traces.empty()) {
            const auto middle = traces.begin() + std::ssize(traces) / 2;
            std::ranges::nth_element(traces, middle, {}, &CallTrace::time_s);
            outcome_.traces.push_back(std::move(*middle));
        }
    return Done{};
}

std::string Comparison::progress(const Measurement&, double now_s) const {
    const auto& entry = outcome_.entries[*last_];
    if (tracing_)
        return fmt::format("run: tracing {} at {}", candidate_of(entry).name(),
                           format_size(entry.size_bytes));
    const auto budget = std::isinf(request_.budget_s)
                            ? std::string()
                            : fmt::format(" of at most {:.0f}", request_.budget_s);
    const auto round =
        warm_ ? fmt::format("round {} of {}", round_, request_.repetitions) : "warm-up";
    return fmt::format("run: {}, {}, {:.0f}{} s, at {}", format_size(entry.size_bytes), round,
                       now_s - *started_s_, budget, candidate_of(entry).name());
}

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// Times without one part of the network, and sentences about them.
#include "predict/choice/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units.hpp"

namespace alltold {
namespace {

/// The gaps less the gap of the smallest message.
SizeCurve without_base(const SizeCurve& curve) {
    auto points = curve.points();
    if (points.empty())
        return curve;
    const double base_s = points.front().time_s.value;
    for (auto& point : points)
        point = {point.size_bytes, std::max(0.0, point.time_s.value - base_s)};
    return SizeCurve(std::move(points));
}

Network without_start_ups(Network network) {
    if (network.plogp)
        network.plogp->g_s = without_base(network.plogp->g_s);
    if (network.local)
        network.local->alpha_s = {};
    if (network.alltoall)
        network.alltoall->network.alpha_s = 0;
    for (auto& [cluster, fit] : network.alltoall_of_clusters)
        fit.network.alpha_s = 0;
    if (network.links) {
        network.links->start_up_s = 0;
        if (network.links->memory)
            network.links->memory->latency_s = 0;
    }
    return network;
}

Network without_latency(Network network) {
    if (network.plogp)
        network.plogp->L_s = {};
    if (network.links) {
        network.links->port.latency_s = 0;
        for (auto& port : network.links->ports)
            port.latency_s = 0;
    }
    return network;
}

Network without_combining(Network network) {
    network.combined_bytes_per_s.reset();
    return network;
}

Network without_backbone(Network network) {
    if (network.links && network.links->backbone) {
        network.links->backbone = Link{1e3 * network.links->port.goodput_bytes_per_s, 0, 0};
        network.links->paths.clear();
    }
    return network;
}

constexpr std::pair<double TimeParts::*, const char*> time_terms[] = {
    {&TimeParts::bandwidth, "bandwidth"},
    {&TimeParts::start_ups, "start-ups"},
    {&TimeParts::latency, "latency"},
    {&TimeParts::combining, "combining"},
    {&TimeParts::backbone, "the backbone"}};

std::string percent(double share) {
    return share >= 0.01 ? fmt::format("{:.0f} %", 100 * share) : "under 1 %";
}

/// "bandwidth 93 %, start-ups 6 %, latency under 1 %", largest first; empty if nothing is known.
std::string parts_text(const std::optional<TimeParts>& parts) {
    if (!parts)
        return "";
    std::vector<std::pair<double, const char*>> shares;
    for (const auto& [term, name] : time_terms)
        shares.emplace_back((*parts).*term, name);
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> words;
    for (const auto& [share, name] : shares)
        if (share > 0)
            words.push_back(fmt::format("{} {}", name, percent(share)));
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string winner_text(const CallTime& best, const std::optional<TimeParts>& parts) {
    const double time_s = best.time_s.value, bound_s = best.bound_s;
    auto text = fmt::format("{} takes {}", text_of(best.choice), format_time(time_s));
    if (bound_s > 0)
        text += fmt::format(", {:.2f} times the lower bound of {}", time_s / bound_s,
                            format_time(bound_s));
    if (parts)
        text += ": " + parts_text(parts);
    return text + ".";
}

std::string separation_text(const CallTime& best, const TimeParts& of_best, const CallTime& second,
                            const TimeParts& of_second) {
    double most_s = 0;
    const char* name = nullptr;
    for (const auto& [term, called] : time_terms)
        if (const double more_s =
                of_second.*term * second.time_s.value - of_best.*term * best.time_s.value;
            more_s > most_s) {
            most_s = more_s;
            name = called;
        }
    return name ? fmt::format(" The main difference is {}: {} more.", name, format_time(most_s))
                : "";
}

/// Whether a ratio is printed as 1.00.
bool rounds_to_one(double ratio) {
    return std::abs(ratio - 1) < 0.005;
}

/// "1.02 times as long" as the first, or "a tie".
std::string times_as_long(const CallTime& best, const CallTime& other) {
    const double ratio = other.time_s.value / best.time_s.value;
    return rounds_to_one(ratio) ? "a tie" : fmt::format("{:.2f} times as long", ratio);
}

/// What the library's own choice takes, unless it is one of the first two.
std::string library_text(const Ranking& ranking) {
    const auto* library = library_choice(ranking);
    if (!library || library == &ranking.candidates[0] || library == &ranking.candidates[1])
        return "";
    return fmt::format(" mpi takes {}, {}.", format_time(library->time_s.value),
                       times_as_long(ranking.candidates.front(), *library));
}

/// The reason for a best candidate that is not the quickest.
std::string tie_text(const CallTime& best, const CallTime& quicker) {
    auto text = fmt::format("The models predict a tie with {} ({})", text_of(quicker.choice),
                            format_time(quicker.time_s.value));
    const double loss_bytes = quicker.uncharged_loss_bytes();
    if (loss_bytes > 0 && best.uncharged_loss_bytes() == 0)
        text += fmt::format("; it is listed first because it overflows no buffer; the other "
                            "loses {}, at an unknown cost",
                            format_size(loss_bytes));
    else if (quicker.fan_in > best.fan_in)
        text += fmt::format("; it is listed first because at most {} of its ranks send to the same "
                            "rank at once, not {}",
                            best.fan_in, quicker.fan_in);
    return text + ".";
}

} // namespace

std::optional<TimeParts> parts_of(const Network& network, const Ranking& ranking,
                                  const CallTime& candidate) {
    const auto& model = candidate.model;
    if (!candidate.choice.algorithm || model == "cluster" || model == "smt")
        return std::nullopt;
    // Compare estimates of one kind only: without searches.
    const auto time_s = [&](const Network& of) {
        const auto evaluated = evaluate(of, ranking.collective, ranking.clusters,
                                        ranking.size_bytes, candidate.choice);
        return evaluated ? evaluated->time_s.value : candidate.time_s.value;
    };
    const double all_s = time_s(network);
    if (!(all_s > 0))
        return std::nullopt;
    const auto share = [&](const Network& without) {
        return std::clamp(1 - time_s(without) / all_s, 0.0, 1.0);
    };
    TimeParts parts;
    parts.start_ups = share(without_start_ups(network));
    parts.latency = share(without_latency(network));
    if (network.combined_bytes_per_s && traits_of(ranking.collective).reduces)
        parts.combining = share(without_combining(network));
    if (model == "links")
        parts.backbone = share(without_backbone(network));
    parts.bandwidth =
        std::max(0.0, 1 - parts.start_ups - parts.latency - parts.combining - parts.backbone);
    return parts;
}

Explanation explain(const Network& network, const Ranking& ranking) {
    const auto& best = ranking.candidates.front();
    const auto of_best = parts_of(network, ranking, best);
    Explanation explanation{{winner_text(best, of_best)}};
    auto& sentences = explanation.sentences;
    if (ranking.candidates.size() < 2) {
        sentences.emplace_back("No other algorithm could be predicted.");
        return explanation;
    }
    const auto& second = ranking.candidates[1];
    if (second.time_s.value <= best.time_s.value) {
        sentences.push_back(tie_text(best, second) + library_text(ranking));
        return explanation;
    }
    const bool tie = rounds_to_one(second.time_s.value / best.time_s.value);
    auto text = fmt::format("The runner-up is {} with {}, {}.", text_of(second.choice),
                            format_time(second.time_s.value), times_as_long(best, second));
    if (const auto of_second = parts_of(network, ranking, second); !tie && of_best && of_second)
        text += separation_text(best, *of_best, second, *of_second);
    if (second.time_s.low <= best.time_s.high) {
        text += " Their intervals overlap; only a measurement can decide.";
        explanation.undecided = true;
    }
    sentences.push_back(text + library_text(ranking));
    return explanation;
}

} // namespace alltold

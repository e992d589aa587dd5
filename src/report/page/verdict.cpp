// SPDX-License-Identifier: BSD-3-Clause
// The page's first sentences.
#include <fmt/format.h>

#include "core/units.hpp"
#include "report/format.hpp"
#include "report/next_command.hpp"
#include "report/page/figures.hpp"

namespace alltold {
namespace {

std::string call_text(const CallTimes& call) {
    auto name = std::string(name_of(call.collective));
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
    return fmt::format("MPI_{} of {} on {}", name, format_size(call.size_bytes),
                       hosts_text(call.clusters));
}

/// ", 1.90 times the lower bound", where that is known.
std::string times_bound(const ValidatedPoint& point, const CallTimes& call) {
    const double ratio = over_bound(point.measured_s, call.bound_s);
    return ratio > 0 ? fmt::format(", {:.2f} times the lower bound", ratio) : "";
}

/// ", with 12 TCP segments retransmitted", where so many were counted; ", because switch buffers
/// drop about 12 packets (by the model)", where that is predicted of a call that takes longer than
/// its bound.
std::string cause_text(const ValidatedPoint& point, const CallTimes& call,
                       const std::optional<LinkNetwork>& links) {
    constexpr double slow = 1.2;
    if (point.retransmitted >= 1.)
        return fmt::format(", with {:.0f} TCP segment{} retransmitted", *point.retransmitted,
                           *point.retransmitted < 1.5 ? "" : "s");
    const double lost_bytes = point.predicted.modelled.overflow_bytes;
    if (!links || lost_bytes <= 0 || !(over_bound(point.measured_s, call.bound_s) > slow))
        return "";
    const double packets = std::ceil(lost_bytes / links->full_segment_bytes());
    const double unit = std::pow(10, std::max(0., std::floor(std::log10(packets)) - 1));
    return fmt::format(", because switch buffers drop about {:.0f} packet{} (by the model)",
                       unit * std::round(packets / unit), packets > 1 ? "s" : "");
}

std::string library_text(const CallTimes& call, const PageInput& input) {
    return fmt::format("{} takes {} with the MPI library's own choice{}{}.", call_text(call),
                       format_time(call.library->measured_s.value),
                       times_bound(*call.library, call),
                       cause_text(*call.library, call, input.fitted.network.links));
}

std::string gain_sentence(const CallTimes& call, const PageInput& input) {
    return fmt::format("{} {} takes {}{}: {:.1f} times as fast.", library_text(call, input),
                       call.ours->algorithm, format_time(call.ours->measured_s.value),
                       times_bound(*call.ours, call), call.gain());
}

/// The library's call from the usual start on the most ranks that is farthest from its bound.
const CallTimes* farthest(std::span<const CallTimes> calls) {
    const auto counts = [](const CallTimes& call) {
        return !call.start_mode && call.library && call.bound_s > 0;
    };
    int most_ranks = 0;
    for (const auto& call : calls)
        if (counts(call))
            most_ranks = std::max(most_ranks, call.clusters.ranks());
    const CallTimes* worst = nullptr;
    const auto ratio = [](const CallTimes& call) {
        return over_bound(call.library->measured_s, call.bound_s);
    };
    for (const auto& call : calls)
        if (counts(call) && call.clusters.ranks() == most_ranks &&
            (!worst || ratio(call) > ratio(*worst)))
            worst = &call;
    return worst;
}

/// The input's call where both of its times are known, else the largest gain.
const CallTimes* headline_of(const PageInput& input, std::span<const CallTimes> calls) {
    if (const auto& asked = input.headline) {
        const auto found = std::ranges::find_if(calls, [&](const CallTimes& call) {
            return !call.start_mode && call.collective == asked->collective &&
                   call.clusters == asked->clusters && call.size_bytes == asked->size_bytes &&
                   call.library && call.ours;
        });
        if (found != calls.end())
            return &*found;
    }
    return best_gain(calls);
}

std::string links_sentence(const LinkNetwork& links) {
    const auto rate = [](const Link& link) {
        return (link.at_least ? "at least " : "") + format_rate(8 * link.goodput_bytes_per_s);
    };
    auto text = fmt::format("Each host link carries {} of payload",
                            rate(links.ports.empty() ? links.port : links.ports.front()));
    for (std::size_t c = 1; c < links.ports.size(); ++c)
        text += fmt::format(", in cluster {} {}", c, rate(links.ports[c]));
    if (links.port.queue_bytes > 0)
        text += fmt::format("; each switch port buffers {}", format_size(links.port.queue_bytes));
    if (links.backbone)
        text += fmt::format("; the {}path between clusters carries {}",
                            links.paths.empty() ? "" : "slowest ", rate(*links.backbone));
    return text + ".";
}

std::string predictions_sentence(const Validation& validation) {
    const int calls = validation.held_out_calls();
    if (calls == 0)
        return "All measured calls were used by the fit, so none of them tests a prediction.";
    return fmt::format("Of {} calls that the fit had not seen, {} fell inside the predicted 90 % "
                       "interval.",
                       calls, validation.held_out_covered());
}

} // namespace

Verdict page_verdict(const PageInput& input, std::span<const CallTimes> calls) {
    const auto* best = headline_of(input, calls);
    const auto* shown = best ? best : farthest(calls);
    constexpr std::uint64_t some_bytes = 65536;
    Verdict verdict{.call = shown};
    if (best) {
        verdict.sentences.push_back(gain_sentence(*best, input));
    } else {
        verdict.sentences.emplace_back("No algorithm that was measured here on all hosts is faster "
                                       "than the MPI library's own choice.");
        if (shown)
            verdict.sentences.push_back(library_text(*shown, input));
    }
    if (input.fitted.network.links)
        verdict.sentences.push_back(links_sentence(*input.fitted.network.links));
    verdict.sentences.push_back(predictions_sentence(input.validation));
    verdict.next = input.profile.empty()
                       ? fmt::format("{} fit {} -o profile.json", input.command, input.campaign)
                       : rank_command(input.command, input.profile,
                                      shown ? shown->collective : Collective::alltoall,
                                      shown ? shown->clusters : input.fitted.provenance.clusters,
                                      shown ? shown->size_bytes : some_bytes);
    return verdict;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Fits a line through the packets that arrive of lossy floods.
#include "network/links/buffer_fit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/bootstrap.hpp"
#include "core/least_squares.hpp"
#include "core/median.hpp"
#include "core/percent.hpp"
#include "network/samples.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_buffer_lengths = 4;
constexpr std::size_t fewest_lossy = 2;
constexpr int buffer_draws = 400;
/// Two percent may be lost for other reasons than a full queue.
constexpr double clean_share = 0.98;
/// The largest residual of equation 4, as a share of the packets that arrive.
constexpr double most_misfit = 0.15;
/// Random increase allowed in a longer flood's share.
constexpr double most_rise = 0.02;

struct Length {
    double packets = 0;
    std::vector<double> shares;
    double share = 0; ///< median

    double arrived() const { return share * packets; }
};

struct Line {
    double buffer = 0;
    double drained = 0;
    double arrived(double packets) const { return std::min(packets, buffer + drained * packets); }
};

/// Each count is known to half a packet and, as the medians' scatter has it, about to a percent.
Line fit_line(std::span<const Length> lossy, std::span<const double> arrived) {
    std::vector<double> packets, variances;
    for (const auto& length : lossy) {
        packets.push_back(length.packets);
        variances.push_back(0.25 + std::pow(0.01 * length.arrived(), 2));
    }
    const auto line = straight_line(packets, arrived, variances);
    return {line.offset, line.slope};
}

Result<std::vector<Length>> sort_lengths(std::span<const Flood> floods, std::string_view what) {
    std::vector<Length> lengths;
    for (const Flood& flood : floods) {
        if (flood.shares.size() < fewest_repetitions)
            return refused(fmt::format("{}: {} flood(s) of {:.0f} packets; at least {} needed",
                                       what, flood.shares.size(), flood.packets,
                                       fewest_repetitions));
        for (const double share : flood.shares)
            if (!(share >= 0 && share <= 1))
                return refused(fmt::format("{}: a share of {} of {:.0f} packets; shares are from "
                                           "0 to 1",
                                           what, share, flood.packets));
        lengths.push_back({flood.packets, flood.shares, median(flood.shares)});
    }
    std::ranges::sort(lengths, {}, &Length::packets);
    if (lengths.size() < fewest_buffer_lengths)
        return refused(fmt::format("{}: floods of {} length(s); equation 4 needs at least {}", what,
                                   lengths.size(), fewest_buffer_lengths));
    return lengths;
}

/// The reason why the ordered lengths do not show a filling queue; empty if they do.
std::string objection_to(std::span<const Length> lengths, std::size_t lossy) {
    const auto& longest = lengths.back();
    if (std::ranges::all_of(lengths, [](const Length& length) { return length.share == 0; }))
        return "no flood packet arrived: UDP is blocked, or MPI does not use TCP";
    if (lossy == 0)
        return fmt::format(
            "all floods of up to {:.0f} packets arrived completely: the senders do not "
            "fill the queue",
            longest.packets);
    if (lossy == lengths.size())
        return fmt::format(
            "even the shortest flood, {:.0f} packets, lost some: this is not a queue "
            "that fills",
            lengths.front().packets);
    const auto rises = [](const Length& shorter, const Length& longer) {
        return longer.share > shorter.share + most_rise;
    };
    if (std::ranges::adjacent_find(lengths, rises) != lengths.end())
        return "the share that arrives rises with the length of the flood: only noise";
    if (lossy < fewest_lossy)
        return fmt::format("only floods of {:.0f} packets lose some; equation 4 needs {} "
                           "lengths that do",
                           longest.packets, fewest_lossy);
    return {};
}

} // namespace

Result<BufferFit> fit_buffer(std::span<const Flood> floods, std::string_view what,
                             std::uint64_t seed) {
    const auto sorted = sort_lengths(floods, what);
    if (!sorted)
        return sorted.error();
    const auto& lengths = *sorted;
    std::vector<Length> lossy;
    std::vector<double> arrived;
    for (const Length& length : lengths)
        if (length.share < clean_share) {
            lossy.push_back(length);
            arrived.push_back(length.arrived());
        }
    if (const auto objection = objection_to(lengths, lossy.size()); !objection.empty())
        return refused(fmt::format("{}: {}", what, objection));

    const Line line = fit_line(lossy, arrived);
    double squares = 0;
    double worst = 0;
    for (const Length& length : lengths) {
        const double off = length.arrived() - line.arrived(length.packets);
        squares += off * off;
        worst = std::max(worst, std::abs(off) / std::max(length.arrived(), 1.));
    }
    if (line.buffer <= 0 || line.drained < 0 || line.drained >= 1 || worst > most_misfit)
        return refused(fmt::format("{}: equation 4 does not hold: it gives a buffer of {:.1f} "
                                   "packets, {:.2f} of them drained, and misses a length by {}",
                                   what, line.buffer, line.drained, format_percent(worst, 0)));

    BufferFit fit;
    fit.residual_packets = std::sqrt(squares / static_cast<double>(lengths.size()));
    for (const Length& length : lengths)
        if (length.share >= clean_share)
            fit.longest_clean = length.packets;
    fit.shortest_lossy = lossy.front().packets;
    Random random(seed);
    std::vector<double> buffers;
    std::vector<double> shares;
    for (int draw = 0; draw < buffer_draws; ++draw) {
        std::vector<double> again;
        for (std::size_t i = 0; i < lossy.size(); ++i)
            again.push_back(median(resample(lossy[i].shares, random)) * lossy[i].packets +
                            (arrived[i] - line.arrived(lossy[i].packets)) * random.normal() +
                            random.uniform() - 0.5);
        const Line drawn = fit_line(lossy, again);
        buffers.push_back(drawn.buffer);
        shares.push_back(drawn.drained);
    }
    fit.packets = estimate_from(line.buffer, buffers);
    fit.drained_share = estimate_from(line.drained, shares);
    return fit;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The cluster model's parameters (TW99, section 3 and Table 1).
#pragma once

#include "core/limits.hpp"
#include "network/hockney/hockney_fit.hpp"
#include "network/size_curve.hpp"

namespace alltold {

/// TW99's transfer time under load, L(m, p) = l(p) + m beta1(m, p), in the form of its Table 1:
/// per_process p + base + beta m max(1, p m / (capacity g_s(m))).
struct LoadedTransfer {
    double base_s = 0;
    double per_process_s = 0;
    double beta_s_per_byte = 0;
    double capacity_bytes_per_s = 0; ///< total rate of the switch; 0: never the limit

    double time_s(double size_bytes, int processes, double gap_s) const {
        const double load = capacity_bytes_per_s > 0 && gap_s > 0
                                ? processes * size_bytes / (capacity_bytes_per_s * gap_s)
                                : 0;
        return per_process_s * processes + base_s +
               size_bytes * beta_s_per_byte * std::max(1.0, load);
    }
};

/// A message as `count` equal packets.
struct Packets {
    int count = 1;
    double size_bytes = 0;
};

/// The costs of all stages of a packet; seconds and bytes.
struct ClusterModel {
    SizeCurve O_s;    ///< send overhead: processor time of sending
    SizeCurve T_s;    ///< time of a send call
    SizeCurve g_s;    ///< least time between two messages sent
    SizeCurve g_r;    ///< least time between two messages received
    SizeCurve O_r;    ///< asynchronous receive: what an arriving message takes from the processor
    double U_r_s = 0; ///< user receive: fetching a message that has arrived
    LoadedTransfer L;
    double buffer_bytes = 0;       ///< B_L: what one port of the switch holds; 0: not known
    double packet_bytes = 0;       ///< size of the packets that B_L was measured with
    double timeout_s = 0;          ///< what a lost packet may cost (LinkNetwork); 0: not known
    Hockney copy_memory_to_memory; ///< M_mtm

    double L_s(double size_bytes, int processes) const {
        return L.time_s(size_bytes, processes, g_s(size_bytes));
    }

    /// The functions hold for messages of at most the MTU; a longer message is a sequence of
    /// packets (TW99, section 3.1). If they were measured on longer messages, a packet is as long
    /// as the longest of those. The packets of a message are equal, so that linear functions add up
    /// to m whatever their number.
    Packets packets_of(double size_bytes) const {
        const auto& gaps = g_s.points();
        const double most_bytes = std::max(packet_bytes, gaps.empty() ? 0 : gaps.back().size_bytes);
        const double count = most_bytes > 0 ? std::max(1.0, std::ceil(size_bytes / most_bytes)) : 1;
        const int whole = whole_between(count, 1, 1 << 30);
        return {whole, size_bytes / whole};
    }
};

} // namespace alltold

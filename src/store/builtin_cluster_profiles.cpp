// SPDX-License-Identifier: BSD-3-Clause
// The network of Tam and Wang 1999, whose Table 1 gives every parameter of the cluster model.
#include "store/builtin_profiles.hpp"

namespace alltold {
namespace {

constexpr double microsecond = 1e-6;
constexpr double mtu_bytes = 1500;

/// A line base + slope m in microseconds.
struct Line {
    double base_us, slope_us_per_byte;
    SizeCurve::Point at(double size_bytes) const {
        return {size_bytes, (base_us + slope_us_per_byte * size_bytes) * microsecond};
    }
};

/// The table has one line for m <= 40 and another one above.
SizeCurve in_two_pieces(Line up_to_40, Line above) {
    return SizeCurve({up_to_40.at(0), up_to_40.at(40), above.at(41), above.at(mtu_bytes)});
}

ClusterModel table_1() {
    ClusterModel cluster;
    cluster.O_s = in_two_pieces({6.308, 0.0291}, {6.37, 0.0253});
    cluster.T_s = in_two_pieces({11.732, 0.049}, {10.88, 0.0776});
    cluster.g_s = in_two_pieces({6.73, 0}, {3.027, 0.0796});
    cluster.g_r = in_two_pieces({6.73, 0}, {4.986, 0.0788});
    cluster.O_r = in_two_pieces({12.245, 0.0426}, {12.176, 0.0429});
    cluster.U_r_s = 9.93 * microsecond;
    // The table's p m / (90 g_s) has g_s in microseconds: the switch carries 90 bytes in one.
    cluster.L = {16.684 * microsecond, 1.556 * microsecond, 0.0826 * microsecond, 90 / microsecond};
    cluster.packet_bytes = mtu_bytes;
    cluster.buffer_bytes = 1935 * mtu_bytes;
    cluster.copy_memory_to_memory = {1.756 * microsecond, 0.0314 * microsecond};
    return cluster;
}

} // namespace

Profile fast_ethernet_1999() {
    Profile profile;
    profile.name = "@fast-ethernet-1999";
    profile.source = "TW99, table 1 (16 PCs, Fast Ethernet, Direct Point)";
    profile.network.assumed =
        "packets of 1500 bytes, in which the paper counts B_L without giving their "
        "size; lines continued beyond one packet; the paper gives no intervals";
    profile.provenance.clusters = Clusters({16});
    profile.provenance.kernel = "Linux 2.0.36";
    profile.network.cluster = table_1();
    return profile;
}

} // namespace alltold

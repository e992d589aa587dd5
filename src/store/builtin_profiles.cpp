// SPDX-License-Identifier: BSD-3-Clause
// The networks of Steffenel, Martinasso and Trystram 2007, of its two-cluster sequel (SMT), and of
// Tam and Wang 1999.
#include "store/profile.hpp"

#include <fmt/format.h>

namespace alltold {
namespace {

/// A paper's figures for one network, and nominal ones for the rest.
struct Published {
    const char* name;
    const char* section;
    Clusters clusters;
    Signature signature;
    int reference_n; ///< 0 if the paper does not give it
    Saturation saturation;
    const char* saturation_reason;
    Hockney nominal;
    const char* nominal_reason;
};

constexpr const char* constant_error =
    "the paper finds its error small and steady once the network is saturated";

/// A link of `bits_per_s`; the papers print neither alpha nor beta.
Hockney nominal(double alpha_s, double bits_per_s) {
    return {alpha_s, 8 / bits_per_s};
}

HockneyFit exact(const Hockney& network) {
    HockneyFit fit;
    fit.alpha_s = fit.latency_s = Estimate::exact(network.alpha_s);
    fit.beta_s_per_byte = Estimate::exact(network.beta_s_per_byte);
    return fit;
}

Profile profile_of(const Published& published) {
    Profile profile;
    profile.name = published.name;
    profile.source = published.section;
    profile.network.assumed = fmt::format("alpha and beta, which the paper does not print: {}; kB "
                                          "read as 1024 bytes; the paper gives no intervals",
                                          published.nominal_reason);
    profile.provenance.clusters = published.clusters;
    profile.network.local = exact(published.nominal);
    SignatureFit fit;
    fit.network = published.nominal;
    fit.gamma = Estimate::exact(published.signature.gamma);
    fit.delta_s = Estimate::exact(published.signature.delta_s);
    fit.threshold_bytes = Estimate::exact(published.signature.threshold_bytes);
    fit.reference_n = published.reference_n;
    fit.saturation = published.saturation;
    fit.saturation_reason = published.saturation_reason;
    profile.network.alltoall = fit;
    return profile;
}

Profile fast_ethernet() {
    return profile_of({"@fast-ethernet-2007",
                       "SMT07, section 6.1 (icluster2, Fast Ethernet)",
                       Clusters({104}),
                       {1.0195, 8.23e-3, 2048},
                       24,
                       Saturation::saturated,
                       constant_error,
                       nominal(60e-6, 100e6),
                       "100 Mbit/s links and the 60 us of latency it mentions"});
}

Profile gigabit_ethernet() {
    return profile_of({"@gigabit-ethernet-2007",
                       "SMT07, section 6.2 (GdX, Gigabit Ethernet)",
                       Clusters({216}),
                       {4.3628, 4.93e-3, 8192},
                       40,
                       Saturation::saturated,
                       constant_error,
                       nominal(60e-6, 1e9),
                       "1 Gbit/s links and the 60 us of its Fast Ethernet"});
}

Profile myrinet() {
    return profile_of(
        {"@myrinet-2007",
         "SMT07, section 6.3 (icluster2, Myrinet 2000)",
         Clusters({104}),
         {2.49754, 0, 0},
         24,
         Saturation::not_saturated,
         "the paper finds saturation only beyond 40 processes, but this was fitted at 24",
         nominal(10e-6, 2e9),
         "2 Gbit/s links and 10 us, usual for Myrinet 2000"});
}

Profile nancy_rennes() {
    auto profile =
        profile_of({"@nancy-rennes-2007",
                    "SMT, section VI.E (Grid'5000, Nancy and Rennes)",
                    Clusters({30, 30}),
                    {2.6887, 5.039e-3, 1024},
                    0,
                    Saturation::unknown,
                    "the paper does not say at which process count it was fitted",
                    nominal(60e-6, 1e9),
                    "1 Gbit/s links with 60 us locally; between the sites 5 ms, the time of light "
                    "through 1000 km of fibre, and 1 Gbit/s for each pair of nodes"});
    profile.provenance.mpi_library = "Open MPI 1.1.4";
    profile.provenance.kernel = "Linux 2.6.13";
    profile.network.inter_cluster = exact(nominal(5e-3, 1e9));
    return profile;
}

// Tam and Wang 1999, whose table 1 gives every parameter of the cluster model.

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
SizeCurve in_two_lines(Line up_to_40, Line above) {
    return SizeCurve({up_to_40.at(0), up_to_40.at(40), above.at(41), above.at(mtu_bytes)});
}

ClusterModel table_1() {
    ClusterModel cluster;
    cluster.O_s = in_two_lines({6.308, 0.0291}, {6.37, 0.0253});
    cluster.T_s = in_two_lines({11.732, 0.049}, {10.88, 0.0776});
    cluster.g_s = in_two_lines({6.73, 0}, {3.027, 0.0796});
    cluster.g_r = in_two_lines({6.73, 0}, {4.986, 0.0788});
    cluster.O_r = in_two_lines({12.245, 0.0426}, {12.176, 0.0429});
    cluster.U_r_s = 9.93 * microsecond;
    // The table's p m / (90 g_s) has g_s in microseconds: the switch carries 90 bytes in one.
    cluster.L = {16.684 * microsecond, 1.556 * microsecond, 0.0826 * microsecond, 90 / microsecond};
    cluster.packet_bytes = mtu_bytes;
    cluster.buffer_bytes = 1935 * mtu_bytes;
    cluster.copy_memory_to_memory = {1.756 * microsecond, 0.0314 * microsecond};
    return cluster;
}

Profile fast_ethernet_1999() {
    Profile profile;
    profile.name = "@fast-ethernet-1999";
    profile.source = "TW99, table 1 (16 PCs, Fast Ethernet, Direct Point)";
    profile.network.assumed =
        "packets of 1500 bytes, in which the paper counts B_L without giving their size; lines "
        "continued beyond one packet; the paper gives no intervals";
    profile.provenance.clusters = Clusters({16});
    profile.provenance.kernel = "Linux 2.0.36";
    profile.network.cluster = table_1();
    return profile;
}

} // namespace

const std::vector<Profile>& builtin_profiles() {
    static const std::vector<Profile> profiles{fast_ethernet(), gigabit_ethernet(), myrinet(),
                                               nancy_rennes(), fast_ethernet_1999()};
    return profiles;
}

} // namespace alltold

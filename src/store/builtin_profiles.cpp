// SPDX-License-Identifier: BSD-3-Clause
// The networks of Steffenel, Martinasso and Trystram 2007 and of its two-cluster sequel (SMT), and
// the list of all published networks.
#include "store/builtin_profiles.hpp"

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
    profile.network.assumed =
        fmt::format("alpha and beta, which the paper does not print: {}; kB read as "
                    "1024 bytes; the paper gives no intervals",
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
    return profile_of({"@myrinet-2007",
                       "SMT07, section 6.3 (icluster2, Myrinet 2000)",
                       Clusters({104}),
                       {2.49754, 0, 0},
                       24,
                       Saturation::not_saturated,
                       "the paper finds saturation only beyond 40 processes, but this was fitted "
                       "at 24",
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
                    "1 Gbit/s links with 60 us locally; between the sites 5 ms, the light's time "
                    "through 1000 km of fibre, and 1 Gbit/s for each pair of nodes"});
    profile.provenance.mpi_library = "Open MPI 1.1.4";
    profile.provenance.kernel = "Linux 2.6.13";
    profile.network.inter_cluster = exact(nominal(5e-3, 1e9));
    return profile;
}

} // namespace

const std::vector<Profile>& builtin_profiles() {
    static const std::vector<Profile> profiles{fast_ethernet(), gigabit_ethernet(), myrinet(),
                                               nancy_rennes(), fast_ethernet_1999()};
    return profiles;
}

} // namespace alltold

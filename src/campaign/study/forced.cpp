// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/study/forced.hpp"

#include "campaign/study/plan.hpp"
#include "predict/library/library_ranking.hpp"
#include "predict/library/library_setting.hpp"

namespace alltold::campaign {
namespace {

/// The sum of predicted log ratios to the library's own choice over the reported sizes; 0 where no
/// call gains enough, or one cannot be predicted.
double predicted_gain(const Profile& profile, MpiLibrary library, Collective collective,
                      const Clusters& hosts, const Choice& choice) {
    double gain = 0, least_ratio = 1;
    for (const auto size_bytes : sizes_for(collective, reported_sizes())) {
        const auto time_of = [&](const Choice& which) {
            return evaluate_library(profile.network, library, collective, hosts, size_bytes, which);
        };
        const auto usual = time_of({}), forced = time_of(choice);
        if (!usual || !forced || !(usual->time_s.value > 0))
            return 0;
        const double ratio = forced->time_s.value / usual->time_s.value;
        least_ratio = std::min(least_ratio, ratio);
        gain -= std::log(ratio);
    }
    return least_ratio < worth_setting ? gain : 0;
}

} // namespace

std::vector<Point> forced_calls(const Profile& profile, const Clusters& hosts,
                                std::span<const Collective> collectives) {
    const auto library = library_named(profile.provenance.mpi_library);
    std::vector<Point> points;
    for (const auto collective : collectives) {
        std::string best;
        double most = 0;
        for (const auto& row : library_algorithms()) {
            if (library != row.library || !can_be_set(row, collective) ||
                row.segment == Algorithm::Use::must || row.window == Algorithm::Use::must)
                continue;
            Choice choice;
            choice.library = row.name;
            if (const double gain = predicted_gain(profile, library, collective, hosts, choice);
                gain > most) {
                most = gain;
                best = text_of(choice);
            }
        }
        if (!best.empty())
            for (const auto size_bytes : sizes_for(collective, reported_sizes()))
                for (const auto& algorithm : {std::string("mpi"), best})
                    points.push_back(
                        {std::string(name_of(collective)), algorithm, hosts, size_bytes});
    }
    return points;
}

} // namespace alltold::campaign

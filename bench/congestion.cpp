// SPDX-License-Identifier: BSD-3-Clause
// bench_congestion PROFILE STORE CALIBRATION: compares the library's all-to-alls of a campaign
// with a profile's predictions by the congestion model and by the papers' models. Points that are
// also in the calibration campaign are listed and excluded from the errors.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/statistics.hpp"
#include "core/units.hpp"
#include "network/congestion/congestion_prediction.hpp"
#include "predict/library/library_prediction.hpp"
#include "report/text_table.hpp"
#include "store/fit_campaign.hpp"

namespace alltold {
namespace {

constexpr double level = 0.9;
constexpr double bar_median = 0.15;
constexpr double bar_inside = 0.85;

/// What one model did.
struct Errors {
    std::vector<double> all;
    double worst = 0;
    std::string where;
};

struct Inside {
    int singles = 0, all_singles = 0, medians = 0, all_medians = 0;
};

std::vector<const CostModel*> library_models() {
    std::vector<const CostModel*> models;
    for (const auto* model : cost_models())
        if (model->times_library())
            models.push_back(model);
    return models;
}

/// Adds a point to the table, and where it was not calibrated to the errors.
void compare(const Profile& profile, const PointSamples& samples, bool fitted, TextTable& table,
             std::map<std::string, Errors>& errors, Inside& inside) {
    const auto& point = samples.point;
    const auto& network = profile.network;
    const auto size_bytes = static_cast<double>(point.size_bytes);
    const auto times_s = samples.series().times_s;
    const double measured_s = median(times_s);
    std::vector<std::string> cells{point.clusters.text(), format_size(size_bytes),
                                   format_time(measured_s)};
    for (const auto* model : library_models()) {
        const auto predicted = predict_alltoall(network, point.clusters, size_bytes, *model);
        const double error = predicted ? predicted->time_s.value / measured_s - 1 : NAN;
        cells.push_back(predicted ? fmt::format("{:+.1f} %", 100 * error) : "-");
        if (fitted || !predicted)
            continue;
        auto& sum = errors[std::string(model->name)];
        sum.all.push_back(std::abs(error));
        if (std::abs(error) > sum.worst) {
            sum.worst = std::abs(error);
            sum.where = fmt::format("{} at {}", point.clusters.text(), format_size(size_bytes));
        }
    }
    const auto& fit = network.congestion;
    if (const auto time = fit && fit->clusters == point.clusters.count()
                              ? congested_time(network, point.clusters, size_bytes)
                              : refused("not fitted on these clusters")) {
        const double low_s = time->quantile((1 - level) / 2);
        const double high_s = time->quantile((1 + level) / 2);
        const auto covers = [&](double time_s) { return low_s <= time_s && time_s <= high_s; };
        const auto within = std::count_if(times_s.begin(), times_s.end(), covers);
        cells.push_back(fmt::format("{} .. {}", format_time(low_s), format_time(high_s)));
        cells.push_back(fmt::format("{} of {}", within, times_s.size()));
        if (!fitted) {
            inside.singles += static_cast<int>(within);
            inside.all_singles += static_cast<int>(times_s.size());
            inside.medians += covers(measured_s) ? 1 : 0;
            ++inside.all_medians;
        }
    } else {
        cells.insert(cells.end(), {"-", "-"});
    }
    cells.emplace_back(fitted ? "calibrated" : "");
    table.row(std::move(cells));
}

int run(const char* profile_file, const char* store, const char* calibration) {
    const auto profile = load_profile(profile_file);
    const auto campaign = Campaign::read(store);
    const auto calibrated = Campaign::read(calibration);
    if (!profile || !campaign || !calibrated) {
        fmt::print(stderr, "{}\n",
                   (!profile    ? profile.error()
                    : !campaign ? campaign.error()
                                : calibrated.error())
                       .message);
        return 2;
    }
    const auto points = campaign->points();
    const auto known = calibrated->points();
    if (!points || !known)
        return 2;
    TextTable table;
    for (const char* name : {"n", "m", "measured"})
        table.column(name);
    for (const auto* model : library_models())
        table.column(std::string(model->name));
    table.column("90 % of calls");
    table.column("inside");
    table.column("", TextTable::Align::left);
    std::map<std::string, Errors> errors;
    Inside inside;
    for (const auto& samples : *points) {
        const auto& point = samples.point;
        if (point.probe != "alltoall" || point.algorithm != "mpi" ||
            samples.series().times_s.empty())
            continue;
        const bool fitted = std::any_of(known->begin(), known->end(),
                                        [&](const auto& other) { return other.point == point; });
        compare(*profile, samples, fitted, table, errors, inside);
    }
    fmt::print("{}\n", table.text());
    for (const auto& [name, sum] : errors)
        fmt::print("{:10}  error median {:.1f} %, worst {:.1f} % ({})\n", name,
                   100 * median(sum.all), 100 * sum.worst, sum.where);
    if (errors.empty() || inside.all_singles == 0)
        return 1;
    const double share = double(inside.singles) / inside.all_singles;
    const double off = median(errors["congestion"].all);
    fmt::print("inside the 90 % intervals: {} of {} calls ({:.0f} %), {} of {} medians\n",
               inside.singles, inside.all_singles, 100 * share, inside.medians, inside.all_medians);
    const bool held = off <= bar_median && share >= bar_inside;
    fmt::print("bar (median error {:.0f} %, {:.0f} % of calls inside): {}\n", 100 * bar_median,
               100 * bar_inside, held ? "held" : "MISSED");
    return held ? 0 : 1;
}

} // namespace
} // namespace alltold

int main(int argc, char** argv) {
    if (argc != 4) {
        fmt::print(stderr, "bench_congestion PROFILE STORE CALIBRATION\n");
        return 2;
    }
    return alltold::run(argv[1], argv[2], argv[3]);
}

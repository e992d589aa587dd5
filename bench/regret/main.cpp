// SPDX-License-Identifier: BSD-3-Clause
// bench_regret: judges what alltold decides, by the times of the choices in kept labs
// (docs/results/regret.md). bench/regret.sh unpacks the labs and starts it.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/parallel.hpp"
#include "regret/decided.hpp"
#include "regret/lab.hpp"
#include "regret/report.hpp"
#include "store/json_text.hpp"

namespace alltold::regret {
namespace {

struct Arguments {
    std::string folder, lab;
    int half = 0;
    bool json = false;
};

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Result<std::vector<Lab>> labs_of(const Arguments& asked) {
    std::vector<Lab> labs;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(asked.folder, failed)) {
        if (!asked.lab.empty() && entry.path().filename() != asked.lab)
            continue;
        auto lab = read_lab(entry.path());
        if (!lab)
            return lab.error();
        if (asked.half == 0 || lab->half() == asked.half)
            labs.push_back(std::move(*lab));
    }
    if (failed)
        return bad_input(fmt::format("{}: {}", asked.folder, failed.message()));
    if (labs.empty())
        return bad_input(
            fmt::format("{}: no such lab; expected folders made by bench/regret.sh", asked.folder));
    std::ranges::sort(labs, {}, &Lab::name);
    return labs;
}

Result<JudgedLab> judged(const Lab& lab) {
    const double started_s = now_s();
    const auto campaign = Campaign::read(lab.campaign);
    if (!campaign)
        return campaign.error();
    auto profile = fitted(*campaign);
    if (!profile)
        return profile.error();
    JudgedLab judged_lab{lab, {}, {}, now_s() - started_s};
    judged_lab.odds = timed_odds(*profile, lab.calls);
    decide_all(*profile);
    for (const auto& call : lab.calls) {
        const auto choices =
            decided(*profile, call.collective, call.clusters, call.size_bytes, call.start);
        if (!choices)
            return choices.error();
        judged_lab.verdicts.push_back(judge(call, *choices));
    }
    judged_lab.decision_s = now_s() - started_s - judged_lab.fit_s;
    return judged_lab;
}

Result<std::vector<JudgedLab>> judged_labs(const std::vector<Lab>& labs) {
    using Judgement = std::optional<Result<JudgedLab>>;
    const auto results =
        in_parallel(labs.size(), [&](std::size_t i) { return Judgement(judged(labs[i])); });
    std::vector<JudgedLab> all;
    for (std::size_t i = 0; i < labs.size(); ++i) {
        if (!*results[i])
            return bad_input(fmt::format("{}: {}", labs[i].name, results[i]->error().message));
        all.push_back(**results[i]);
    }
    return all;
}

int run(const Arguments& asked) {
    const auto labs = labs_of(asked);
    const auto all = labs ? judged_labs(*labs) : Result<std::vector<JudgedLab>>(labs.error());
    if (!all) {
        fmt::print(stderr, "bench_regret: {}\n", all.error().message);
        return static_cast<int>(all.error().status);
    }
    fmt::print("{}", asked.json ? json_text(json_of(*all)) : text_of(*all));
    return 0;
}

} // namespace
} // namespace alltold::regret

int main(int argc, char** argv) {
    CLI::App app{
        "Judges what alltold decides in the labs of FOLDER, by the times of all choices there."};
    app.footer("Example:\n  bench/regret.sh --half 1\n  build/release/bin/bench_regret --lab "
               "9001-3 build/regret");
    alltold::regret::Arguments asked;
    app.add_option("FOLDER", asked.folder, "labs as bench/regret.sh unpacks them")->required();
    app.add_option("--half", asked.half, "1 or 2: this half of the labs")->check(CLI::Range(1, 2));
    app.add_option("--lab", asked.lab, "this lab, such as 9001-3");
    app.add_flag("--json", asked.json, "print JSON, with every call");
    CLI11_PARSE(app, argc, argv);
    return alltold::regret::run(asked);
}

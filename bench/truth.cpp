// SPDX-License-Identifier: BSD-3-Clause
// truth ALLTOLD [FROM [TO]] [rough]: starts labs of several shapes, measures their links and
// compares them with the labs' parameters; rough: by a rough measurement, whose time it prints.
// Exit status 1 if any error exceeds its bar.
// truth compare TRUTH PROFILE: compares a profile with what `alltold lab --truth` wrote, as JSON.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../tests/scratch.hpp"
#include "campaign/study/links_truth.hpp"
#include "store/fit_campaign.hpp"

namespace {

struct Lab {
    const char* clusters;
    int ranks;
    const char* nic;
    const char* buffer;
    const char* wan;
    const char* budget;
};

constexpr Lab shapes[]{
    {"6", 6, "20Mbit", "32KiB", "200Mbit,5ms,512KiB", "20s"},
    {"6", 6, "50Mbit", "64KiB", "200Mbit,5ms,512KiB", "15s"},
    {"6", 6, "100Mbit", "256KiB", "200Mbit,5ms,512KiB", "15s"},
    {"3", 3, "20Mbit", "256KiB", "200Mbit,5ms,512KiB", "25s"},
    {"4", 4, "100Mbit", "32KiB", "200Mbit,5ms,512KiB", "15s"},
    {"12", 12, "50Mbit", "256KiB", "200Mbit,5ms,512KiB", "25s"},
    {"6+6", 12, "20Mbit", "64KiB", "80Mbit,10ms,256KiB", "80s"},
    {"6+6", 12, "50Mbit", "64KiB", "200Mbit,5ms,512KiB", "50s"},
    {"4+4", 8, "50Mbit", "64KiB", "100Mbit,20ms,512KiB", "50s"},
    {"3+5", 8, "20Mbit", "64KiB", "20Mbit,5ms,128KiB", "50s"},
    {"6+6", 12, "50Mbit", "64KiB", "80Mbit,2ms,64KiB", "50s"},
    {"4+8+4", 16, "5Mbit", "64KiB", "15Mbit,40ms,128KiB", "90s"},
    {"3+3+3+3", 12, "10Mbit", "16KiB", "20Mbit,10ms,64KiB", "90s"},
    {"2+3+4", 9, "20Mbit", "128KiB", "12Mbit,20ms,32KiB", "90s"},
};

/// The line of the log that says how long measuring took.
std::string taken(const std::filesystem::path& log) {
    std::ifstream file(log);
    for (std::string line; std::getline(file, line);)
        if (const auto at = line.find("samples taken in "); at != std::string::npos)
            return line.substr(at);
    return "no time given";
}

bool shown(const std::string& alltold, const Lab& lab, const std::filesystem::path& folder,
           bool rough) {
    const auto store = (folder / "net.db").string();
    const auto truth = (folder / "truth.json").string();
    std::filesystem::remove(store);
    const auto command = fmt::format(
        "{0} lab --clusters {1} --nic {2} --buffer {3} --wan {4} --truth {5} -- mpirun -n {6} {0} "
        "measure {7} {8} >{9} 2>&1 </dev/null",
        alltold, lab.clusters, lab.nic, lab.buffer, lab.wan, truth, lab.ranks,
        rough ? "--rough --budget 15s"
              : fmt::format("--only p2p,links -m 1,4KiB,32KiB,128KiB --budget {}", lab.budget),
        store, (folder / "log").string());
    fmt::print("{}, {}, {} a port{}\n", lab.clusters, lab.nic, lab.buffer,
               std::string(lab.clusters).find('+') == std::string::npos
                   ? ""
                   : fmt::format(", backbone {}", lab.wan));
    if (std::system(command.c_str()) != 0) {
        fmt::print("  failed: {}\n", command);
        return false;
    }
    const auto campaign = alltold::Campaign::read(store);
    const auto profile = campaign
                             ? alltold::fit_campaign(*campaign, {.name = "lab", .source = store})
                             : alltold::Result<alltold::Profile>(campaign.error());
    if (!profile) {
        fmt::print("  {}\n", profile.error().message);
        return false;
    }
    const auto compared = alltold::campaign::recovered_links(truth, *profile);
    if (!compared) {
        fmt::print("  {}\n", compared.error().message);
        return false;
    }
    fmt::print("  {}\n", taken(folder / "log"));
    bool right = true;
    for (const auto& one : *compared) {
        fmt::print("  {:<15} built {:>12}  found {:>12}  {:+6.1f} %  (bar {:.0f} %){}\n", one.what,
                   one.built_text, one.found_text, 100 * one.error(), 100 * one.allowed,
                   one.right() ? "" : "  WRONG");
        right = right && one.right();
    }
    if (!right) {
        for (const auto& refusal : profile->refused)
            fmt::print("  refused: {}: {}\n", refusal.what, refusal.reason);
        for (const auto& note : profile->notes)
            fmt::print("  note: {}: {}\n", note.what, note.text);
    }
    std::fflush(stdout);
    return right;
}

/// One object per quantity; `found` is null where the profile does not know it.
int compare(const std::string& truth, const std::string& profile_file) {
    const auto profile = alltold::load_profile(profile_file);
    const auto compared =
        profile ? alltold::campaign::recovered_links(truth, *profile)
                : alltold::Result<std::vector<alltold::campaign::Recovery>>(profile.error());
    if (!compared) {
        fmt::print(stderr, "{}\n", compared.error().message);
        return 2;
    }
    auto list = nlohmann::ordered_json::array();
    for (const auto& one : *compared)
        list.push_back({{"what", one.what},
                        {"built", one.built},
                        {"found", one.found > 0 ? nlohmann::ordered_json(one.found) : nullptr},
                        {"built_text", one.built_text},
                        {"found_text", one.found_text}});
    fmt::print("{}\n", list.dump(2));
    return 0;
}

} // namespace

int main(int count, char** words) {
    if (count == 4 && std::string(words[1]) == "compare")
        return compare(words[2], words[3]);
    if (count < 2) {
        fmt::print(stderr,
                   "usage: {0} ALLTOLD [FROM [TO]] [rough], labs 1 to {1}\n"
                   "       {0} compare TRUTH PROFILE\n",
                   words[0], std::size(shapes));
        return 2;
    }
    const bool rough = std::string(words[count - 1]) == "rough";
    count -= rough ? 1 : 0;
    const alltold::test::Scratch folder;
    const std::size_t from = count > 2 ? std::strtoul(words[2], nullptr, 10) : 1;
    const std::size_t to = count > 3 ? std::strtoul(words[3], nullptr, 10) : std::size(shapes);
    bool right = true;
    for (std::size_t i = std::max<std::size_t>(from, 1); i <= std::min(to, std::size(shapes)); ++i)
        right = shown(words[1], shapes[i - 1], folder.directory(), rough) && right;
    return right ? 0 : 1;
}

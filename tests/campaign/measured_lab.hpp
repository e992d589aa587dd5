// SPDX-License-Identifier: BSD-3-Clause
// A lab that is built, measured and fitted for a test.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../scratch.hpp"
#include "../too_busy.hpp"
#include "lab/lab.hpp"
#include "store/fit_campaign.hpp"

namespace alltold::test {

/// Skips where no lab can be made.
class MeasuredLab : public testing::Test {
  protected:
    void SetUp() override {
        if (const auto& permitted = lab::lab_permitted(); !permitted)
            GTEST_SKIP() << "no lab can be made here: " << permitted.error().message;
    }

    /// What `alltold measure` with `measure_options` on `ranks` hosts of a lab says of it.
    Result<Profile> measure(const std::string& lab_options, int ranks,
                            const std::string& measure_options) {
        const auto store = store_file().string();
        const auto command = fmt::format("{0} lab {1} --truth {2} -- " LAB_LAUNCHER
                                         " -n {3} {0} measure {4} {5} >{6} 2>&1 "
                                         "</dev/null",
                                         ALLTOLD_BINARY, lab_options, truth_file(), ranks,
                                         measure_options, store, (folder_ / "log").string());
        if (std::system(command.c_str()) != 0)
            return environment(command + " failed");
        const auto truth = nlohmann::json::parse(std::ifstream(truth_file()), nullptr, false);
        const nlohmann::json::json_pointer bottleneck("/processors/bottleneck");
        too_busy_ = too_busy_ || (truth.is_object() && truth.value(bottleneck, false));
        const auto campaign = Campaign::read(store);
        if (!campaign)
            return campaign.error();
        return fit_campaign(*campaign, {.name = "lab", .source = store});
    }

    /// The next measurement starts anew instead of continuing the last one.
    void remove_store() const { std::filesystem::remove(store_file()); }

    std::string truth_file() const { return (folder_ / "truth.json").string(); }

    /// Fails if something is wrong. Skips, at the end of a test, if the processors were the
    /// bottleneck of any measurement, as the lab itself says: what was measured then tells of them.
    void judge(const std::string& wrong) const {
        if (!wrong.empty() && too_busy_)
            GTEST_SKIP() << too_busy << ": " << wrong;
        EXPECT_EQ(wrong, "");
    }

    static std::string refusals(const Profile& profile) {
        std::string text;
        for (const auto& refusal : profile.refused)
            text += refusal.what + " refused: " + refusal.reason + "\n";
        for (const auto& note : profile.notes)
            text += note.what + ": " + note.text + "\n";
        return text;
    }

  private:
    std::filesystem::path store_file() const { return folder_ / "net.db"; }

    Scratch folder_;
    bool too_busy_ = false;
};

} // namespace alltold::test

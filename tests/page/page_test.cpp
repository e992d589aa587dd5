// SPDX-License-Identifier: BSD-3-Clause
// The page of a made-up campaign in a headless browser.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "../report/made_up_campaign.hpp"
#include "../scratch.hpp"
#include "report/page/figures.hpp"
#include "report/page/html.hpp"
#include "store/profile.hpp"

namespace alltold {
namespace {

/// Debian's chromium, or a Chrome.
std::string browser() {
    for (const char* name : {"/usr/bin/chromium", "/usr/bin/chromium-browser",
                             "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"})
        if (std::filesystem::exists(name))
            return name;
    return "";
}

/// What check_page.mjs finds wrong with the page of `data`; empty if nothing.
std::string wrong_with(const nlohmann::ordered_json& data) {
    const test::Scratch scratch;
    if (const auto written = write_page(data, scratch / "page.html"); !written)
        return written.error().message;
    const auto command = std::string(ALLTOLD_NODE) + " " ALLTOLD_CHECK_PAGE " " + browser() +
                         " " ALLTOLD_PAGE_MODULES " " + (scratch / "page.html").string() + " > " +
                         (scratch / "said").string() + " 2>&1";
    const int status = std::system(command.c_str());
    const bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return done ? "" : "wrong: " + test::contents(scratch / "said");
}

TEST(Page, IsDrawnWithoutErrorsForEveryone) {
    if (browser().empty())
        GTEST_SKIP() << "no chromium; scripts/setup installs it";
    const test::MadeUpCampaign campaign;
    auto input = campaign.input();
    const auto diff = compare_campaigns(input.measured, input.measured, 0.1);
    input.since = &diff;
    input.before = "before.db";
    input.settings = "export OMPI_MCA_btl_tcp_eager_limit=1048576\n# 2.1 ms instead of 4.1 ms\n";
    EXPECT_EQ(wrong_with(page_data(input)), "");
}

TEST(Page, OfAStudyIsDrawnWithoutErrorsForEveryone) {
    if (browser().empty())
        GTEST_SKIP() << "no chromium; scripts/setup installs it";
    const auto campaign = Campaign::read(GOLDEN_STORE);
    ASSERT_TRUE(campaign) << campaign.error().message;
    const auto measured = campaign->points();
    const auto notes = campaign->notes();
    ASSERT_TRUE(measured && notes);
    const auto profile = load_profile(GOLDEN_PROFILE);
    ASSERT_TRUE(profile) << profile.error().message << "; ctest -R golden.profile makes it";
    const auto validation = validate(*measured, *profile, nullptr);
    EXPECT_EQ(wrong_with(page_data({"study.db", "", *profile, *measured, validation, *notes})), "");
}

TEST(Page, NothingInTheDataEndsTheScript) {
    const test::MadeUpCampaign campaign;
    const auto made = page_data(campaign.input());
    const auto page = page_html(made);
    ASSERT_TRUE(page);
    const auto from = page->find("id=\"data\">"), to = page->find("</script>", from);
    const auto data = nlohmann::ordered_json::parse(page->substr(from + 10, to - from - 10));
    EXPECT_EQ(data, made);
}

} // namespace
} // namespace alltold

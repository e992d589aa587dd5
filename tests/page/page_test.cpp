// SPDX-License-Identifier: BSD-3-Clause
// The page of a made-up campaign in a headless browser.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "../report/made_up_campaign.hpp"
#include "../scratch.hpp"
#include "report/page/html.hpp"
#include "report/page/page_data.hpp"

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

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Page, IsDrawnWithoutErrorsForEveryone) {
    if (browser().empty())
        GTEST_SKIP() << "no chromium; scripts/setup installs it";
    const test::Scratch scratch;
    const test::MadeUpCampaign campaign;
    auto input = campaign.input();
    const auto diff = compare_campaigns(input.measured, input.measured, 0.1);
    input.since = &diff;
    input.before = "before.db";
    ASSERT_TRUE(write_page(page_data(input), scratch / "page.html"));
    const auto command = std::string(ALLTOLD_NODE) + " " ALLTOLD_CHECK_PAGE " " + browser() +
                         " " ALLTOLD_PAGE_MODULES " " + (scratch / "page.html").string() + " > " +
                         (scratch / "said").string() + " 2>&1";
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << contents(scratch / "said");
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

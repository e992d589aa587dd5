// SPDX-License-Identifier: BSD-3-Clause
// Makes the page from what a study holds.
#include "campaign/study/charts.hpp"

#include <fmt/format.h>

#include "campaign/study/verdict.hpp"
#include "report/page/html.hpp"
#include "report/page/page_data.hpp"

namespace alltold::campaign {

Result<std::string> write_charts(const Campaign& campaign, const Profile& profile,
                                 const Validation& validation,
                                 const std::filesystem::path& folder) {
    if (!has_page_template())
        return std::string("Charts: none, because this alltold was built without npm\n");
    const auto measured = campaign.points();
    if (!measured)
        return measured.error();
    const auto notes = campaign.notes();
    if (!notes)
        return notes.error();
    const auto data = page_data({shown(folder / "study.db"), shown(folder / "profile.json"),
                                 profile, *measured, validation, *notes});
    const auto path = folder / charts_file;
    if (const auto written = write_page(data, path); !written)
        return written.error();
    return fmt::format("Charts, to be opened in a browser: {}\n", shown(path));
}

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// Makes the page from what a study holds.
#include "campaign/study/charts.hpp"

#include <fmt/format.h>

#include "campaign/study/verdict.hpp"
#include "report/page/html.hpp"
#include "report/page/page_data.hpp"

namespace alltold::campaign {

Result<std::string> write_charts(const Campaign& campaign, const Profile& profile,
                                 const Network& predicting, const Validation& validation,
                                 std::span<const ChosenCall> choices, const StudyOptions& options) {
    if (!has_page_template())
        return std::string("Charts: none, because this alltold was built without npm\n");
    const auto measured = campaign.points();
    if (!measured)
        return measured.error();
    const auto notes = campaign.notes();
    if (!notes)
        return notes.error();
    PageInput input{shown(options.folder / "study.db"),
                    shown(options.folder / "profile.json"),
                    profile,
                    *measured,
                    validation,
                    *notes};
    input.command = options.command;
    input.predicting = &predicting;
    input.settings = options.advice;
    if (const auto* best = best_of(choices))
        input.headline = {best->collective, best->clusters, best->size_bytes};
    const auto path = options.folder / charts_file;
    if (const auto written = write_page(page_data(input), path); !written)
        return written.error();
    return fmt::format("Charts (open in a browser): {}\n", shown(path));
}

} // namespace alltold::campaign

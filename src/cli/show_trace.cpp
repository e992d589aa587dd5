// SPDX-License-Identifier: BSD-3-Clause
// Reads traces, simulates their calls and prints both.
#include "cli/show_trace.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/input_files.hpp"
#include "core/say.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "predict/choice/choice.hpp"
#include "report/trace_report.hpp"
#include "store/call_trace.hpp"
#include "store/profile.hpp"

namespace alltold::cli {
namespace {

constexpr std::size_t most_drawn_messages = 50'000;

Result<ExitStatus> show_one(const CallTrace& trace, const Profile* profile,
                            const ShowTraceArguments& asked) {
    Result<std::optional<simulate::Times>> times = std::optional<simulate::Times>();
    if (profile)
        times = simulate_trace(trace, profile->network);
    if (!times)
        return Error{fmt::format("{}: {}", asked.profile, times.error().message),
                     times.error().status};
    const auto* known = *times ? &**times : nullptr;
    const auto messages = messages_of(trace, known);
    if (!messages)
        return Error{fmt::format("{}: {}", asked.file, messages.error().message),
                     messages.error().status};
    if (!asked.svg_file) {
        fmt::print("{}\n", trace_text(trace, *messages, known));
        return ExitStatus::done;
    }
    if (messages->size() > most_drawn_messages)
        return bad_input(fmt::format("{}: {} messages are too many to draw; the most are {}",
                                     asked.file, messages->size(), most_drawn_messages));
    if (auto written = write_svg(*asked.svg_file, trace_svg(trace, *messages, known)); !written)
        return written.error();
    return ExitStatus::done;
}

} // namespace

Status write_svg(const std::string& file, const std::string& svg) {
    if (file.empty() || file == "-") {
        fmt::print("{}", svg);
        return Done{};
    }
    if (auto written = replace_text_file(file, svg, {"an SVG picture", "<svg"}); !written)
        return written;
    say(fmt::format("wrote {}\n", file));
    return Done{};
}

Result<ExitStatus> show_trace(const ShowTraceArguments& asked) {
    auto traces = load_traces(asked.file);
    if (!traces)
        return traces.error();
    const auto profile = profile_if_named(asked.profile);
    if (!profile)
        return profile.error();
    if (!asked.algorithm.empty())
        std::erase_if(*traces, [&](const CallTrace& trace) {
            return algorithm_name(*parse_choice(trace.algorithm)) != asked.algorithm;
        });
    if (traces->empty())
        return bad_input(fmt::format("{}: has no call of {}", asked.file,
                                     asked.algorithm.empty() ? "any algorithm" : asked.algorithm));
    if (asked.svg_file)
        traces->resize(1, traces->front());
    for (const auto& trace : *traces)
        if (auto shown = show_one(trace, *profile ? &**profile : nullptr, asked); !shown)
            return shown;
    return ExitStatus::done;
}

} // namespace alltold::cli

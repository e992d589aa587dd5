// SPDX-License-Identifier: BSD-3-Clause
// Traces of calls: what is read can be matched, simulated and printed.
#include <fstream>

#include "../../scratch.hpp"
#include "../fuzz.hpp"
#include "report/trace_report.hpp"
#include "store/call_trace.hpp"
#include "store/profile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    static const test::Scratch scratch;
    static const auto profile = load_profile("@fast-ethernet-1999");
    const auto file = scratch / "trace";
    std::ofstream(file, std::ios::binary) << fuzz::text_of(data, size);
    const auto traces = load_traces(file);
    if (!traces)
        return 0;
    for (const auto& trace : *traces) {
        // Few enough to be simulated in no time.
        if (trace.clusters.ranks() > 16 || trace.size_bytes > 4096)
            continue;
        const auto times = simulate_trace(trace, profile->network);
        const auto* known = times && *times ? &**times : nullptr;
        if (const auto messages = messages_of(trace, known))
            fuzz::expect(!trace_text(trace, *messages, known).empty(), "a call is printed");
    }
    return 0;
}

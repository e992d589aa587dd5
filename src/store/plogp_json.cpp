// SPDX-License-Identifier: BSD-3-Clause
// The parameters of pLogP.
#include "store/profile_parts.hpp"

namespace alltold {

using nlohmann::ordered_json;

ordered_json to_json(const PLogP& plogp) {
    return {{"L_s", to_json(plogp.L_estimate())},
            {"g_s", to_json(plogp.g_s)},
            {"o_s", to_json(plogp.o_s)},
            {"o_r", to_json(plogp.o_r)}};
}

PLogP read_plogp(JsonCursor at) {
    const auto latency = read_estimate(at.member("L_s"), in_seconds);
    PLogP plogp{latency.value, read_curve(at.member("g_s")), read_curve(at.member("o_s")),
                read_curve(at.member("o_r"))};
    plogp.L_low_s = latency.low;
    plogp.L_high_s = latency.high;
    require_points(at.member("g_s"), plogp.g_s);
    at.only({"L_s", "g_s", "o_s", "o_r"});
    return plogp;
}

} // namespace alltold

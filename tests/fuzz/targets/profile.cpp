// SPDX-License-Identifier: BSD-3-Clause
// Profiles: what is read can be saved and read again, and be predicted from.
#include <string>

#include "../fuzz.hpp"
#include "predict/choice/rank.hpp"
#include "store/json_text.hpp"
#include "store/profile_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    const auto profile = profile_from_json(fuzz::text_of(data, size), "fuzz");
    if (!profile)
        return 0;
    const auto text = json_text(profile_to_json(*profile));
    const auto again = profile_from_json(text, "again");
    fuzz::expect(again && json_text(profile_to_json(*again)) == text,
                 "a profile saved reads back the same");
    constexpr std::uint64_t size_bytes = 3000;
    for (const auto collective : uniform_collectives)
        for (const auto& clusters : {Clusters({3}), Clusters({1, 2})})
            if (const auto ranking = rank(profile->network, collective, clusters, size_bytes))
                fuzz::expect(!ranking->candidates.empty(), "a ranking has candidates");
    return 0;
}

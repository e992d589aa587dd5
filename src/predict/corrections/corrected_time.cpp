// SPDX-License-Identifier: BSD-3-Clause
#include "predict/corrections/corrected_time.hpp"

namespace alltold {

CallTraits traits_of(const TimedCall& call) {
    const auto size_bytes = call.specification.size_bytes();
    auto time = call.time;
    time.rendezvous = by_rendezvous(call.network, call.parameters, size_bytes);
    return traits_of(&call.algorithm, call.parameters, call.specification.ranks(), size_bytes,
                     time);
}

const Correction* correction_of(const TimedCall& call) {
    const auto* correction =
        correction_of(call.network, call.specification.collective(), call.clusters);
    return correction && correction->baseline().model == &call.model ? correction : nullptr;
}

double likely_s(const TimedCall& call) {
    const auto* correction = correction_of(call);
    return correction ? correction->time_s(traits_of(call)).value : call.time.time_s.value;
}

} // namespace alltold

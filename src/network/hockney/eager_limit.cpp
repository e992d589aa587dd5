// SPDX-License-Identifier: BSD-3-Clause
// The eager limit from the searches of the probe "eager".
#include "network/hockney/eager_limit.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/median.hpp"
#include "core/units.hpp"

namespace alltold {

Result<Estimate> fit_eager_limit(const PointSamples& searches) {
    const auto limits_bytes = searches.values();
    const auto most_bytes = static_cast<double>(searches.point.size_bytes);
    if (limits_bytes.empty())
        return refused("no search for it was finished");
    const auto [lowest, highest] = std::ranges::minmax(limits_bytes);
    const double limit = median(limits_bytes);
    if (limit >= most_bytes)
        return refused(fmt::format("no message that was tried, up to {} or a quarter of a second, "
                                   "waits for its receive",
                                   format_size(most_bytes)));
    return Estimate{limit, lowest, highest};
}

} // namespace alltold

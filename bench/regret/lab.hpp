// SPDX-License-Identifier: BSD-3-Clause
// A lab of the corpus: its campaign, and the times of its calls.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "regret/judge.hpp"
#include "store/campaign.hpp"

namespace alltold::regret {

struct Lab {
    std::string name;    ///< "9001-1": seed and number
    std::string options; ///< of `alltold lab`
    bool busy = false;   ///< a core was busy during the study
    std::filesystem::path campaign;
    std::vector<TimedCall> calls;

    /// 1 or 2: half of all labs each, the same one whatever labs there are.
    int half() const;
};

/// From a folder that `bench/regret.sh` unpacked. Fails, naming file and field.
Result<Lab> read_lab(const std::filesystem::path& folder);

} // namespace alltold::regret

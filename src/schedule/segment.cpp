// SPDX-License-Identifier: BSD-3-Clause
// Segmentation: messages become parts, and after-edges become edges between parts.
#include "schedule/segment.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "schedule/builder.hpp"

namespace alltold {
namespace {

/// What became of one operation: `count` steps from `first` on, and one that is after all of them.
struct Parts {
    Step first = no_step;
    Step count = 1;
    Step all = no_step;
};

class Segmenter {
  public:
    Segmenter(const Schedule& schedule, std::uint64_t segment_bytes)
        : schedule_(schedule), segment_bytes_(segment_bytes),
          parts_(static_cast<std::size_t>(schedule.size())), builder_(count_parts()) {
        builder_.scratch(schedule.scratch_bytes());
    }

    Schedule run() && {
        for (Step step = 0; step < schedule_.size(); ++step)
            split(step);
        return std::move(builder_).finish();
    }

  private:
    std::size_t count_parts() const {
        std::size_t total = 0;
        for (const auto& operation : schedule_.operations())
            total += static_cast<std::size_t>(count_of(operation));
        return total;
    }

    Parts& parts(Step step) { return parts_[static_cast<std::size_t>(step)]; }

    Step count_of(const Operation& operation) const {
        const auto size = operation.region.size_bytes;
        if (!operation.is_message() || size <= segment_bytes_)
            return 1;
        return static_cast<Step>((size + segment_bytes_ - 1) / segment_bytes_);
    }

    /// The step that is complete only when every part of `step` is.
    Step all_of(Step step) {
        auto& whole = parts(step);
        if (whole.count == 1)
            return whole.first;
        if (whole.all == no_step) {
            whole.all = builder_.join();
            for (Step k = 0; k < whole.count; ++k)
                builder_.also_after(whole.all, whole.first + k);
        }
        return whole.all;
    }

    void split(Step step) {
        const auto& whole = schedule_[step];
        const auto count = count_of(whole);
        const auto in_pipeline = [&](Step earlier) {
            return count > 1 && parts(earlier).count == count &&
                   schedule_[earlier].region == whole.region;
        };
        std::vector<Step> always; // what every part waits for
        std::vector<Step> alike;  // what part k waits for in its part k
        for (const Step earlier : schedule_.after(step)) {
            if (in_pipeline(earlier))
                alike.push_back(earlier);
            else
                always.push_back(all_of(earlier));
        }
        for (Step k = 0; k < count; ++k) {
            auto part = whole;
            part.tag = -1;
            if (count > 1) {
                const auto from = static_cast<std::uint64_t>(k) * segment_bytes_;
                part.region = part_of(whole.region, from,
                                      std::min(segment_bytes_, whole.region.size_bytes - from));
            }
            const auto added = builder_.append(part, always);
            for (const Step earlier : alike)
                builder_.also_after(added, parts(earlier).first + k);
            if (k == 0)
                parts(step) = {added, count, no_step};
        }
    }

    const Schedule& schedule_;
    std::uint64_t segment_bytes_;
    std::vector<Parts> parts_;
    Builder builder_;
};

} // namespace

Schedule segmented(const Schedule& schedule, std::uint64_t segment_bytes) {
    assert(segment_bytes >= 1);
    return Segmenter(schedule, segment_bytes).run();
}

} // namespace alltold

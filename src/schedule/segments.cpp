// SPDX-License-Identifier: BSD-3-Clause
// Segmentation: messages become segments, and after-edges become edges between segments.
#include "schedule/segments.hpp"

namespace alltold {
namespace {

/// The segments of one operation: `count` steps from `first` on, and a join of them, if any.
struct SegmentSteps {
    Step first = no_step;
    Step count = 1;
    Step all = no_step;
};

class Segmenter {
  public:
    Segmenter(const Schedule& schedule, std::uint64_t segment_bytes, std::uint64_t unit_bytes)
        : schedule_(schedule), segment_bytes_(segment_bytes),
          segmentation_(segment_bytes, unit_bytes),
          segments_(static_cast<std::size_t>(schedule.size())), builder_(total_count()) {
        builder_.scratch(schedule.scratch_bytes());
    }

    Schedule run() && {
        for (Step step = 0; step < schedule_.size(); ++step)
            split(step);
        return std::move(builder_).finish();
    }

  private:
    std::size_t total_count() const {
        std::size_t total = 0;
        for (const auto& operation : schedule_.operations())
            total += static_cast<std::size_t>(count_of(operation));
        return total;
    }

    SegmentSteps& segments(Step step) { return segments_[static_cast<std::size_t>(step)]; }

    Step count_of(const Operation& operation) const {
        const bool cut = operation.is_message() || operation.kind == Kind::combine;
        if (!cut || operation.region.size_bytes <= segment_bytes_)
            return 1;
        return static_cast<Step>(segmentation_.count(operation.region));
    }

    /// The step that is complete only when every segment of `step` is.
    Step all_of(Step step) {
        auto& whole = segments(step);
        if (whole.count == 1)
            return whole.first;
        if (whole.all == no_step) {
            whole.all = builder_.join();
            for (Step k = 0; k < whole.count; ++k)
                builder_.also_after(whole.all, whole.first + k);
        }
        return whole.all;
    }

    /// Whether one accesses a region that the other accesses too.
    static bool share_region(const Operation& a, const Operation& b) {
        const auto accesses = [](const Operation& operation, const Region& region) {
            return operation.region == region ||
                   (operation.is_local() && operation.target == region);
        };
        return accesses(b, a.region) || (a.is_local() && accesses(b, a.target));
    }

    void split(Step step) {
        const auto& whole = schedule_[step];
        const auto count = count_of(whole);
        const auto in_pipeline = [&](Step earlier) {
            return count > 1 && segments(earlier).count == count &&
                   share_region(schedule_[earlier], whole);
        };
        std::vector<Step> always; // predecessors of every segment
        std::vector<Step> alike;  // predecessors whose segment k precedes segment k
        for (const Step earlier : schedule_.after(step)) {
            if (in_pipeline(earlier))
                alike.push_back(earlier);
            else
                always.push_back(all_of(earlier));
        }
        for (Step k = 0; k < count; ++k) {
            auto segment = whole;
            segment.tag = -1;
            if (count > 1)
                segment.region = segmentation_.of(whole.region, static_cast<std::uint64_t>(k));
            if (count > 1 && whole.is_local())
                segment.target = segmentation_.of(whole.target, static_cast<std::uint64_t>(k));
            const auto added = builder_.append(segment, always);
            for (const Step earlier : alike)
                builder_.also_after(added, segments(earlier).first + k);
            if (k == 0)
                segments(step) = {added, count, no_step};
        }
    }

    const Schedule& schedule_;
    std::uint64_t segment_bytes_;
    Segmentation segmentation_;
    std::vector<SegmentSteps> segments_;
    Builder builder_;
};

} // namespace

Schedule segmented(const Schedule& schedule, std::uint64_t segment_bytes,
                   std::uint64_t unit_bytes) {
    if (segment_bytes == 0)
        return schedule;
    return Segmenter(schedule, segment_bytes, unit_bytes).run();
}

} // namespace alltold

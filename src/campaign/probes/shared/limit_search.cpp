// SPDX-License-Identifier: BSD-3-Clause
// Doubling and bisection with one-sided errors.
#include "campaign/probes/shared/limit_search.hpp"

#include <algorithm>

namespace alltold::campaign {
namespace {

constexpr std::uint64_t first_bytes = 1024;

class Search {
  public:
    Search(const Holds& holds, std::uint64_t largest_bytes)
        : holds_(holds), above_(largest_bytes + 1) {}

    /// Narrows the interval by one question.
    Status ask(std::uint64_t size_bytes, bool thorough) {
        ALLTOLD_TRY(answer, holds_(size_bytes, thorough));
        if (*answer) {
            below_ = std::max(below_, size_bytes);
            return Done{};
        }
        asked_thoroughly_ = thorough;
        above_ = size_bytes;
        bounded_ = true;
        return Done{};
    }
    /// The next size to ask about, while there is one.
    std::uint64_t next() const {
        if (bounded_)
            return below_ + (above_ - below_) / 2;
        return std::min(std::max(2 * below_, first_bytes), above_ - 1);
    }
    bool open() const { return above_ - below_ > limit_resolution(below_); }
    /// Whether the answer rests on one quick question that may have missed the property.
    bool doubtful() const { return bounded_ && !asked_thoroughly_; }
    std::uint64_t below() const { return below_; }
    std::uint64_t above() const { return above_; }
    void reopen(std::uint64_t largest_bytes) {
        above_ = largest_bytes + 1;
        bounded_ = false;
    }

  private:
    const Holds& holds_;
    std::uint64_t below_ = 0; ///< has the property
    std::uint64_t above_;     ///< has it not, as far as is known, or is too large to be asked about
    bool bounded_ = false;    ///< above_ was asked about
    bool asked_thoroughly_ = false;
};

} // namespace

std::uint64_t limit_resolution(std::uint64_t found_bytes) {
    constexpr std::uint64_t share = 64, to_the_byte = 64 * 1024;
    return found_bytes > to_the_byte ? found_bytes / share : 1;
}

Result<std::uint64_t> largest_that_holds(const Holds& holds, std::uint64_t largest_bytes,
                                         std::optional<std::uint64_t> guess_bytes) {
    Search search(holds, largest_bytes);
    if (guess_bytes && *guess_bytes >= 1)
        ALLTOLD_TRY_DONE(search.ask(*guess_bytes, false));
    if (search.below() > 0 && search.open())
        ALLTOLD_TRY_DONE(search.ask(search.below() + limit_resolution(search.below()), true));
    for (bool thorough = false; search.open() || search.doubtful();) {
        const bool confirm = !search.open();
        ALLTOLD_TRY_DONE(search.ask(confirm ? search.above() : search.next(), confirm || thorough));
        if (confirm && search.below() >= search.above()) {
            // Quick questions miss too much here.
            thorough = true;
            search.reopen(largest_bytes);
        }
    }
    return search.below();
}

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// A curve that remembers its last answer: neighbouring messages are mostly of one size.
#pragma once

#include "network/size_curve.hpp"

namespace alltold::simulate {

/// The same values as `curve`, which must outlive it.
class CachedCurve {
  public:
    explicit CachedCurve(const SizeCurve& curve) : curve_(curve) {}
    double operator()(double size_bytes) {
        if (size_bytes != size_bytes_) {
            size_bytes_ = size_bytes;
            time_s_ = curve_(size_bytes);
        }
        return time_s_;
    }

  private:
    const SizeCurve& curve_;
    double size_bytes_ = -1;
    double time_s_ = 0;
};

} // namespace alltold::simulate

// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/engine/prompt.hpp"

#include <cstdint>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace alltold::campaign {
namespace {

/// The kernel's struct sched_attr (sched_setattr(2)); the C library's header does not go together
/// with the kernel's.
struct SchedulingAttributes {
    std::uint32_t size = sizeof(SchedulingAttributes);
    std::uint32_t policy = SCHED_OTHER;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t slice_ns = 0;
    std::uint64_t deadline_ns = 0;
    std::uint64_t period_ns = 0;
};

} // namespace

void wake_promptly() {
    prctl(PR_SET_TIMERSLACK, 1000UL); // nanoseconds
    SchedulingAttributes request;
    request.nice = getpriority(PRIO_PROCESS, 0);
    request.slice_ns = 100'000;
    syscall(SYS_sched_setattr, 0, &request, 0U);
}

} // namespace alltold::campaign

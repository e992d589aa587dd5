// SPDX-License-Identifier: BSD-3-Clause
// Finishing calls of liballtold. Nothing advances calls of one communicator while a rank waits in
// one of another. So ranks never wait for a call unless all do, and then test all calls in turn.
#include "pending.h"

#ifdef TORTURE_LIBRARY
#include <sched.h>

void finish_some(PendingCalls* pending, Random* own) {
    (void)own;
    for (int i = pending->count - 1; i >= 0; --i) {
        Request request = pending->calls[i]->request;
        int done = 0;
        alltold_test(&request, &done);
        if (done)
            finished(pending, i, request);
    }
    sched_yield();
}

static int is_pending(const PendingCalls* pending, const Call* call) {
    for (int i = 0; i < pending->count; ++i)
        if (pending->calls[i] == call)
            return 1;
    return 0;
}

void finish(PendingCalls* pending, const Call* call) {
    while (is_pending(pending, call))
        finish_some(pending, NULL);
}

#endif

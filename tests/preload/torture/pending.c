// SPDX-License-Identifier: BSD-3-Clause
// Calls under way: kept, and verified when they are finished.
#include "pending.h"

#include <stdio.h>
#include <stdlib.h>

void finished(PendingCalls* pending, int i, Request request) {
    Call* call = pending->calls[i];
    call->request = request;
    pending->calls[i] = pending->calls[--pending->count];
    verify_call(call);
    if (call->form == nonblocking) {
        if (request != REQUEST_NULL) {
            fprintf(stderr, "torture: seed %llu, call %d: a finished request was not freed\n",
                    (unsigned long long)call->seed, call->number);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        free_call(call);
    }
}

void add_pending(PendingCalls* pending, Random* own, Call* call) {
    while (pending->count == pending_room)
        finish_some(pending, own);
    pending->calls[pending->count++] = call;
}

/// Open MPI 4.1 ends in a segmentation fault between two rounds of its own.
void finish_fragile(PendingCalls* pending, MPI_Comm comm) {
    for (int i = 0; i < pending->count;)
        if (pending->calls[i]->comm == comm && pending->calls[i]->collective >= allgather) {
            finish(pending, pending->calls[i]);
            i = 0; // others may have been finished as well
        } else
            ++i;
}

void finish_all(PendingCalls* pending, Random* own) {
    while (pending->count > 0)
        finish_some(pending, own);
}

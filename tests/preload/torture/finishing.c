// SPDX-License-Identifier: BSD-3-Clause
// Finishing calls through each of MPI's functions that finish requests.
#include "pending.h"

#ifndef TORTURE_LIBRARY

static void wait_for(PendingCalls* pending, int i, MPI_Status* status) {
    MPI_Request request = pending->calls[i]->request;
    MPI_Wait(&request, status);
    finished(pending, i, request);
}

static void test_until_done(PendingCalls* pending, int i, int look_first) {
    MPI_Request request = pending->calls[i]->request;
    for (int done = 0; look_first && !done;)
        MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    for (int done = 0; !done;)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    finished(pending, i, request);
}

static void wait_or_test_all(PendingCalls* pending, int test, int ignore) {
    MPI_Request requests[pending_room];
    MPI_Status statuses[pending_room];
    const int count = pending->count;
    for (int i = 0; i < count; ++i)
        requests[i] = pending->calls[i]->request;
    if (test)
        for (int done = 0; !done;)
            MPI_Testall(count, requests, &done, ignore ? MPI_STATUSES_IGNORE : statuses);
    else
        MPI_Waitall(count, requests, ignore ? MPI_STATUSES_IGNORE : statuses);
    for (int i = count - 1; i >= 0; --i)
        finished(pending, i, requests[i]);
}

static void wait_or_test_any(PendingCalls* pending, int test) {
    MPI_Request requests[pending_room];
    int index = MPI_UNDEFINED;
    for (int i = 0; i < pending->count; ++i)
        requests[i] = pending->calls[i]->request;
    if (test)
        for (int done = 0; !done;)
            MPI_Testany(pending->count, requests, &index, &done, MPI_STATUS_IGNORE);
    else
        MPI_Waitany(pending->count, requests, &index, MPI_STATUS_IGNORE);
    finished(pending, index, requests[index]);
}

static void wait_or_test_some(PendingCalls* pending, int test) {
    MPI_Request requests[pending_room];
    MPI_Status statuses[pending_room];
    int indices[pending_room], is_done[pending_room] = {0}, count = 0;
    for (int i = 0; i < pending->count; ++i)
        requests[i] = pending->calls[i]->request;
    if (test)
        while (count == 0)
            MPI_Testsome(pending->count, requests, &count, indices, statuses);
    else
        MPI_Waitsome(pending->count, requests, &count, indices, statuses);
    for (int i = 0; i < count; ++i)
        is_done[indices[i]] = 1;
    for (int i = pending->count - 1; i >= 0; --i)
        if (is_done[i])
            finished(pending, i, requests[i]);
}

void finish_some(PendingCalls* pending, Random* own) {
    if (pending->count == 0)
        return;
    const int i = below(own, pending->count), coin = one_in(own, 2);
    MPI_Status status;
    switch (below(own, 5)) {
    case 0:
        wait_for(pending, i, coin ? &status : MPI_STATUS_IGNORE);
        break;
    case 1:
        test_until_done(pending, i, coin);
        break;
    case 2:
        wait_or_test_all(pending, coin, one_in(own, 2));
        break;
    case 3:
        wait_or_test_any(pending, coin);
        break;
    default:
        wait_or_test_some(pending, coin);
    }
}

void finish(PendingCalls* pending, const Call* call) {
    for (int i = 0; i < pending->count; ++i)
        if (pending->calls[i] == call) {
            wait_for(pending, i, MPI_STATUS_IGNORE);
            return;
        }
}

#endif

// SPDX-License-Identifier: BSD-3-Clause
// Calls that were started and are not known to be finished.
#pragma once

#include "call.h"

#ifdef TORTURE_LIBRARY
enum { pending_room = 1 << 16 }; ///< since no rank may make room by itself
#else
enum { pending_room = 12 };
#endif

typedef struct {
    Call* calls[pending_room];
    int count;
} PendingCalls;

/// Takes call `i` out of the list and verifies it.
void finished(PendingCalls* pending, int i, Request request);
/// Takes a started call; room is made where there is none.
void add_pending(PendingCalls* pending, Random* own, Call* call);
/// Finishes some calls, in one of the ways that MPI has, and verifies them. Those that are not
/// persistent are freed.
void finish_some(PendingCalls* pending, Random* own);
/// Finishes this call if it is under way.
void finish(PendingCalls* pending, const Call* call);
/// Finishes those under way on `comm` that the library does not carry on once `comm` is freed.
void finish_fragile(PendingCalls* pending, MPI_Comm comm);
void finish_all(PendingCalls* pending, Random* own);

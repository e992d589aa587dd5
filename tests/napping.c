/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting that naps, for ranks that share processors with each other and with other programs. A
 * rank that only gives way by sched_yield, as Open MPI's do, waits for a time slice of whoever runs
 * next, over and over: beside two busy programs the oracle's all-to-alls on 8 ranks take 26 s with
 * it and more than 100 s without, alone 13 and 11 s. MPICH's ranks do not even give way: they call
 * UCX's progress function in a loop, and 300 random calls on 5 ranks took 22 to 29 s; now 1,000
 * take 3. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

static void nap(void) {
    const struct timespec time = {0, 1000};
    nanosleep(&time, NULL);
}

int sched_yield(void) {
    nap();
    return 0;
}

/* UCX's: the number of events, 0 where it has nothing to do. */
unsigned ucp_worker_progress(void* worker) {
    static unsigned (*progress)(void*);
    static _Thread_local unsigned idle;
    if (!progress)
        *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned events = progress(worker);
    idle = events ? 0 : idle + 1;
    if (idle > 16)
        nap();
    return events;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded inside labs: lets MPICH 4.0's MPI_Finalize end over UCX on TCP, its waiting ranks yield
 * the processor where ALLTOLD_LAB_YIELD is set, and the ranks of all hosts belong to one session.
 *
 * MPICH closes its UCX endpoints and then waits in a PMI barrier without making progress, so a peer
 * whose last flush it has not answered waits for ever (pmodels/mpich pull request 6596, later than
 * the release Debian 12 has). From the first close until the worker is destroyed a thread makes
 * that progress; a lock keeps it apart from the library's own calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* Recursive: progress calls back into MPICH, which may free requests. */
static pthread_mutex_t ucx = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_t thread;
static atomic_int closing;
static void* last_worker;

typedef unsigned progress_t(void*);
typedef void* disconnect_t(void*);
typedef void free_t(void*);

static progress_t* real_progress(void) {
    static _Atomic(progress_t*) real;
    progress_t* found = real;
    if (!found)
        real = found = (progress_t*)(long)dlsym(RTLD_NEXT, "ucp_worker_progress");
    return found;
}

/* Where many ranks share few processors, one that waits must let others run, as Open MPI's do with
 * mpi_yield_when_idle; MPICH has no such setting for UCX. */
static int yields(void) {
    static int known = -1;
    if (known < 0)
        known = getenv("ALLTOLD_LAB_YIELD") != 0;
    return known;
}

/* Hydra opens a session for each process it starts, but ranks yield only to their own session
 * where Linux divides the processors among sessions. It kills them by process group. */
pid_t setsid(void) {
    return setpgid(0, 0) == 0 ? getpid() : -1;
}

unsigned ucp_worker_progress(void* worker) {
    last_worker = worker;
    if (!closing) {
        const unsigned done = real_progress()(worker);
        if (done == 0 && yields())
            sched_yield();
        return done;
    }
    pthread_mutex_lock(&ucx);
    const unsigned done = real_progress()(worker);
    pthread_mutex_unlock(&ucx);
    return done;
}

static void* keep_progressing(void* worker) {
    while (closing) {
        pthread_mutex_lock(&ucx);
        real_progress()(worker);
        pthread_mutex_unlock(&ucx);
        usleep(1000);
    }
    return 0;
}

void* ucp_disconnect_nb(void* endpoint) {
    disconnect_t* real = (disconnect_t*)(long)dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    if (last_worker && !atomic_exchange(&closing, 1) &&
        pthread_create(&thread, 0, keep_progressing, last_worker) != 0)
        closing = 0;
    pthread_mutex_lock(&ucx);
    void* request = real(endpoint);
    pthread_mutex_unlock(&ucx);
    return request;
}

static void locked_free(_Atomic(free_t*)* real, const char* name, void* request) {
    if (!*real)
        *real = (free_t*)(long)dlsym(RTLD_NEXT, name);
    const int locked = closing;
    if (locked)
        pthread_mutex_lock(&ucx);
    (*real)(request);
    if (locked)
        pthread_mutex_unlock(&ucx);
}

void ucp_request_free(void* request) {
    static _Atomic(free_t*) real;
    locked_free(&real, "ucp_request_free", request);
}

void ucp_request_release(void* request) {
    static _Atomic(free_t*) real;
    locked_free(&real, "ucp_request_release", request);
}

void ucp_worker_destroy(void* worker) {
    if (atomic_exchange(&closing, 0))
        pthread_join(thread, 0);
    ((free_t*)(long)dlsym(RTLD_NEXT, "ucp_worker_destroy"))(worker);
}

// SPDX-License-Identifier: BSD-3-Clause
// progress CASE [ARGUMENT]: a program whose calls a thread may move on while it computes. Prints
// "right" on rank 0, or what is not. Cases:
//   hidden yes|no
//       an all-to-all ends while no rank calls MPI, or does not
//   level [LEVEL]
//       MPI_Init, or MPI_Init_thread with a number, tells the level that the program has asked for
//   small
//       calls whose messages are sent at once start no thread
//   parked
//       the thread does not wake up while nothing is open
//   repeated
//       calls of both kinds, many times
//   signals
//       a handler runs in the program's thread
//   fork
//       children end as usual while a call is open
//   operator [scatter]
//       the program's operator runs in its own thread
//   errors
//       an error comes to the program's handler, in its own thread
//   finalize
//       MPI_Finalize with a call that nobody waited for
//   abort
//       MPI_Abort with a call open: status 7
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

enum { block = 1 << 18 };

static int rank, ranks, wrong;
static char *sent, *received;

static void check(int right, const char* what) {
    if (!right) {
        printf("rank %d: %s\n", rank, what);
        ++wrong;
    }
}

static void compute(double time_s) {
    const double end_s = MPI_Wtime() + time_s;
    const struct timespec ms = {0, 1000000};
    while (MPI_Wtime() < end_s)
        nanosleep(&ms, NULL);
}

static int self(void) {
    return (int)syscall(SYS_gettid);
}

/// A number in the kernel's status of the thread "alltold"; 0: there is no such thread.
static unsigned long long of_thread(const char* field, int base) {
    DIR* tasks = opendir("/proc/self/task");
    unsigned long long found = 0;
    for (struct dirent* task; (task = readdir(tasks)) != NULL;) {
        char path[300], line[300], name[40] = "";
        unsigned long long value = 0;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
        FILE* file = fopen(path, "r");
        while (file && fgets(line, sizeof line, file))
            if (sscanf(line, "Name: %39s", name) != 1 && strncmp(line, field, strlen(field)) == 0)
                value = strtoull(strchr(line, ':') + 1, NULL, base);
        if (file)
            fclose(file);
        if (strcmp(name, "alltold") == 0)
            found = value;
    }
    closedir(tasks);
    return found;
}

/// How often it went to sleep.
static unsigned long long sleeps_of_thread(void) {
    return of_thread("voluntary_ctxt_switches", 10);
}

static MPI_Request start_exchange(int bytes) {
    MPI_Request request;
    for (int i = 0; i < ranks; ++i) {
        memset(sent + i * bytes, 1 + rank, (size_t)bytes);
        memset(received + i * bytes, 0, (size_t)bytes);
    }
    MPI_Ialltoall(sent, bytes, MPI_CHAR, received, bytes, MPI_CHAR, MPI_COMM_WORLD, &request);
    return request;
}

static int has_arrived(int bytes) {
    for (int i = 0; i < ranks; ++i)
        if (((volatile char*)received)[(i + 1) * bytes - 1] != 1 + i)
            return 0;
    return 1;
}

/// Looks at the memory alone, for `most_s`.
static int arrives_meanwhile(double most_s) {
    const double end_s = MPI_Wtime() + most_s;
    while (!has_arrived(block) && MPI_Wtime() < end_s)
        compute(0.001);
    return has_arrived(block);
}

static void finish(MPI_Request* request) {
    MPI_Wait(request, MPI_STATUS_IGNORE);
    check(has_arrived(block), "an all-to-all is not right");
}

static void hidden(int expected) {
    for (int i = 0; i < 3; ++i) {
        MPI_Request request = start_exchange(block);
        check(arrives_meanwhile(expected ? 20 : 0.5) == expected,
              expected ? "nothing moved" : "a thread moved it");
        finish(&request);
    }
}

static void small(void) {
    for (int i = 0; i < 3; ++i) {
        MPI_Request request = start_exchange(4);
        compute(0.02);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(has_arrived(4), "a small all-to-all is not right");
    }
    check(sleeps_of_thread() == 0, "there is a thread");
}

static void parked(void) {
    MPI_Request request = start_exchange(block);
    compute(0.05);
    finish(&request);
    compute(0.1); // it sees that nothing is open any more
    const unsigned long long before = sleeps_of_thread();
    compute(0.3);
    check(before > 2, "no thread has napped");
    check(sleeps_of_thread() == before, "the thread wakes up with nothing to do");
}

static void repeated(void) {
    int *values = malloc(block), count = block / (int)sizeof *values;
    for (int i = 0; i < 400; ++i) {
        const int bytes = i % 2 ? block / 8 : 4, root = i % ranks;
        MPI_Request requests[2] = {start_exchange(bytes)};
        for (int j = 0; j < count; ++j)
            values[j] = rank == root ? i + j : -1;
        MPI_Ibcast(values, count, MPI_INT, root, MPI_COMM_WORLD, &requests[1]);
        if (i % 3 == 0)
            compute(0.002);
        if (i % 5 == 0)
            MPI_Bcast(&i, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Wait(&requests[i % 2], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[1 - i % 2], MPI_STATUS_IGNORE);
        int same = 1;
        for (int j = 0; j < count; ++j)
            same = same && values[j] == i + j;
        check(same, "a broadcast is not right");
        check(has_arrived(bytes), "an all-to-all is not right");
    }
    free(values);
}

static volatile sig_atomic_t alarms, alarms_elsewhere;
static int main_thread;

static void on_alarm(int number) {
    (void)number;
    ++alarms;
    char name[16] = "";
    prctl(PR_GET_NAME, name); // not by its number: MPI libraries have threads that take signals
    alarms_elsewhere += strcmp(name, "alltold") == 0;
}

static void signals(void) {
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 5; ++i) {
        MPI_Request request = start_exchange(block);
        sigset_t alarm_only, before;
        sigemptyset(&alarm_only);
        sigaddset(&alarm_only, SIGALRM);
        pthread_sigmask(SIG_BLOCK, &alarm_only, &before); // nobody else may take it then
        check(arrives_meanwhile(20), "nothing moved");
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        finish(&request);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    check(alarms > 0, "no alarm");
    check(of_thread("SigBlk", 16) >> (SIGALRM - 1) & 1, "the thread takes alarms");
    check(alarms_elsewhere == 0, "a handler ran in our thread");
}

static void fork_children(void) {
    for (int i = 0; i < 4; ++i) {
        MPI_Request request = start_exchange(block);
        for (int j = 0; j < 4; ++j) {
            fflush(stdout);
            const pid_t child = fork();
            if (child == 0)
                _exit(j);
            int status = 0;
            compute(0.002);
            waitpid(child, &status, 0);
            check(WIFEXITED(status) && WEXITSTATUS(status) == j, "a child ended otherwise");
        }
        check(arrives_meanwhile(20), "nothing moved");
        finish(&request);
    }
}

static volatile int combined, combined_elsewhere;

static void sum(void* in, void* into, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i)
        ((int*)into)[i] += ((int*)in)[i];
    ++combined;
    combined_elsewhere += self() != main_thread;
}

/// The all-to-all stays open, since rank 0 comes late, and its thread might meet the operator.
static void operator_of_program(int scatter) {
    MPI_Op op;
    int counts[64] = {0};
    counts[ranks - 1] = 1;
    MPI_Op_create(sum, 1, &op);
    for (int i = 0; i < 3; ++i) {
        MPI_Request requests[2];
        int one = 1, all = 0;
        requests[0] = MPI_REQUEST_NULL;
        if (rank > 0)
            requests[0] = start_exchange(block);
        else
            compute(0.3);
        if (rank == 0)
            requests[0] = start_exchange(block);
        if (scatter)
            MPI_Ireduce_scatter(&one, &all, counts, MPI_INT, op, MPI_COMM_WORLD, &requests[1]);
        else
            MPI_Ireduce(&one, &all, 1, MPI_INT, op, ranks - 1, MPI_COMM_WORLD, &requests[1]);
        compute(0.5);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        check(has_arrived(block), "an all-to-all is not right");
        check(rank < ranks - 1 || all == ranks, "a reduction is not right");
    }
    MPI_Op_free(&op);
    int ran = combined;
    MPI_Allreduce(MPI_IN_PLACE, &ran, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(ran > 0, "the operator did not run");
    check(combined_elsewhere == 0, "the operator ran in another thread");
}

static volatile int errors, errors_elsewhere;

static void on_error(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
    ++errors;
    errors_elsewhere += self() != main_thread;
}

static void errors_of_calls(void) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Request request;
    int code =
        MPI_Ibcast(received, rank == 0 ? block : block / 2, MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    compute(0.3);
    if (code == MPI_SUCCESS)
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    check((code != MPI_SUCCESS) == (rank > 0), "an error is missing, or there is one");
    check((errors > 0) == (rank > 0), "the handler is told something else");
    check(errors_elsewhere == 0, "the handler ran in another thread");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
}

static void level(int argc, char** argv) {
    int provided = -1, told = -1;
    const int wanted = argc > 2 ? atoi(argv[2]) : MPI_THREAD_SINGLE;
    if (argc > 2)
        MPI_Init_thread(&argc, &argv, wanted, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Query_thread(&told);
    check(argc <= 2 || provided == wanted, "MPI_Init_thread tells another level");
    check(told == wanted, "MPI_Query_thread tells another level");
}

int main(int argc, char** argv) {
    const char* const asked = argv[1];
    main_thread = self();
    if (strcmp(asked, "level") == 0)
        level(argc, argv);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    sent = malloc((size_t)ranks * block);
    received = malloc((size_t)ranks * block);
    if (strcmp(asked, "hidden") == 0)
        hidden(strcmp(argv[2], "yes") == 0);
    else if (strcmp(asked, "small") == 0)
        small();
    else if (strcmp(asked, "repeated") == 0)
        repeated();
    else if (strcmp(asked, "parked") == 0)
        parked();
    else if (strcmp(asked, "signals") == 0)
        signals();
    else if (strcmp(asked, "fork") == 0)
        fork_children();
    else if (strcmp(asked, "operator") == 0)
        operator_of_program(argc > 2);
    else if (strcmp(asked, "errors") == 0)
        errors_of_calls();
    else if (strcmp(asked, "finalize") == 0 || strcmp(asked, "abort") == 0)
        start_exchange(block);
    if (strcmp(asked, "abort") == 0) {
        compute(rank == 0 ? 0.1 : 20);
        MPI_Abort(MPI_COMM_WORLD, 7);
    }
    if (strcmp(asked, "finalize") != 0) {
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        free(sent);
        free(received);
    }
    if (rank == 0 && wrong == 0)
        printf("right\n");
    MPI_Finalize();
    return wrong != 0;
}

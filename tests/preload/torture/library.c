// SPDX-License-Identifier: BSD-3-Clause
// Finds the functions of the MPI library's file.
#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static Library found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void* function(void* file, const char* name) {
    void* const address = dlsym(file, name);
    if (!address) {
        fprintf(stderr, "torture: the MPI library has no %s\n", name);
        abort();
    }
    return address;
}

static void find(void) {
    Dl_info info;
    // A function that nobody takes.
    void* file = dladdr(dlsym(RTLD_DEFAULT, "PMPI_Get_library_version"), &info)
                     ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                     : NULL;
#define FIND(name, Name, ...) *(void**)&found.Name = function(file, "PMPI_" #Name);
    COLLECTIVES(FIND)
}

const Library* library(void) {
    pthread_once(&once, find);
    return &found;
}

static int keyval = MPI_KEYVAL_INVALID;

static int forget(MPI_Comm comm, int key, void* apart, void* extra) {
    (void)comm, (void)key, (void)extra;
    MPI_Comm_free(apart);
    free(apart);
    return MPI_SUCCESS;
}

MPI_Comm library_comm(MPI_Comm comm) {
    MPI_Comm* apart = NULL;
    int exists = 0;
    if (!getenv("LIBRARY_APART"))
        return comm;
    if (keyval == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
    MPI_Comm_get_attr(comm, keyval, &apart, &exists);
    if (!exists) {
        MPI_Info info;
        apart = malloc(sizeof *apart);
        MPI_Info_create(&info);
        MPI_Info_set(info, "ompi_comm_coll_preference", "^alltold");
        MPI_Comm_dup_with_info(comm, info, apart);
        MPI_Info_free(&info);
        MPI_Comm_set_attr(comm, keyval, apart);
    }
    return *apart;
}

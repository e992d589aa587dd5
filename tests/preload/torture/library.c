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

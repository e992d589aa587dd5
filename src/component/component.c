/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI's component interface: parameters, start and end, and whether all ranks have this component.
 * All that differs between releases of Open MPI is here and in release.h. */
#include "ompi_config.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "component/component.h"
#include "component/release.h"

/* Hcoll's 90 is the highest of other components, and what we compare with is what runs without us. */
static int priority = 95;

/* Parameters that stand for variables of the environment. */
static struct {
    const char *name, *variable, *about;
    char* value;
} texts[] = {
    {"profile", "ALLTOLD_PROFILE", "A profile with rules, made by 'alltold fit' (as ALLTOLD_PROFILE)", NULL},
    {"rules", "ALLTOLD_RULES",
     "Rules that come before the profile's: a file, or rules such as 'alltoall:64KiB- = alltoall.pairwise' "
     "(as ALLTOLD_RULES)",
     NULL},
    {"compare", "ALLTOLD_COMPARE",
     "Calls that are compared with the library's own while the program runs: 'exact' results alone, 'all', or "
     "'off' (as ALLTOLD_COMPARE; default: exact)",
     NULL},
    {"progress", "ALLTOLD_PROGRESS",
     "'on': a thread moves nonblocking calls on while a program that asked for MPI_THREAD_MULTIPLE computes (as "
     "ALLTOLD_PROGRESS; default: off)",
     NULL},
    {"log", "ALLTOLD_LOG",
     "What is told at the end: 'explain' or 'profile', and ':FILE' for a file (as ALLTOLD_LOG; default: nothing)",
     NULL},
};

static int register_parameters(void);
static int open_component(void);
static int close_component(void);
static int init_query(bool progress_threads, bool threads);
static mca_coll_base_module_t* comm_query(struct ompi_communicator_t* comm, int* its_priority);

mca_coll_base_component_t mca_coll_alltold_component = {
    .collm_version =
        {
            ALLTOLD_COLL_VERSION,
            .mca_component_name = "alltold",
            MCA_BASE_MAKE_VERSION(component, ALLTOLD_VERSION_MAJOR, ALLTOLD_VERSION_MINOR, ALLTOLD_VERSION_PATCH),
            .mca_open_component = open_component,
            .mca_close_component = close_component,
            .mca_register_component_params = register_parameters,
        },
    .collm_data = {MCA_BASE_METADATA_PARAM_NONE},
    .collm_init_query = init_query,
    .collm_comm_query = comm_query,
};

static int register_parameters(void) {
    const mca_base_component_t* const component = &mca_coll_alltold_component.collm_version;
    (void)mca_base_component_var_register(component, "priority",
                                          "Priority of the component; below 0 it is not used",
                                          MCA_BASE_VAR_TYPE_INT, NULL, 0, 0, OPAL_INFO_LVL_2,
                                          MCA_BASE_VAR_SCOPE_READONLY, &priority);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        (void)mca_base_component_var_register(component, texts[i].name, texts[i].about,
                                              MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0, OPAL_INFO_LVL_3,
                                              MCA_BASE_VAR_SCOPE_READONLY, &texts[i].value);
    return OMPI_SUCCESS;
}

/* The series in the first words of MPI_Get_library_version. */
static const char built_for[] = ALLTOLD_BUILT_FOR;

/* Why nothing of ours may touch this library's structures; null where all are as we were built for. */
static const char* difference(void) {
    static char text[256];
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    PMPI_Get_library_version(version, &length);
    if (strncmp(version, built_for, strlen(built_for)) != 0) {
        version[strcspn(version, ",\n")] = '\0';
        snprintf(text, sizeof text, "built for %sx, but this is %.80s", built_for, version);
        return text;
    }
    const struct {
        const opal_class_t* class;
        size_t size;
    } sizes[] = {
        {OBJ_CLASS(mca_coll_base_module_t), sizeof(mca_coll_base_module_t)},
        {OBJ_CLASS(ompi_communicator_t), sizeof(ompi_communicator_t)},
        {OBJ_CLASS(ompi_coll_base_nbc_request_t), sizeof(ompi_coll_base_nbc_request_t)},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        if (sizes[i].class->cls_sizeof != sizes[i].size) {
            snprintf(text, sizeof text, "built for a %s of %zu B, but here it has %zu B",
                     sizes[i].class->cls_name, sizes[i].size, sizes[i].class->cls_sizeof);
            return text;
        }
    return NULL;
}

static int is_preloaded(void) {
    Dl_info info;
    void* const function = dlsym(RTLD_DEFAULT, "PMPI_Bcast");
    return function && dladdr(function, &info) && strstr(info.dli_fname, "liballtold-preload");
}

/* Which ranks have this component, and of which version, they tell each other by PMIx. */
#define ALLTOLD_KEY "alltold.coll"

/* While Open MPI has not exchanged what ranks tell; returns whether it will. */
static bool tell_ranks(const char* text) {
    int code = OPAL_ERROR;
    if (ALLTOLD_CAN_TELL)
        OPAL_MODEX_SEND_VALUE(code, ALLTOLD_TO_ALL, ALLTOLD_KEY, (void*)text, ALLTOLD_STRING);
    return code == OPAL_SUCCESS;
}

/* Whether `rank` of MPI_COMM_WORLD has told this. */
static bool has_told(int rank, const char* text) {
    opal_process_name_t name = {OPAL_PROC_MY_NAME.jobid, (opal_vpid_t)rank};
    char* told = NULL;
    int code = OPAL_ERROR;
    OPAL_MODEX_RECV_VALUE_IMMEDIATE(code, ALLTOLD_KEY, &name, &told, ALLTOLD_STRING);
    const bool has = code == OPAL_SUCCESS && told && strcmp(told, text) == 0;
    free(told);
    return has;
}

static void begin(int argc, char** argv, int requested, int* provided) {
    (void)argc, (void)argv, (void)requested, (void)provided;
    const char* const version = alltold_component_version();
    const int ranks = ompi_comm_size(MPI_COMM_WORLD);
    int first_with = ranks, first_without = ranks;
    for (int rank = ranks - 1; rank >= 0; --rank)
        *(has_told(rank, version) ? &first_with : &first_without) = rank;
    if (first_without == ranks) {
        alltold_component_begin();
        return;
    }
    alltold_component_leave_world();
    if (first_with == ompi_comm_rank(MPI_COMM_WORLD))
        fprintf(stderr,
                "alltold: rank %d lacks the component coll/alltold that rank %d has, or has another version (%s "
                "here); the MPI library's own collectives run\n",
                first_without, first_with, version);
}

static ompi_hook_base_component_t hooks = {
    .hookm_mpi_init_bottom = begin,
    .hookm_mpi_finalize_top = alltold_component_end,
};
static bool takes_part = false;

static int open_component(void) {
    if (priority < 0 || is_preloaded())
        return OMPI_SUCCESS;
    const char* const why_not = difference();
    if (why_not) {
        char line[400];
        snprintf(line, sizeof line,
                 "alltold: the component coll/alltold was %s; the MPI library's own collectives run\n", why_not);
        alltold_component_say(line);
        return OMPI_SUCCESS;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        if (texts[i].value && *texts[i].value)
            setenv(texts[i].variable, texts[i].value, 1);
    takes_part = tell_ranks(alltold_component_version());
    if (takes_part)
        ompi_hook_base_register_callbacks(&hooks);
    return OMPI_SUCCESS;
}

static int close_component(void) {
    if (takes_part)
        ompi_hook_base_deregister_callbacks(&hooks);
    takes_part = false;
    return OMPI_SUCCESS;
}

static int init_query(bool progress_threads, bool threads) {
    (void)progress_threads, (void)threads;
    return takes_part ? OMPI_SUCCESS : OMPI_ERR_NOT_AVAILABLE;
}

/* HAN's communicators of the ranks of a host, and of one rank of each host: their calls are parts of one. */
static int is_part_of_han(struct ompi_communicator_t* comm) {
    char preference[256] = "";
    int found = 0;
    if (comm->super.s_info)
        opal_info_get(comm->super.s_info, "ompi_comm_coll_preference", sizeof preference - 1, preference, &found);
    return found && strstr(preference, "^han");
}

static mca_coll_base_module_t* comm_query(struct ompi_communicator_t* comm, int* its_priority) {
    *its_priority = priority;
    if (OMPI_COMM_IS_INTER(comm) || ompi_comm_size(comm) < 2 || !alltold_component_runs(ompi_comm_size(comm)) ||
        is_part_of_han(comm))
        return NULL;
    return alltold_component_module();
}

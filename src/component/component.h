/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the part that knows Open MPI's component interface (component.c) and the rest of alltold. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

/* This component's version and commit. */
const char* alltold_component_version(void);
/* Says a line, from rank 0 or a process without a launcher. */
void alltold_component_say(const char* line);
/* At the end of the program's MPI_Init, where all ranks have this component. Collective. */
void alltold_component_begin(void);
/* At the start of its MPI_Finalize. Collective. */
void alltold_component_end(void);
/* Whether calls on a communicator of so many ranks that is made now may run ours. */
int alltold_component_runs(int ranks);
/* A module for a communicator of several ranks; a mca_coll_base_module_t. */
void* alltold_component_module(void);
/* Gives the functions of MPI_COMM_WORLD back to the modules below: nothing of ours runs. */
void alltold_component_leave_world(void);

#ifdef __cplusplus
}
#endif

// SPDX-License-Identifier: BSD-3-Clause
// One random call of a collective and its reference, the same call through PMPI.
#pragma once

#include "collectives.h"
#include "operators.h"
#include "side.h"
#include "tested.h"

enum { blocking, nonblocking, persistent, form_count };
extern const char* const collective_names[];
extern const char* const form_names[];

typedef struct {
    uint64_t seed; ///< of the program
    int number;    ///< of the call, the same on every rank
    int cycle;     ///< how often a persistent request was started
    int collective;
    int form;
    int root;
    int in_place;
    const Operator* operation; ///< of a reduction; else NULL
    MPI_Comm comm;
    int rank;
    int size;
    Side send;    ///< memory NULL where nothing is sent, and for a broadcast
    Side receive; ///< memory NULL where nothing is received
    Request request;
} Call;

/// Whether the library has persistent collectives.
int has_persistent(void);

/// Elements of a block: often few or none, now and then more than an eager message holds.
int random_elements(Random* random);
/// Call `number` of `seed` on `comm`: `shared` draws what all its ranks agree on.
Call* new_call(Random* shared, uint64_t seed, int number, MPI_Comm comm, int form);
/// The call of `collective` without a buffer, rooted at `root` or, where it has none, not.
Call* bare_call(int collective, int form, int in_place, int root, MPI_Comm comm);
/// Gives a reduction its operator and both its sides.
void make_operands(Call* call, const Operator* operation, int count);
int reduces(int collective);
/// Fills the buffers, runs the reference, and runs or starts the tested call (of a persistent one
/// the request, made if there is none).
void run_call(Call* call);
/// Compares a finished call with its reference; ends the program where they differ.
void verify_call(const Call* call);
/// Frees a finished call and its persistent request.
void free_call(Call* call);

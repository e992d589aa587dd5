// SPDX-License-Identifier: BSD-3-Clause
// MPI's own operators, and some of the program's: one that commutes, others that do not.
#include "operators.h"

#include <pthread.h>

static Operator all[operator_count];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// Adds unsigned ints.
static void add(void* left, void* right, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i)
        ((unsigned*)right)[i] += ((const unsigned*)left)[i];
}

/// Pairs (a, b) are the functions x -> a x + b modulo 2^32; one after the other is again one.
/// They lie at the start and at the end of an item.
static void compose(void* left, void* right, int* count, MPI_Datatype* type) {
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(*type, &lower, &extent);
    const int step = (int)(extent / (MPI_Aint)sizeof(unsigned));
    const unsigned* outer = left;
    unsigned* inner = right;
    for (int i = 0; i < *count; ++i, outer += step, inner += step) {
        inner[step - 1] = outer[0] * inner[step - 1] + outer[step - 1];
        inner[0] *= outer[0];
    }
}

static MPI_Datatype make_pair_type(int step) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, step, MPI_UNSIGNED, &type);
    MPI_Type_commit(&type);
    return type;
}

static void make(void) {
    MPI_Op adds = MPI_OP_NULL, composes = MPI_OP_NULL;
    MPI_Op_create(add, 1, &adds);
    MPI_Op_create(compose, 0, &composes);
    const Operator made[operator_count] = {
        {MPI_SUM, MPI_UNSIGNED, 0, "sum"},
        {MPI_MAX, MPI_INT, 0, "max"},
        {MPI_BXOR, MPI_BYTE, 0, "bxor"},
        {MPI_MINLOC, MPI_2INT, 0, "minloc"},
        {MPI_SUM, MPI_DOUBLE, 1, "sum of doubles"},
        {adds, MPI_UNSIGNED, 0, "own sum"},
        {composes, make_pair_type(1), 0, "composition"},
        {composes, make_pair_type(2), 0, "composition with gaps"},
    };
    for (int i = 0; i < operator_count; ++i)
        all[i] = made[i];
}

const Operator* operator_number(int number) {
    pthread_once(&once, make);
    return &all[number];
}

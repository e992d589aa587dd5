// SPDX-License-Identifier: BSD-3-Clause
// Sides of calls with a count for every rank.
#pragma once

#include "call.h"

int is_vector(int collective);
/// Gives `call`, of such a collective, its sides: blocks of other sizes for each pair of ranks, or
/// for each rank, some of them empty. Of an allgatherv they are all alike where `equal`.
void make_vector_sides(Call* call, Random* own, MPI_Datatype element, int equal);

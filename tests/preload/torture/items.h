// SPDX-License-Identifier: BSD-3-Clause
// Datatypes to send and receive: with gaps, negative bounds, columns of a matrix.
#pragma once

#include <mpi.h>

#include "random.h"

enum { plain, contiguous, spaced, backward, resized, column, layout_count };

/// How an item, of which a buffer has several, is made of elements.
typedef struct {
    int layout;
    int elements; ///< of one item: 1, 2 or 3
} Item;

/// Every block has a multiple of this many elements, so that items of all lengths fit.
enum { elements_per_block_unit = 6 };

Item random_item(Random* random);

/// The datatype of items in a buffer that holds `range` of them; free_type() frees it.
MPI_Datatype make_type(Item item, MPI_Datatype element, int range);
/// The datatype of `count` items at an address, for MPI_BOTTOM.
MPI_Datatype make_absolute(MPI_Datatype item, int count, const void* address);
void free_type(MPI_Datatype* type);

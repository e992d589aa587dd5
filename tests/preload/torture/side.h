// SPDX-License-Identifier: BSD-3-Clause
// One side of a call: what it sends or receives, in memory for the tested call and for the
// reference.
#pragma once

#include <stddef.h>

#include "items.h"

enum { tested, reference };

typedef struct {
    Item item;
    MPI_Datatype item_type;
    MPI_Datatype types[2];   ///< item_type, or with absolute addresses in each memory
    int count;               ///< of items in a block; 1 with absolute addresses
    int ranks;               ///< that have counts of their own; else 0
    int* counts;             ///< of items to or from each of them
    int* places;             ///< displacements
    MPI_Datatype* each_type; ///< all-to-all-w: of items to or from each of them
    unsigned char* memory[2];
    size_t size;      ///< of each memory
    void* buffers[2]; ///< what MPI gets; NULL for nothing, MPI_BOTTOM with absolute addresses
} Side;

/// A side of `blocks` blocks of `elements` elements each. With `absolute`, which needs one block,
/// its datatype tells the addresses and the buffer is MPI_BOTTOM.
void make_side(Side* side, Item item, MPI_Datatype element, int elements, int blocks, int absolute);
/// A side with elements[i] elements for rank i, the blocks in random order with gaps between them.
void make_vector_side(Side* side, Random* random, Item item, MPI_Datatype element,
                      const int* elements, int ranks);
/// The same with another datatype for each rank, and places in bytes.
void make_typed_side(Side* side, Random* random, MPI_Datatype element, const int* elements,
                     int ranks);
/// A side of a reduction, of `blocks` blocks of `count` items each.
void make_operand_side(Side* side, MPI_Datatype type, int count, int blocks);
/// Fills both memories with the same random bytes, or with random numbers of size 1 to 2.
void fill_side(Side* side, Random random, int doubles);
/// Gives what follows the first block of the tested memory, up to the margin, the reference's
/// bytes.
void take_other_blocks(const Side* side);
/// The first byte that differs between the memories, or -1. With `allowed` the items are doubles,
/// and those that differ by so much are the same.
ptrdiff_t difference(const Side* side, double allowed);
/// A hash of the items in a block of the tested memory, which has no gaps.
uint64_t hash_of(const Side* side);
void free_side(Side* side);

// SPDX-License-Identifier: BSD-3-Clause
// Memory of a side of a call, with a margin that nobody may write to.
#include "side.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { margin = 64, alignment = 8 };

/// Allocates both memories for items `first` to `first + range - 1` of the buffer.
static void allocate(Side* side, int first, int range) {
    MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    MPI_Type_get_extent(side->item_type, &lower, &extent);
    MPI_Type_get_true_extent(side->item_type, &true_lower, &true_extent);
    const MPI_Aint low = range > 0 ? true_lower + first * extent : 0;
    const MPI_Aint high = range > 0 ? true_lower + true_extent + (first + range - 1) * extent : 0;
    side->size = (size_t)(high - low) + 2 * margin;
    for (int which = tested; which <= reference; ++which) {
        side->memory[which] = malloc(side->size);
        side->buffers[which] = range > 0 ? side->memory[which] + margin - low : NULL;
        side->types[which] = side->item_type;
    }
}

void make_side(Side* side, Item item, MPI_Datatype element, int elements, int blocks,
               int absolute) {
    memset(side, 0, sizeof *side);
    side->item = item;
    side->count = elements / item.elements;
    side->item_type = make_type(item, element, side->count * blocks);
    allocate(side, 0, side->count * blocks);
    if (!absolute || side->count == 0)
        return;
    for (int which = tested; which <= reference; ++which) {
        side->types[which] = make_absolute(side->item_type, side->count, side->buffers[which]);
        side->buffers[which] = MPI_BOTTOM;
    }
    side->count = 1;
}

/// Room for counts and places of `ranks` ranks.
static void make_counts(Side* side, int ranks) {
    memset(side, 0, sizeof *side);
    side->ranks = ranks;
    side->counts = malloc(sizeof(int) * (size_t)ranks);
    side->places = malloc(sizeof(int) * (size_t)ranks);
}

/// The ranks in random order.
static int* random_order(Random* random, int ranks) {
    int* order = malloc(sizeof(int) * (size_t)ranks);
    for (int i = 0; i < ranks; ++i) {
        const int j = below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

/// On a single rank the place is 0: Open MPI 4.1's own all-to-all-w takes it for one of items, and
/// MPICH 4.0's own allgatherv ignores it.
static void without_place(Side* side, MPI_Aint unit) {
    if (side->ranks > 1)
        return;
    for (int which = tested; which <= reference; ++which)
        if (side->buffers[which])
            side->buffers[which] = (char*)side->buffers[which] + side->places[0] * unit;
    side->places[0] = 0;
}

void make_vector_side(Side* side, Random* random, Item item, MPI_Datatype element,
                      const int* elements, int ranks) {
    make_counts(side, ranks);
    side->item = item;
    int* order = random_order(random, ranks);
    const int first = one_in(random, 2) ? 0 : -below(random, 20);
    int next = first;
    for (int i = 0; i < ranks; ++i) {
        const int rank = order[i];
        side->counts[rank] = elements[rank] / item.elements;
        next += one_in(random, 3) ? below(random, 4) : 0;
        side->places[rank] = next;
        next += side->counts[rank];
    }
    free(order);
    side->item_type = make_type(item, element, next - first);
    allocate(side, first, next - first);
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(side->item_type, &lower, &extent);
    without_place(side, extent);
}

void make_typed_side(Side* side, Random* random, MPI_Datatype element, const int* elements,
                     int ranks) {
    make_counts(side, ranks);
    side->each_type = malloc(sizeof(MPI_Datatype) * (size_t)ranks);
    side->item_type = MPI_BYTE;
    int* order = random_order(random, ranks);
    MPI_Aint next = 0;
    for (int i = 0; i < ranks; ++i) {
        const int rank = order[i];
        const Item item = random_item(random);
        const int count = side->counts[rank] = elements[rank] / item.elements;
        const MPI_Datatype type = side->each_type[rank] = make_type(item, element, count);
        MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
        MPI_Type_get_extent(type, &lower, &extent);
        MPI_Type_get_true_extent(type, &true_lower, &true_extent);
        next += one_in(random, 3) ? alignment * below(random, 4) : 0;
        side->places[rank] = (int)(next - true_lower);
        if (count > 0)
            next += (true_extent + (count - 1) * extent + alignment - 1) / alignment * alignment;
    }
    free(order);
    allocate(side, 0, (int)next);
    for (int which = tested; which <= reference; ++which) // an address, of no bytes as well
        side->buffers[which] = side->memory[which] + margin;
    without_place(side, 1);
}

void make_operand_side(Side* side, MPI_Datatype type, int count, int blocks) {
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    memset(side, 0, sizeof *side);
    side->count = count;
    side->item_type = type;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED) // free_side() frees it
        MPI_Type_dup(type, &side->item_type);
    allocate(side, 0, count * blocks);
    // Open MPI 4.1's own MPIX_Reduce_init refuses buffers that are the same, of no items as well.
    for (int which = tested; which <= reference; ++which)
        side->buffers[which] = side->memory[which] + margin;
}

static void fill_doubles(Side* side, Random* random) {
    for (size_t i = 0; i + sizeof(double) <= side->size; i += sizeof(double)) {
        const double size = 1 + (double)(draw(random) >> 12) / (double)(UINT64_C(1) << 52);
        const double number = one_in(random, 2) ? size : -size;
        memcpy(side->memory[tested] + i, &number, sizeof number);
    }
}

static void fill_bytes(Side* side, Random* random) {
    for (size_t i = 0; i < side->size; i += sizeof(uint64_t)) {
        const uint64_t bytes = draw(random);
        const size_t left = side->size - i;
        memcpy(side->memory[tested] + i, &bytes, left < sizeof bytes ? left : sizeof bytes);
    }
}

void fill_side(Side* side, Random random, int doubles) {
    if (!side->memory[tested])
        return;
    if (doubles)
        fill_doubles(side, &random);
    else
        fill_bytes(side, &random);
    memcpy(side->memory[reference], side->memory[tested], side->size);
}

static int near(const Side* side, double allowed) {
    for (size_t i = 0; i + sizeof(double) <= side->size; i += sizeof(double)) {
        double a = 0, b = 0;
        memcpy(&a, side->memory[tested] + i, sizeof a);
        memcpy(&b, side->memory[reference] + i, sizeof b);
        if (!(fabs(a - b) <= allowed))
            return 0;
    }
    return 1;
}

uint64_t hash_of(const Side* side) {
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(side->item_type, &lower, &extent);
    uint64_t hash = 0;
    for (MPI_Aint i = 0; i < side->count * extent; ++i)
        hash = (hash ^ side->memory[tested][margin + i]) * UINT64_C(1099511628211);
    return hash;
}

void take_other_blocks(const Side* side) {
    if (!side->memory[tested])
        return;
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(side->item_type, &lower, &extent);
    const size_t from = margin + (size_t)(side->count * extent);
    memcpy(side->memory[tested] + from, side->memory[reference] + from, side->size - margin - from);
}

ptrdiff_t difference(const Side* side, double allowed) {
    if (!side->memory[tested] || !memcmp(side->memory[tested], side->memory[reference], side->size))
        return -1;
    if (allowed > 0 && near(side, allowed))
        return -1;
    ptrdiff_t at = 0;
    while (side->memory[tested][at] == side->memory[reference][at])
        ++at;
    return at;
}

void free_side(Side* side) {
    if (!side->memory[tested])
        return;
    for (int which = tested; which <= reference; ++which) {
        free(side->memory[which]);
        if (side->types[which] != side->item_type)
            MPI_Type_free(&side->types[which]);
    }
    free_type(&side->item_type);
    for (int i = 0; side->each_type && i < side->ranks; ++i)
        free_type(&side->each_type[i]);
    free(side->each_type);
    free(side->counts);
    free(side->places);
}

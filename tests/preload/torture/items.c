// SPDX-License-Identifier: BSD-3-Clause
// Making the datatypes of items.
#include "items.h"

Item random_item(Random* random) {
    Item item = {below(random, layout_count), 1 + below(random, 3)};
    if (item.layout == plain)
        item.elements = 1;
    return item;
}

MPI_Datatype make_type(Item item, MPI_Datatype element, int range) {
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(element, &lower, &extent);
    MPI_Datatype inner = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
    switch (item.layout) {
    case plain:
        return element;
    case spaced:
        MPI_Type_vector(item.elements, 1, 2, element, &type);
        break;
    case backward:
        MPI_Type_create_hvector(item.elements, 1, -2 * extent, element, &type);
        break;
    case resized:
        MPI_Type_contiguous(item.elements, element, &inner);
        MPI_Type_create_resized(inner, -2 * extent, (item.elements + 3) * extent, &type);
        break;
    case column:
        MPI_Type_vector(item.elements, 1, range > 0 ? range : 1, element, &inner);
        MPI_Type_create_resized(inner, 0, extent, &type);
        break;
    default: // contiguous
        MPI_Type_contiguous(item.elements, element, &type);
    }
    if (inner != MPI_DATATYPE_NULL)
        MPI_Type_free(&inner);
    MPI_Type_commit(&type);
    return type;
}

MPI_Datatype make_absolute(MPI_Datatype item, int count, const void* address) {
    MPI_Aint place = 0;
    MPI_Get_address(address, &place);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &count, &place, item, &type);
    MPI_Type_commit(&type);
    return type;
}

void free_type(MPI_Datatype* type) {
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    MPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(type);
}

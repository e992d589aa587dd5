// SPDX-License-Identifier: BSD-3-Clause
// Datatypes that catch an executor which takes memory for granted.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

namespace oracle {

struct Datatype {
    std::string name;
    MPI_Datatype type;
    int signature; ///< ints in one item: types of equal signature can be sent as one another
};

/// Ints plain, in runs, with gaps, before the buffer's address, in swapped order, and none at all.
inline std::vector<Datatype> datatypes() {
    std::vector<Datatype> types{{"int", MPI_INT, 1}};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &type);
    types.push_back({"contiguous", type, 2});
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
    types.push_back({"gaps", type, 2});
    const int backwards[] = {-2, 1}, swapped[] = {1, 0}, ones[] = {1, 1};
    MPI_Type_indexed(2, ones, backwards, MPI_INT, &type);
    types.push_back({"negative lower bound", type, 2});
    MPI_Type_indexed(2, ones, swapped, MPI_INT, &type);
    types.push_back({"swapped", type, 2});
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &inner);
    MPI_Type_create_resized(inner, -static_cast<MPI_Aint>(sizeof(int)), 4 * sizeof(int), &type);
    MPI_Type_free(&inner);
    types.push_back({"resized", type, 2});
    MPI_Type_contiguous(0, MPI_INT, &type);
    types.push_back({"empty", type, 0});
    for (auto& one : types)
        if (one.type != MPI_INT)
            MPI_Type_commit(&one.type);
    return types;
}

/// Whether there are cases that send `from` as `to`, both of one list: all pairs of one signature,
/// or each type as itself and as the next where more than five processes share the cores: how ranks
/// pack and unpack does not depend on their number.
inline bool sent_as(const Datatype& from, const Datatype& to) {
    if (from.signature != to.signature)
        return false;
    int processes = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    return processes <= 5 || &from == &to || &from + 1 == &to;
}

inline void free_datatypes(std::vector<Datatype>& types) {
    for (auto& one : types)
        if (one.type != MPI_INT)
            MPI_Type_free(&one.type);
}

} // namespace oracle

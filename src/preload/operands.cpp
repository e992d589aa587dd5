// SPDX-License-Identifier: BSD-3-Clause
// MPI's tables of types by class and of operators by class (MPI 4.0, 6.9.2 and 6.9.4).
#include "preload/operands.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/execute/reducer.hpp"

namespace alltold::preload {
namespace {

enum Class : unsigned {
    none = 0,
    c_integer = 1,
    fortran_integer = 2,
    floating = 4,
    logical = 8,
    complex = 16,
    byte = 32,
    multi_language = 64,
    pair = 128,
};
constexpr unsigned integer = c_integer | fortran_integer | multi_language;

// Handles are no constants in Open MPI.
using TypesOfClass = std::vector<std::pair<Class, std::vector<MPI_Datatype>>>;

const TypesOfClass& types() {
    static const TypesOfClass all{
        {c_integer,
         {MPI_INT, MPI_LONG, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
          MPI_LONG_LONG_INT, MPI_UNSIGNED_LONG_LONG, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T,
          MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T,
          MPI_UINT64_T}},
        {fortran_integer, {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8}},
        {floating,
         {MPI_DOUBLE, MPI_FLOAT, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4,
          MPI_REAL8}},
        {logical, {MPI_LOGICAL, MPI_C_BOOL}},
        {complex,
         {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_COMPLEX,
          MPI_DOUBLE_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16}},
        {byte, {MPI_BYTE}},
        {multi_language, {MPI_AINT, MPI_OFFSET, MPI_COUNT}},
        {pair,
         {MPI_2INT, MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT,
          MPI_2REAL, MPI_2DOUBLE_PRECISION, MPI_2INTEGER}},
    };
    return all;
}

unsigned class_of(MPI_Datatype type) {
    for (const auto& [which, members] : types())
        if (std::ranges::find(members, type) != members.end())
            return which;
    return none;
}

/// The classes that an operator takes; none for one that is not MPI's own.
unsigned classes_of(MPI_Op op) {
    static const std::vector<std::pair<unsigned, std::vector<MPI_Op>>> all{
        {integer | floating | complex, {MPI_SUM, MPI_PROD}},
        {integer | floating, {MPI_MAX, MPI_MIN}},
        {integer | byte, {MPI_BAND, MPI_BOR, MPI_BXOR}},
        {c_integer | logical, {MPI_LAND, MPI_LOR, MPI_LXOR}},
        {pair, {MPI_MAXLOC, MPI_MINLOC}},
    };
    for (const auto& [classes, members] : all)
        if (std::ranges::find(members, op) != members.end())
            return classes;
    return none;
}

Operands find(MPI_Op op, MPI_Datatype type) {
    const auto which = class_of(type);
    const bool rounds = (op == MPI_SUM || op == MPI_PROD) && (which & (floating | complex)) != 0;
    return {(which & classes_of(op)) != 0, !rounds};
}

} // namespace

Operands operands_of(MPI_Op op, MPI_Datatype type) {
    if (op == MPI_OP_NULL || op == MPI_Op{})
        return {};
    // Programs call again and again with the same; those in the tables are never freed.
    struct Last {
        MPI_Op op{};
        MPI_Datatype type{};
        Operands found{};
    };
    [[gnu::tls_model("initial-exec")]] static thread_local Last last;
    if (last.op == op && last.type == type)
        return last.found;
    if (!is_predefined(op))
        return {true, false};
    const auto found = find(op, type);
    if (found.known)
        last = {op, type, found};
    return found;
}

} // namespace alltold::preload

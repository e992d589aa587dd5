// SPDX-License-Identifier: BSD-3-Clause
// Reductions: exact ones beside the MPI library's own, byte for byte; sums of doubles within the
// error of any order of summation, equal on all ranks and again.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "buffer.hpp"
#include "cases.hpp"
#include "datatypes.hpp"
#include "reduction_calls.hpp"

namespace oracle {
namespace {

/// An operator and the items that it combines.
struct Operator {
    std::string name;
    MPI_Op op;
    const Datatype* items;
    bool own = false; ///< the program's: alltold does not take it nonblocking
};

/// Adds all ints of the items, whatever the layout of their type.
void add_ints(void* in, void* inout, int* count, MPI_Datatype* type) {
    int size_bytes = 0;
    MPI_Type_size(*type, &size_bytes);
    const int bytes = size_bytes * *count;
    if (bytes == 0)
        return; // MPI_Pack wants a buffer even for nothing
    std::vector<std::uint32_t> a(static_cast<std::size_t>(bytes) / sizeof(int)), b(a.size());
    int at = 0;
    MPI_Pack(in, *count, *type, a.data(), bytes, &at, MPI_COMM_SELF);
    at = 0;
    MPI_Pack(inout, *count, *type, b.data(), bytes, &at, MPI_COMM_SELF);
    for (std::size_t i = 0; i < a.size(); ++i)
        b[i] += a[i];
    at = 0;
    MPI_Unpack(b.data(), bytes, &at, inout, *count, *type, MPI_COMM_SELF);
}

/// Multiplies 2x2 matrices of integers modulo 2^32; their order matters.
void multiply(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* a = static_cast<const std::uint32_t*>(in);
    auto* b = static_cast<std::uint32_t*>(inout);
    for (int i = 0; i < *count; ++i, a += 4, b += 4) {
        const std::uint32_t product[] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                                         a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        std::copy_n(product, 4, b);
    }
}

/// Both libraries on the same ints. `whole`: the items of one rank's contribution.
void exact(const World& world, const std::string& collective, const Operator& with, int count,
           bool in_place, int seed) {
    const auto type = with.items->type;
    const int root = seed % world.size;
    const std::int64_t whole =
        std::int64_t{count} * (collective == "reduce_scatter_block" ? world.size : 1);
    Buffer send(type, whole), ours(type, whole);
    send.fill(world.rank, seed);
    ours.fill(world.rank, seed + 1);
    Buffer theirs = ours, input = ours;
    const bool placed = in_place && (collective != "reduce" || world.rank == root);
    const void* source = placed ? MPI_IN_PLACE : send.address();
    // Not in place, where MPICH 4.0 reads MPI_IN_PLACE for some operators.
    by_library(world, theirs, [&] {
        run_theirs(world, collective,
                   {placed ? input.address() : send.address(), theirs.address(), count, type,
                    with.op, root});
    });
    const ReductionCall call{source, ours.address(), count, type, with.op, root};
    const int code = seed % 3 || with.own ? run_ours(world, collective, call)
                                          : start_ours(world, collective, call, seed);
    int commutes = 0;
    MPI_Op_commutative(with.op, &commutes);
    if (placed && collective == "reduce_scatter_block" && !commutes) {
        // Where the library's own runs, it may use the memory behind its block.
        MPI_Aint lower = 0, extent = 0;
        MPI_Type_get_extent(type, &lower, &extent);
        const auto behind = [&](Buffer& buffer) {
            return static_cast<char*>(buffer.address()) + count * extent;
        };
        const int others = static_cast<int>(whole) - count;
        MPI_Sendrecv(behind(theirs), others, type, 0, 0, behind(ours), others, type, 0, 0,
                     MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    expect(code == MPI_SUCCESS && ours == theirs, world,
           collective + " of " + std::to_string(count) + " " + with.items->name + " by " +
               with.name + (in_place ? " in place" : ""));
}

void exact_cases(const World& world, const std::string& collective) {
    auto types = datatypes();
    MPI_Datatype matrix = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix);
    MPI_Type_commit(&matrix);
    const Datatype matrices{"matrices", matrix, 4};
    MPI_Op add = MPI_OP_NULL, product = MPI_OP_NULL;
    MPI_Op_create(add_ints, 1, &add);
    MPI_Op_create(multiply, 0, &product);
    std::vector<Operator> operators{{"MPI_SUM", MPI_SUM, &types[0]},
                                    {"MPI_MAX", MPI_MAX, &types[0]},
                                    {"MPI_BXOR", MPI_BXOR, &types[0]},
                                    {"product", product, &matrices, true}};
    for (const auto& type : types)
        if (type.type != MPI_INT)
            operators.push_back({"sum", add, &type, true});
    int seed = 0;
    for (const auto& with : operators)
        for (const int count : {0, 1, 7, 3000}) {
            if (count == 3000 && with.op == add)
                continue;
            exact(world, collective, with, count, false, ++seed);
            exact(world, collective, with, count, true, ++seed);
        }
    MPI_Op_free(&add);
    MPI_Op_free(&product);
    MPI_Type_free(&matrix);
    free_datatypes(types);
}

/// MPI_DOUBLE_INT: the smallest value and, of equal ones, the lowest rank.
void smallest(const World& world, const std::string& collective, int count, int seed) {
    struct At {
        double value;
        int rank;
        bool operator==(const At&) const = default;
    };
    const int whole = count * (collective == "reduce_scatter_block" ? world.size : 1);
    std::vector<At> send, ours(static_cast<std::size_t>(count), {-1, -1});
    for (int i = 0; i < whole; ++i)
        send.push_back({static_cast<double>((world.rank * 5 + i * 3 + seed) % 7), world.rank});
    auto theirs = ours;
    const int root = seed % world.size;
    run_theirs(world, collective,
               {send.data(), theirs.data(), count, MPI_DOUBLE_INT, MPI_MINLOC, root});
    const ReductionCall call{send.data(), ours.data(), count, MPI_DOUBLE_INT, MPI_MINLOC, root};
    const int code =
        seed % 3 ? run_ours(world, collective, call) : start_ours(world, collective, call, seed);
    expect(code == MPI_SUCCESS && ours == theirs, world, collective + " by MPI_MINLOC");
}

/// Of magnitudes from 2^-20 to 2^20 and both signs, so that every order of summation rounds
/// otherwise.
double number(int rank, int i, int seed) {
    auto state = static_cast<std::uint64_t>(rank + 1) * 0x9e3779b97f4a7c15u +
                 static_cast<std::uint64_t>(i) * 0xbf58476d1ce4e5b9u +
                 static_cast<std::uint64_t>(seed);
    for (int turn = 0; turn < 3; ++turn)
        state = (state ^ (state >> 29)) * 0x94d049bb133111ebu;
    const auto mantissa = static_cast<double>(state >> 12) * 0x1p-52 + 1;
    const int power = static_cast<int>(state & 31) - 16;
    return std::ldexp(state & 64 ? mantissa : -mantissa, power);
}

/// Whether `sum` may be the sum of item `i` of ranks `first` to `last`, added in any order.
bool may_be_sum(double sum, int first, int last, int i, int seed) {
    long double exact = 0, magnitude = 0;
    for (int rank = first; rank <= last; ++rank) {
        exact += number(rank, i, seed);
        magnitude += std::fabs(static_cast<long double>(number(rank, i, seed)));
    }
    const auto additions = static_cast<long double>(last - first);
    const long double bound =
        additions * magnitude * std::numeric_limits<double>::epsilon() * 0.5L * 1.01L;
    return std::fabs(static_cast<long double>(sum) - exact) <= bound;
}

void doubles(const World& world, const std::string& collective, int count, int seed) {
    const bool scatters = collective == "reduce_scatter_block";
    const int root = seed % world.size;
    std::vector<double> send, got(static_cast<std::size_t>(count), 0.5);
    for (int i = 0; i < count * (scatters ? world.size : 1); ++i)
        send.push_back(number(world.rank, i, seed));
    const auto untouched = got;
    const auto run = [&](std::vector<double>& into) {
        const ReductionCall call{send.data(), into.data(), count, MPI_DOUBLE, MPI_SUM, root};
        return seed % 3 ? run_ours(world, collective, call)
                        : start_ours(world, collective, call, seed);
    };
    const auto equal = [&](const std::vector<double>& a, const std::vector<double>& b) {
        return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
    };
    auto again = got;
    const bool ran = run(got) == MPI_SUCCESS && run(again) == MPI_SUCCESS;
    expect(ran && equal(got, again), world, collective + " of doubles, and again");
    const bool none = (collective == "reduce" && world.rank != root) ||
                      (collective == "exscan" && world.rank == 0);
    const int last = collective == "scan"     ? world.rank
                     : collective == "exscan" ? world.rank - 1
                                              : world.size - 1;
    bool right = !none || equal(got, untouched);
    for (int i = 0; i < count && !none; ++i)
        right = right && may_be_sum(got[static_cast<std::size_t>(i)], 0, last,
                                    i + (scatters ? count * world.rank : 0), seed);
    expect(right, world, collective + " of doubles");
    if (collective != "allreduce")
        return;
    auto first = got;
    MPI_Bcast(first.data(), count, MPI_DOUBLE, 0, world.comm);
    expect(equal(first, got), world, "allreduce of doubles on different ranks");
}

} // namespace

void reduction_cases(const World& world, const std::string& collective) {
    exact_cases(world, collective);
    int seed = 0;
    for (const int count : {1, 2, 5, 700}) {
        smallest(world, collective, count, ++seed);
        doubles(world, collective, count, ++seed);
    }
    doubles(world, collective, 40, ++seed);
}

} // namespace oracle

// SPDX-License-Identifier: BSD-3-Clause
// The arguments of alltold's C functions, made of spans: datatypes, counts and checked sizes.
#ifndef ALLTOLD_ARGUMENTS_HPP
#define ALLTOLD_ARGUMENTS_HPP

#include <cstddef>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include <mpi.h>

namespace alltold::detail {

/// The MPI datatype of a C++ type; MPI_BYTE where MPI has none.
template <typename T>
MPI_Datatype datatype() {
    if constexpr (std::is_same_v<T, float>)
        return MPI_FLOAT;
    else if constexpr (std::is_same_v<T, double>)
        return MPI_DOUBLE;
    else if constexpr (std::is_same_v<T, long double>)
        return MPI_LONG_DOUBLE;
    else if constexpr (std::is_same_v<T, short>)
        return MPI_SHORT;
    else if constexpr (std::is_same_v<T, int>)
        return MPI_INT;
    else if constexpr (std::is_same_v<T, long>)
        return MPI_LONG;
    else if constexpr (std::is_same_v<T, long long>)
        return MPI_LONG_LONG;
    else if constexpr (std::is_same_v<T, unsigned short>)
        return MPI_UNSIGNED_SHORT;
    else if constexpr (std::is_same_v<T, unsigned>)
        return MPI_UNSIGNED;
    else if constexpr (std::is_same_v<T, unsigned long>)
        return MPI_UNSIGNED_LONG;
    else if constexpr (std::is_same_v<T, unsigned long long>)
        return MPI_UNSIGNED_LONG_LONG;
    else if constexpr (std::is_same_v<T, char>)
        return MPI_CHAR;
    else if constexpr (std::is_same_v<T, signed char>)
        return MPI_SIGNED_CHAR;
    else if constexpr (std::is_same_v<T, unsigned char>)
        return MPI_UNSIGNED_CHAR;
    else
        return MPI_BYTE;
}

/// Whether one element is one item of its MPI datatype.
template <typename T>
inline constexpr bool is_item = sizeof(T) == 1 ||
                                (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);

/// The MPI count of a span: elements of an MPI datatype, or bytes for other trivially copyable
/// types.
template <typename T>
int count(std::size_t elements) {
    static_assert(std::is_trivially_copyable_v<T>, "only trivially copyable types can be sent");
    const auto scale = datatype<std::remove_cv_t<T>>() == MPI_BYTE ? sizeof(T) : std::size_t{1};
    if (elements * scale > 0x7fffffff)
        throw std::length_error("the count does not fit in MPI's int");
    return static_cast<int>(elements * scale);
}

/// The MPI datatype of what an operator combines or a caller counts.
template <typename T>
MPI_Datatype item() {
    static_assert(is_item<T>, "MPI has no datatype for these elements: use the C interface");
    return datatype<T>();
}

/// Fails unless a span has as many elements as the collective needs.
inline void check_size(std::size_t elements, std::size_t wanted) {
    if (elements != wanted)
        throw std::invalid_argument("a span has " + std::to_string(elements) +
                                    " elements where the collective has " + std::to_string(wanted));
}

inline void check_vectors(std::size_t ranks, std::initializer_list<std::span<const int>> vectors) {
    for (const auto& vector : vectors)
        check_size(vector.size(), ranks);
}

/// The elements of a rank's block.
inline std::size_t block(std::size_t ranks, std::size_t elements) {
    if (elements % ranks != 0)
        throw std::invalid_argument(
            "alltoall: the number of elements must be a multiple of the number of ranks");
    return elements / ranks;
}

// What follows makes a C function's arguments up to the communicator. Throws if sizes do not fit.

template <typename... Arguments>
auto with_root(const std::tuple<Arguments...>& arguments, int root) {
    return std::tuple_cat(arguments, std::tuple(root));
}
template <typename T>
auto whole(std::span<T> values, int root) {
    return std::tuple(values.data(), count<T>(values.size()), datatype<T>(), root);
}
/// Blocks of `elements` from `send` and into `receive`.
template <typename T>
auto blocks(std::span<const T> send, std::span<T> receive, std::size_t elements) {
    const int n = count<T>(elements);
    const MPI_Datatype type = datatype<T>();
    return std::tuple(send.data(), n, type, receive.data(), n, type);
}
template <typename T>
auto gathered(std::size_t ranks, std::span<const T> send, std::span<T> receive) {
    check_size(receive.size(), send.size() * ranks);
    return blocks(send, receive, send.size());
}
template <typename T>
auto combined(std::span<const T> send, std::span<T> receive, std::size_t elements, MPI_Op op) {
    return std::tuple(send.data(), receive.data(), count<T>(elements), item<T>(), op);
}
template <typename T>
auto combined_each(std::span<const T> send, std::span<T> receive, MPI_Op op) {
    check_size(receive.size(), send.size());
    return combined(send, receive, send.size(), op);
}
template <typename T>
auto combined_blocks(std::size_t ranks, std::span<const T> send, std::span<T> receive, MPI_Op op) {
    check_size(send.size(), receive.size() * ranks);
    return combined(send, receive, receive.size(), op);
}
template <typename T>
auto combined_vector(std::size_t ranks, std::span<const T> send, std::span<T> receive,
                     std::span<const int> counts, MPI_Op op) {
    check_vectors(ranks, {counts});
    return std::tuple(send.data(), receive.data(), counts.data(), item<T>(), op);
}
template <typename T>
auto collected(std::span<const T> send, std::span<T> receive, std::span<const int> counts,
               std::span<const int> displacements) {
    return std::tuple(send.data(), count<T>(send.size()), item<T>(), receive.data(), counts.data(),
                      displacements.data(), item<T>());
}
template <typename T>
auto scattered(std::span<const T> send, std::span<const int> counts,
               std::span<const int> displacements, std::span<T> receive, int root) {
    return std::tuple(send.data(), counts.data(), displacements.data(), item<T>(), receive.data(),
                      count<T>(receive.size()), item<T>(), root);
}
template <typename T>
auto collected_everywhere(std::size_t ranks, std::span<const T> send, std::span<T> receive,
                          std::span<const int> counts, std::span<const int> displacements) {
    check_vectors(ranks, {counts, displacements});
    return collected(send, receive, counts, displacements);
}
template <typename T>
auto exchanged(std::size_t ranks, std::span<const T> send, std::span<const int> send_counts,
               std::span<const int> send_displacements, std::span<T> receive,
               std::span<const int> receive_counts, std::span<const int> receive_displacements) {
    check_vectors(ranks, {send_counts, send_displacements, receive_counts, receive_displacements});
    return std::tuple(send.data(), send_counts.data(), send_displacements.data(), item<T>(),
                      receive.data(), receive_counts.data(), receive_displacements.data(),
                      item<T>());
}
inline auto exchanged(std::size_t ranks, const void* send, std::span<const int> send_counts,
                      std::span<const int> send_displacements,
                      std::span<const MPI_Datatype> send_types, void* receive,
                      std::span<const int> receive_counts,
                      std::span<const int> receive_displacements,
                      std::span<const MPI_Datatype> receive_types) {
    check_vectors(ranks, {send_counts, send_displacements, receive_counts, receive_displacements});
    check_size(send_types.size(), ranks);
    check_size(receive_types.size(), ranks);
    return std::tuple(send, send_counts.data(), send_displacements.data(), send_types.data(),
                      receive, receive_counts.data(), receive_displacements.data(),
                      receive_types.data());
}

} // namespace alltold::detail

#endif

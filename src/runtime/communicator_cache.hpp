// SPDX-License-Identifier: BSD-3-Clause
// An object of ours for each of the program's communicators.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include <mpi.h>

#include "core/result.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold {

/// Keeps each object as an attribute of its communicator, with which MPI deletes it. `Kept` has
///   static Result<std::unique_ptr<Kept>> make(MPI_Comm comm);
///   void let_go(bool ending);
/// let_go is called before the object is deleted, and told whether MPI ends; then no communicator
/// can be freed any more.
template <typename Kept>
class CommunicatorCache {
  public:
    /// The object of `comm`, made at the first call. Fails as Kept::make and MPI do.
    static Result<Kept*> of(MPI_Comm comm) {
        // Programs call again and again on one communicator; a freed one changes the generation.
        struct Last {
            MPI_Comm comm = MPI_COMM_NULL;
            Kept* kept = nullptr;
            std::uint64_t generation = 0;
        };
        // Resolved when the library is loaded: a lookup at every call would cost more than the
        // rest.
        [[gnu::tls_model("initial-exec")]] static thread_local Last last;
        const auto now = generation_.load(std::memory_order_acquire);
        if (last.comm != comm || last.generation != now) {
            auto found = find_or_make(comm);
            if (!found)
                return found.error();
            last = {comm, *found, now};
        }
        return last.kept;
    }

    /// Deletes the object of MPI_COMM_WORLD, inside MPI_Finalize.
    static void end() {
        if (const auto key = keyval())
            PMPI_Comm_delete_attr(MPI_COMM_WORLD, *key);
    }

  private:
    static Result<Kept*> find_or_make(MPI_Comm comm) {
        const auto key = keyval();
        if (!key)
            return key.error();
        void* kept = nullptr;
        int exists = 0;
        if (auto got = ALLTOLD_PMPI(Comm_get_attr, comm, *key, &kept, &exists); !got)
            return got.error();
        if (exists)
            return static_cast<Kept*>(kept);
        auto made = Kept::make(comm);
        if (!made)
            return made.error();
        if (auto set = ALLTOLD_PMPI(Comm_set_attr, comm, *key, made->get()); !set)
            return set.error();
        return made->release();
    }

    static Result<int> keyval() {
        static const auto once = []() -> Result<int> {
            int key = MPI_KEYVAL_INVALID;
            const auto created =
                ALLTOLD_PMPI(Comm_create_keyval, MPI_COMM_NULL_COPY_FN, &forget, &key, nullptr);
            return created ? Result<int>(key) : created.error();
        }();
        return once;
    }

    static int forget(MPI_Comm comm, int, void* attribute, void*) {
        const std::unique_ptr<Kept> kept(static_cast<Kept*>(attribute));
        generation_.fetch_add(1, std::memory_order_release);
        // MPI's own communicators go away inside MPI_Finalize, and none goes after them otherwise.
        if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF)
            ending_ = true;
        kept->let_go(ending_);
        return MPI_SUCCESS;
    }

    /// Grows with every communicator that is freed.
    static inline std::atomic<std::uint64_t> generation_ = 1;
    static inline bool ending_ = false;
};

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Forces the MPI library to use one of its own algorithms.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

#include "core/result.hpp"

namespace alltold::mpi {

/// An integer control variable of the MPI library (MPI_T), by name. Reading and writing are local.
class ControlVariable {
  public:
    /// Fails where the library has none of that name, or not as an int that can be written.
    static Result<ControlVariable> find(std::string_view name);

    /// The library's own text about it.
    const std::string& description() const { return description_; }
    Result<int> read() const;
    Status write(int value) const;

  private:
    ControlVariable(std::string name, std::string description, MPI_T_cvar_handle handle);

    std::string name_;
    std::string description_;
    std::shared_ptr<MPI_T_cvar_handle> handle_;
};

/// Makes forcing possible in Open MPI: to be called before MPI_Init. Sets
/// OMPI_MCA_coll_tuned_use_dynamic_rules in our own environment unless it is set, which changes
/// nothing until an algorithm is forced.
void allow_forcing();

/// Keeps alltold's component of Open MPI out of this process, which measures what the library does
/// without it: to be called before MPI_Init.
void leave_component_out();

/// An algorithm as its library's control variables name it.
struct Forced {
    std::string collective;          ///< "bcast", "alltoallv"
    std::string name;                ///< "pipeline"
    int number = 0;                  ///< Open MPI
    std::uint64_t segment_bytes = 0; ///< Open MPI; 0: none asked for
    int requests = 0;                ///< Open MPI: at most so many at once; 0: no limit
};

/// Variables to write while it is in force, and what they held before.
///
/// Open MPI looks at them when a communicator is made, which then keeps its algorithm; MPICH at
/// every call.
class Forcing {
  public:
    /// Fails if the library cannot be forced, saying what it lacks. Local.
    static Result<Forcing> open_mpi(const Forced& what);
    static Result<Forcing> mpich(const Forced& what);

    /// Whether it must be in force during calls, and not when their communicator is made.
    bool per_call() const { return per_call_; }
    /// Local. on() and off() take turns.
    Status on();
    Status off();

  private:
    struct Setting {
        ControlVariable variable;
        int value = 0;
        int before = 0;
    };

    Forcing() = default;
    Status add(const std::string& variable, int value);

    std::vector<Setting> settings_;
    bool per_call_ = false;
};

} // namespace alltold::mpi

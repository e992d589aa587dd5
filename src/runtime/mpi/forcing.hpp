// SPDX-License-Identifier: BSD-3-Clause
// Telling the MPI library which of its own algorithms to use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/mpi/control_variable.hpp"

namespace alltold::mpi {

/// Lets Open MPI be told later: to be called before MPI_Init. Sets
/// OMPI_MCA_coll_tuned_use_dynamic_rules in our own environment unless it is set; as long as
/// nothing is forced the library's decisions stay what they are.
void allow_forcing();

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
    /// Fails where the library cannot be told, saying what it lacks. Local.
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

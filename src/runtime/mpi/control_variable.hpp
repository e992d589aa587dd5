// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's integer control variables, through MPI_T.
#pragma once

#include <string>
#include <string_view>

#include <mpi.h>

#include "core/result.hpp"

namespace alltold::mpi {

/// One of them, by name. Reading and writing are local.
class ControlVariable {
  public:
    /// Fails where the library has none of that name, or not as an int that can be written.
    static Result<ControlVariable> find(std::string_view name);

    ControlVariable(ControlVariable&& other) noexcept;
    ControlVariable& operator=(ControlVariable&& other) noexcept;
    ~ControlVariable();

    /// What the library says about it.
    const std::string& description() const { return description_; }
    Result<int> read() const;
    Status write(int value) const;

  private:
    ControlVariable(std::string name, std::string description, MPI_T_cvar_handle handle)
        : name_(std::move(name)), description_(std::move(description)), handle_(handle) {}

    std::string name_;
    std::string description_;
    MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
};

} // namespace alltold::mpi

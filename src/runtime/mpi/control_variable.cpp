// SPDX-License-Identifier: BSD-3-Clause
// MPI_T behind ControlVariable.
#include "runtime/mpi/control_variable.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace alltold::mpi {
namespace {

/// MPI_T for the whole life of the process: its handles may outlive any scope of ours.
bool tools_ready() {
    static const bool ready = [] {
        int provided = MPI_THREAD_SINGLE;
        return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
    }();
    return ready;
}

Error failed(std::string_view what, std::string_view name, int code) {
    return environment(
        fmt::format("{} of the MPI library's variable {} failed (code {})", what, name, code));
}

} // namespace

Result<ControlVariable> ControlVariable::find(std::string_view name) {
    int count = 0;
    if (!tools_ready() || MPI_T_cvar_get_num(&count) != MPI_SUCCESS)
        return environment("this MPI library has no control variables (MPI_T)");
    for (int i = 0; i < count; ++i) {
        std::array<char, 256> called{};
        std::array<char, 4096> about{};
        int called_length = called.size(), about_length = about.size();
        int verbosity = 0, bind = 0, scope = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum values = MPI_T_ENUM_NULL;
        if (MPI_T_cvar_get_info(i, called.data(), &called_length, &verbosity, &type, &values,
                                about.data(), &about_length, &bind, &scope) != MPI_SUCCESS ||
            name != called.data())
            continue;
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
        int elements = 0;
        if (const int code = MPI_T_cvar_handle_alloc(i, nullptr, &handle, &elements);
            code != MPI_SUCCESS)
            return failed("opening", name, code);
        if (type != MPI_INT || elements != 1 || scope == MPI_T_SCOPE_CONSTANT ||
            scope == MPI_T_SCOPE_READONLY) {
            MPI_T_cvar_handle_free(&handle);
            return environment(
                fmt::format("the MPI library's variable {} is not a writable integer", name));
        }
        return ControlVariable(std::string(name), about.data(), handle);
    }
    return environment(fmt::format("this MPI library has no variable {}", name));
}

ControlVariable::ControlVariable(ControlVariable&& other) noexcept
    : name_(std::move(other.name_)), description_(std::move(other.description_)),
      handle_(std::exchange(other.handle_, MPI_T_CVAR_HANDLE_NULL)) {}

ControlVariable& ControlVariable::operator=(ControlVariable&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(description_, other.description_);
    std::swap(handle_, other.handle_);
    return *this;
}

ControlVariable::~ControlVariable() {
    if (handle_ != MPI_T_CVAR_HANDLE_NULL)
        MPI_T_cvar_handle_free(&handle_);
}

Result<int> ControlVariable::read() const {
    int value = 0;
    if (const int code = MPI_T_cvar_read(handle_, &value); code != MPI_SUCCESS)
        return failed("reading", name_, code);
    return value;
}

Status ControlVariable::write(int value) const {
    if (const int code = MPI_T_cvar_write(handle_, &value); code != MPI_SUCCESS)
        return failed("writing", name_, code);
    return Done{};
}

} // namespace alltold::mpi

// SPDX-License-Identifier: BSD-3-Clause
// The variables of Open MPI and MPICH that force an algorithm, through MPI_T.
#include "runtime/mpi/forcing.hpp"

#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace alltold::mpi {
namespace {

constexpr const char* dynamic_rules = "OMPI_MCA_coll_tuned_use_dynamic_rules";

std::string in_capitals(std::string text) {
    for (auto& letter : text)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return text;
}

/// MPICH numbers the values of a variable as its description lists them, "NAME - what it does",
/// from 0 on; what ends the words before a name may stand right in front of it.
std::optional<int> number_in(std::string_view description, std::string_view name) {
    constexpr std::string_view dash = " - ";
    int number = 0;
    for (auto at = description.find(dash); at != description.npos;
         at = description.find(dash, at + 1), ++number) {
        const auto before = description.substr(0, at);
        const auto end = before.find_last_not_of(' ');
        if (end == before.npos || !before.substr(0, end + 1).ends_with(name))
            continue;
        // "pairwise" ends no word of another name: those continue with an underscore.
        const auto start = end + 1 - name.size();
        if (start == 0 || before[start - 1] != '_')
            return number;
    }
    return std::nullopt;
}

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

ControlVariable::ControlVariable(std::string name, std::string description,
                                 MPI_T_cvar_handle handle)
    : name_(std::move(name)), description_(std::move(description)),
      handle_(new MPI_T_cvar_handle(handle), [](MPI_T_cvar_handle* held) {
          MPI_T_cvar_handle_free(held);
          delete held;
      }) {}

Result<int> ControlVariable::read() const {
    int value = 0;
    if (const int code = MPI_T_cvar_read(*handle_, &value); code != MPI_SUCCESS)
        return failed("reading", name_, code);
    return value;
}

Status ControlVariable::write(int value) const {
    if (const int code = MPI_T_cvar_write(*handle_, &value); code != MPI_SUCCESS)
        return failed("writing", name_, code);
    return Done{};
}

void leave_component_out() {
    ::setenv("OMPI_MCA_coll_alltold_priority", "-1", 1);
}

void allow_forcing() {
    ::setenv(dynamic_rules, "1", 0);
}

Result<Forcing> Forcing::open_mpi(const Forced& what) {
    if (const char* rules = std::getenv(dynamic_rules); rules && !std::atoi(rules))
        return environment(fmt::format("mpi.{} cannot be forced: {} is set to '{}'; unset it",
                                       what.name, dynamic_rules, rules));
    const auto variable = fmt::format("coll_tuned_{}_algorithm", what.collective);
    Forcing forcing;
    ALLTOLD_TRY_DONE(forcing.add(variable, what.number));
    if (what.segment_bytes > 0)
        ALLTOLD_TRY_DONE(
            forcing.add(variable + "_segmentsize", static_cast<int>(what.segment_bytes)));
    if (what.requests > 0)
        ALLTOLD_TRY_DONE(forcing.add(variable + "_max_requests", what.requests));
    return forcing;
}

Result<Forcing> Forcing::mpich(const Forced& what) {
    const auto collective = in_capitals(what.collective);
    const auto name = fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM", collective);
    ALLTOLD_TRY(variable, ControlVariable::find(name));
    Forcing forcing;
    forcing.per_call_ = true;
    auto number = number_in(variable->description(), what.name);
    // From 4.1 on its dissemination takes any radix.
    if (!number && what.name == "dissemination") {
        number = number_in(variable->description(), "k_dissemination");
        ALLTOLD_TRY_DONE(forcing.add("MPIR_CVAR_BARRIER_DISSEM_KVAL", 2));
    }
    if (!number)
        return environment(fmt::format("this MPICH's {} does not list '{}'", name, what.name));
    // Without the device's own collectives, which would not look at the algorithm.
    for (const auto& [of, value] :
         {std::pair{name, *number},
          std::pair{fmt::format("MPIR_CVAR_{}_DEVICE_COLLECTIVE", collective), 0}})
        ALLTOLD_TRY_DONE(forcing.add(of, value));
    return forcing;
}

Status Forcing::add(const std::string& variable, int value) {
    ALLTOLD_TRY(found, ControlVariable::find(variable));
    settings_.push_back({std::move(*found), value, 0});
    return Done{};
}

Status Forcing::on() {
    for (auto& [variable, value, before] : settings_) {
        ALLTOLD_TRY_INTO(before, variable.read());
        ALLTOLD_TRY_DONE(variable.write(value));
    }
    return Done{};
}

Status Forcing::off() {
    for (auto& [variable, value, before] : settings_)
        ALLTOLD_TRY_DONE(variable.write(before));
    return Done{};
}

} // namespace alltold::mpi

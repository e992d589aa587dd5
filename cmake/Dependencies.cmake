# SPDX-License-Identifier: BSD-3-Clause
# Everything alltold stands on, all of it from Debian packages (scripts/setup lists them).
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(Threads REQUIRED)
# Compute nodes seldom have the packages of the machine that builds. SQLite is linked statically where
# its archive is installed. Header-only, fmt makes files take two to four times as long to compile, so
# it is only for what is installed on nodes without libfmt.
option(ALLTOLD_FMT_HEADER_ONLY "Compile fmt into programs and library, which then need no libfmt" OFF)
set(ALLTOLD_FMT fmt::fmt)
if(ALLTOLD_FMT_HEADER_ONLY)
  set(ALLTOLD_FMT fmt::fmt-header-only)
endif()
find_library(ALLTOLD_SQLITE NAMES libsqlite3.a sqlite3 REQUIRED)
# SQLiteCpp would link the shared one.
set_property(TARGET SQLiteCpp PROPERTY INTERFACE_LINK_LIBRARIES Threads::Threads)
if(ALLTOLD_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
  # We use the C bindings only; MPI's long-gone C++ ones would want a library of their own.
  target_compile_definitions(MPI::MPI_C INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
endif()

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
  execute_process(COMMAND ${MPI_C_COMPILER} -show OUTPUT_VARIABLE show ERROR_QUIET)
  set(ALLTOLD_MPI_NAME openmpi)
  if(show MATCHES "mpich")
    set(ALLTOLD_MPI_NAME mpich)
  endif()
  # Where Debian's MPICH is installed as well, programs on it get their preload library from a build for
  # Open MPI: alltold_mpich stands for it, ALLTOLD_MPIEXEC_MPICH starts its programs.
  find_program(ALLTOLD_MPICC_MPICH mpicc.mpich)
  find_program(ALLTOLD_MPIEXEC_MPICH mpiexec.mpich)
  if(ALLTOLD_MPI_NAME STREQUAL "openmpi" AND ALLTOLD_MPICC_MPICH AND ALLTOLD_MPIEXEC_MPICH)
    execute_process(COMMAND ${ALLTOLD_MPICC_MPICH} -show OUTPUT_VARIABLE show)
    string(REGEX MATCHALL " -I[^ ]+" includes "${show}")
    string(REGEX MATCHALL " -[Ll][^ \n]+" links "${show}")
    list(TRANSFORM includes REPLACE " -I" "")
    list(TRANSFORM links STRIP)
    add_library(alltold_mpich INTERFACE)
    target_include_directories(alltold_mpich SYSTEM INTERFACE ${includes})
    target_compile_definitions(alltold_mpich INTERFACE MPICH_SKIP_MPICXX)
    target_link_libraries(alltold_mpich INTERFACE ${links})
  endif()
endif()

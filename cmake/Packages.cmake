# SPDX-License-Identifier: BSD-3-Clause
# cpack makes the Debian packages alltold, liballtold0 and liballtold-dev of the components program, library and
# development. scripts/packages builds and checks them.
set(ALLTOLD_MAINTAINER "alltold maintainers <maintainers@example.org>" CACHE STRING "Of the Debian packages")
set(ALLTOLD_PACKAGE_RELEASE 1 CACHE STRING "The Debian packages' revision of this version")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME alltold)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_CONTACT ${ALLTOLD_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${ALLTOLD_PACKAGE_RELEASE})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SOURCE alltold)

# cpack indents these.
set(about "alltold measures a network, fits models of latency, bandwidth, switch
buffers and contention, predicts MPI collectives with intervals, and runs the
fastest algorithm for each call.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME alltold)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# Studies run under the launcher; labs are made with ip and tc.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "openmpi-bin, iproute2")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS ethtool)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "mpich, liballtold-dev")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "predictions and fast algorithms for MPI collectives
${about}

This package has the program, which also makes virtual clusters, and the
library that it preloads into unmodified MPI programs.")

set(library liballtold${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/shlibs
    ${PROJECT_BINARY_DIR}/debian/triggers)
file(CONFIGURE OUTPUT debian/shlibs CONTENT "liballtold ${PROJECT_VERSION_MAJOR} ${library} (>= ${PROJECT_VERSION})\n")
file(CONFIGURE OUTPUT debian/triggers CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "MPI collectives by models of the network - shared library
${about}

This package has the library for programs that call alltold's collectives.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME liballtold-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${library} (= ${PROJECT_VERSION}-${ALLTOLD_PACKAGE_RELEASE}), libopenmpi-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "MPI collectives by models of the network - development files
${about}

This package has headers, CMake and pkg-config files.")
include(CPack)

# What Debian wants in each package: its copyright and changelog.
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 --format=%aD OUTPUT_VARIABLE date
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT date)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
string(REGEX REPLACE ", ([0-9]) " ", 0\\1 " date "${date}")
set(folder ${PROJECT_BINARY_DIR}/debian)
configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/changelog.in ${folder}/changelog.Debian @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${folder}/changelog COPYONLY)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE "^.*authors\n\n|\n$" "" license "${license}")
string(REPLACE "\n" "\n " license " ${license}")
string(REPLACE "\n \n" "\n .\n" license "${license}")
configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/copyright.in ${folder}/copyright @ONLY)
execute_process(COMMAND gzip -9nkf ${folder}/changelog.Debian ${folder}/changelog)
set(program_package alltold)
set(library_package ${library})
set(development_package liballtold-dev)
foreach(component ${CPACK_COMPONENTS_ALL})
  set(documents ${CMAKE_INSTALL_DATADIR}/doc/${${component}_package})
  install(FILES ${folder}/changelog.Debian.gz ${folder}/changelog.gz
                ${folder}/copyright DESTINATION ${documents} COMPONENT ${component})
endforeach()

# SPDX-License-Identifier: BSD-3-Clause
# A module is one folder of src/ and one static library alltold_<module>. It can include its own headers
# and those of the modules named in USES; no other header of ours is on its include path, so a wrong
# include does not compile (tests/modules tries every pair).

add_library(alltold_flags INTERFACE)
# In a unity build -Wshadow would compare a file's locals with the constants of its neighbours.
target_compile_options(alltold_flags INTERFACE -Wall -Wextra -Wpedantic -Werror=narrowing
                       $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>)
# g++ 12 sees overlaps in std::string's own operators (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(alltold_flags INTERFACE -Wno-restrict)
endif()
# g++ 14 takes what an empty std::optional does not hold for used (GCC bug 80635).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  target_compile_options(alltold_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()
if(ALLTOLD_WERROR)
  target_compile_options(alltold_flags INTERFACE -Werror)
endif()
if(ALLTOLD_SANITIZE)
  target_compile_options(alltold_flags INTERFACE -fsanitize=${ALLTOLD_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(alltold_flags INTERFACE -fsanitize=${ALLTOLD_SANITIZE})
endif()
if(ALLTOLD_FUZZ)
  target_compile_options(alltold_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(alltold_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# One include root per module: a folder that holds nothing but the module.
function(alltold_include_root module result)
  set(${result} ${PROJECT_BINARY_DIR}/modules/${module} PARENT_SCOPE)
endfunction()

# alltold_use(<target> module...) lets a target include and link these modules, and nothing they use.
function(alltold_use target)
  foreach(module ${ARGN})
    alltold_include_root(${module} root)
    target_include_directories(${target} PRIVATE ${root})
    target_link_libraries(${target} PRIVATE alltold_${module})
  endforeach()
endfunction()

# For code that -O3 hardly makes quicker: -O1 takes two thirds of the time to compile.
set(alltold_cold_options $<$<CONFIG:Release>:-O1>)
function(alltold_cold target)
  target_compile_options(${target} PRIVATE ${alltold_cold_options})
endfunction()

# alltold_module(<name> [COLD] [USES module...] [LIBS target...] [PRECOMPILE header...]) makes the module of the
# current folder. USES lists everything it may include: what a used module uses must be listed as well,
# since its headers may include it. PRECOMPILE speeds up headers that take seconds to parse.
function(alltold_module name)
  cmake_parse_arguments(MODULE "COLD" "" "USES;LIBS;PRECOMPILE" ${ARGN})
  foreach(used ${MODULE_USES})
    get_property(further GLOBAL PROPERTY alltold_uses_${used})
    foreach(module ${further})
      if(NOT module IN_LIST MODULE_USES)
        message(FATAL_ERROR "src/${name}: USES names ${used}, which uses ${module}; name ${module} as well")
      endif()
    endforeach()
  endforeach()
  set_property(GLOBAL PROPERTY alltold_uses_${name} ${MODULE_USES})
  set_property(GLOBAL APPEND PROPERTY alltold_modules ${name})

  alltold_include_root(${name} root)
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(alltold_${name} STATIC ${sources})
  target_include_directories(alltold_${name} PRIVATE ${root})
  target_link_libraries(alltold_${name} PUBLIC ${MODULE_LIBS} PRIVATE alltold_flags)
  alltold_use(alltold_${name} ${MODULE_USES})
  if(MODULE_COLD)
    alltold_cold(alltold_${name})
  endif()
  if(MODULE_PRECOMPILE)
    target_precompile_headers(alltold_${name} PRIVATE ${MODULE_PRECOMPILE})
  endif()
endfunction()

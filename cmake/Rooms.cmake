# SPDX-License-Identifier: BSD-3-Clause
# A room is one folder of src/, one static library alltold_<room>, and the rooms it may look into.

add_library(alltold_flags INTERFACE)
target_compile_options(alltold_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror)
if(ALLTOLD_SANITIZE)
  target_compile_options(alltold_flags INTERFACE -fsanitize=${ALLTOLD_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(alltold_flags INTERFACE -fsanitize=${ALLTOLD_SANITIZE})
endif()

# alltold_room(<name> [USES room...] [LIBS target...]) makes the room of the current folder.
function(alltold_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(TRANSFORM ROOM_USES PREPEND alltold_)
  if(sources)
    add_library(alltold_${name} STATIC ${sources})
    target_link_libraries(alltold_${name} PUBLIC ${ROOM_USES} ${ROOM_LIBS} PRIVATE alltold_flags)
    target_include_directories(alltold_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  else()
    add_library(alltold_${name} INTERFACE)
    target_link_libraries(alltold_${name} INTERFACE ${ROOM_USES} ${ROOM_LIBS})
    target_include_directories(alltold_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
  endif()
endfunction()

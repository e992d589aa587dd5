# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE=... -DOUTPUT=... -P Commit.cmake: writes a header that names the commit of SOURCE, with -dirty
# if files differ from it; leaves it alone if it says so already, so that nothing is compiled again.
set(commit "$Format:%h$") # git archive writes the commit here
if(commit MATCHES "^.Format")
  set(commit "")
  find_program(git git)
  if(git AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --abbrev=10 --exclude=*
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define ALLTOLD_COMMIT \"${commit}\"\n" @ONLY)

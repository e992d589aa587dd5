# SPDX-License-Identifier: BSD-3-Clause
# The template of alltold's page, bundled from web/ with packages from npm. Where npm or its registry
# cannot be reached the program is built without a page, and says so. Sets ALLTOLD_PAGE_TEMPLATE to the
# file that the build makes, or to nothing.
option(ALLTOLD_PAGE "Build the HTML page of 'alltold report', which needs npm" ON)
set(ALLTOLD_PAGE_TEMPLATE "")
set(page_modules ${PROJECT_BINARY_DIR}/web)

# Installs the locked packages into the build tree, once for each content of the lock file.
function(alltold_install_page_packages result)
  file(SHA256 ${PROJECT_SOURCE_DIR}/web/package-lock.json wanted)
  set(stamp ${page_modules}/installed)
  set(installed "")
  if(EXISTS ${stamp})
    file(READ ${stamp} installed)
  endif()
  if(NOT installed STREQUAL wanted)
    message(STATUS "Installing the page's npm packages")
    file(MAKE_DIRECTORY ${page_modules})
    foreach(name package.json package-lock.json .npmrc)
      configure_file(${PROJECT_SOURCE_DIR}/web/${name} ${page_modules}/${name} COPYONLY)
    endforeach()
    # No package needs to run a script; a registry out of reach must not hold up a build for long.
    execute_process(
      COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1
              --fetch-timeout=20000
      WORKING_DIRECTORY ${page_modules} TIMEOUT 300 RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
      set(${result} FALSE PARENT_SCOPE)
      return()
    endif()
    file(WRITE ${stamp} ${wanted})
  endif()
  set(${result} TRUE PARENT_SCOPE)
endfunction()

if(ALLTOLD_PAGE)
  find_program(NPM npm)
  find_program(NODE NAMES node nodejs)
  if(NPM AND NODE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/package-lock.json)
    alltold_install_page_packages(page_packages)
  endif()
  if(NOT NPM OR NOT NODE)
    message(WARNING "npm or node not found: 'alltold report' and 'alltold study' will make no page")
  elseif(NOT page_packages)
    message(WARNING "npm could not install the packages of web/package-lock.json: 'alltold report' and "
                    "'alltold study' will make no page. Configure again to try again; "
                    "-DALLTOLD_PAGE=OFF skips it.")
  else()
    set(ALLTOLD_PAGE_TEMPLATE ${page_modules}/page.html)
    file(GLOB page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.html ${PROJECT_SOURCE_DIR}/web/*.mjs
         ${PROJECT_SOURCE_DIR}/web/src/*)
    add_custom_command(
      OUTPUT ${ALLTOLD_PAGE_TEMPLATE}
      COMMAND ${NODE} ${PROJECT_SOURCE_DIR}/web/bundle.mjs ${page_modules} ${ALLTOLD_PAGE_TEMPLATE}
      DEPENDS ${page_sources} ${page_modules}/installed
      COMMENT "Bundling the page" VERBATIM)
    add_custom_target(alltold_page DEPENDS ${ALLTOLD_PAGE_TEMPLATE})
  endif()
endif()

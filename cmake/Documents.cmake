# SPDX-License-Identifier: BSD-3-Clause
# The documents and examples, with the folders that their links expect.
include(GNUInstallDirs)
install(FILES README.md ARCHITECTURE.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
if(NOT ALLTOLD_PACKAGES) # which have them in Debian's form
  install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
endif()

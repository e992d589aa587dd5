-- SPDX-License-Identifier: BSD-3-Clause
-- Lmod: copy to MODULEPATH/alltold/0.1.0.lua and set the prefix that cmake --install was given.
local prefix = "/opt/alltold"
local libraries = pathJoin(prefix, "lib") -- some systems have lib64 or lib/x86_64-linux-gnu

whatis("Name: alltold")
whatis("Version: 0.1.0")
whatis("Description: Predicts MPI collectives on a network and runs the fastest algorithm")
help([[
alltold measures a network, predicts MPI collectives and runs the fastest algorithm: man alltold.
Set ALLTOLD_PROFILE to the profile of this cluster for "alltold exec" and liballtold.
]])

-- It is built for one MPI library: load that first.
-- depends_on("openmpi")

prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
prepend_path("LD_LIBRARY_PATH", libraries)
prepend_path("PKG_CONFIG_PATH", pathJoin(libraries, "pkgconfig"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
setenv("ALLTOLD_ROOT", prefix)
-- A study of this cluster that all its users share:
-- setenv("ALLTOLD_PROFILE", "/opt/alltold/profiles/this-cluster.json")

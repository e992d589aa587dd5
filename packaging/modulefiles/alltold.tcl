#%Module1.0
# SPDX-License-Identifier: BSD-3-Clause
# Environment Modules: copy to MODULEPATH/alltold/0.1.0 and set the prefix that cmake --install was given.
set prefix /opt/alltold
set libraries $prefix/lib ;# some systems have lib64 or lib/x86_64-linux-gnu

module-whatis "Predicts MPI collectives on a network and runs the fastest algorithm"
proc ModulesHelp {} {
    puts stderr "alltold measures a network, predicts MPI collectives and runs the fastest algorithm: man alltold."
    puts stderr "Set ALLTOLD_PROFILE to the profile of this cluster for \"alltold exec\" and liballtold."
}

# It is built for one MPI library: load that first.
# prereq openmpi

prepend-path PATH $prefix/bin
prepend-path MANPATH $prefix/share/man
prepend-path LD_LIBRARY_PATH $libraries
prepend-path PKG_CONFIG_PATH $libraries/pkgconfig
prepend-path CMAKE_PREFIX_PATH $prefix
setenv ALLTOLD_ROOT $prefix
# A study of this cluster that all its users share:
# setenv ALLTOLD_PROFILE /opt/alltold/profiles/this-cluster.json

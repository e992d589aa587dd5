# SPDX-License-Identifier: BSD-3-Clause
# A recipe for a Spack repository of your own:
#   spack repo create mine && spack repo add mine
#   mkdir mine/packages/alltold && cp package.py mine/packages/alltold
#   spack install alltold ^openmpi
from spack.package import *


class Alltold(CMakePackage):
    """Predicts how long MPI collectives take on a network, and runs the fastest algorithm."""

    git = "file:///path/to/alltold"  # the repository that you cloned
    license("BSD-3-Clause")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("mpi", default=True, description="Measure, run and the library; else predictions and labs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi", when="+mpi")
    depends_on("cli11")
    depends_on("fmt")
    depends_on("nlohmann-json")
    depends_on("eigen")
    depends_on("sqlitecpp")
    depends_on("sqlite")
    # Labs, also of studies outside MPI, are made with these.
    depends_on("iproute2", type="run")
    depends_on("util-linux", type="run")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("ALLTOLD_MPI", "mpi"),
            self.define("ALLTOLD_TESTS", False),
        ]
        if self.spec.satisfies("+mpi"):
            args.append(self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc))
        return args

// SPDX-License-Identifier: BSD-3-Clause
// The probe of MPI_Alltoall.
#pragma once

#include "measure/probe.hpp"

namespace alltold::measure {

/// The library's own all-to-all of m bytes for each pair: seconds from an agreed instant to the
/// last rank's finish.
Probe alltoall_probe();

} // namespace alltold::measure

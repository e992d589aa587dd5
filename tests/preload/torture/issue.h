// SPDX-License-Identifier: BSD-3-Clause
// The MPI call that a Call stands for, in each of its forms.
#pragma once

#include "call.h"

/// By the library, blocking, with the memory of the reference.
void issue_reference(const Call* call);
void issue_blocking(const Call* call);
void issue_nonblocking(Call* call);
/// Makes the request without starting it.
void issue_persistent(Call* call);

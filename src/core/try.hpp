// SPDX-License-Identifier: BSD-3-Clause
// The macros ALLTOLD_TRY and ALLTOLD_TRY_DONE.
#pragma once

#include "core/result.hpp"

// SPDX-License-Identifier: BSD-3-Clause
// The readers behind import_formats().
#pragma once

#include "store/import/import.hpp"

namespace alltold {

/// One sample per row and file: the mean over iterations. The ranks are the source's.
Result<ImportedTimes> read_osu(const ImportSource& source);
/// One sample per row; the ranks are the first ones of the source's, as many as the text says.
Result<ImportedTimes> read_imb(const ImportSource& source);
/// One sample per row, each a repetition. The ranks are the source's.
Result<ImportedTimes> read_repro(const ImportSource& source);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Rules files of Open MPI and MPICH, as each of several versions would read them.
#include <algorithm>

#include "../fuzz.hpp"
#include "rulefile/lint.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    const auto text = fuzz::text_of(data, size);
    const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
    for (const auto& target :
         {rulefile::Target{}, rulefile::Target{MpiLibrary::open_mpi, 4, 1, 4},
          rulefile::Target{MpiLibrary::open_mpi, 6, 0}, rulefile::Target{MpiLibrary::mpich, 4, 0}})
        if (const auto lint = rulefile::lint(text, target))
            for (const auto& [line, what, right] : lint->findings) {
                fuzz::expect(line >= 0 && line <= lines, "a finding is about a line of the file");
                fuzz::expect(!what.empty() && !right.empty(), "a finding says what is right");
            }
    return 0;
}

// SPDX-License-Identifier: BSD-3-Clause
#include "lab/ucx_finalize.hpp"

#include <cstddef>

asm(".pushsection .rodata\n"
    "alltold_ucx_finalize_begin: .incbin \"" ALLTOLD_UCX_FINALIZE "\"\n"
    "alltold_ucx_finalize_end: .byte 0\n"
    ".popsection\n"
    ".globl alltold_ucx_finalize_begin, alltold_ucx_finalize_end\n");

extern "C" const char alltold_ucx_finalize_begin[], alltold_ucx_finalize_end[];

namespace alltold::lab {

std::string_view ucx_finalize_library() {
    return {alltold_ucx_finalize_begin,
            static_cast<std::size_t>(alltold_ucx_finalize_end - alltold_ucx_finalize_begin)};
}

} // namespace alltold::lab

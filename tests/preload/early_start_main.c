// SPDX-License-Identifier: BSD-3-Clause
// Uses a library that starts MPI: early_start_main WORD. Ends with 1 unless WORD is "one word".
#include <string.h>

int early_sum(void);

int main(int argc, char** argv) {
    early_sum();
    return argc != 2 || strcmp(argv[1], "one word") != 0;
}

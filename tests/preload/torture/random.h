// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that are the same on every machine: splitmix64.
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t state;
} Random;

static inline uint64_t draw(Random* random) {
    uint64_t x = random->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// A number from 0 to n - 1.
static inline int below(Random* random, int n) {
    return (int)(draw(random) % (uint64_t)n);
}

static inline int one_in(Random* random, int n) {
    return below(random, n) == 0;
}

/// Another sequence, determined by `seed`, `a` and `b`.
static inline Random derived(uint64_t seed, uint64_t a, uint64_t b) {
    Random random = {seed ^ a * 0xd1342543de82ef95u ^ b * 0x2545f4914f6cdd1du};
    draw(&random);
    return random;
}

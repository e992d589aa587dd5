// SPDX-License-Identifier: BSD-3-Clause
// No static object of this library is destroyed.

extern "C" {

/// The compiler registers the destructors of static objects by this name, and the linker finds ours
/// first. A program may end MPI after main, by a destructor or an atexit handler of its own, which
/// can run after ours would have.
int __cxa_atexit(void (*)(void*), void*, void*) noexcept {
    return 0;
}

} // extern "C"

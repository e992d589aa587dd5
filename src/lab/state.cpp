// SPDX-License-Identifier: BSD-3-Clause
#include "lab/state.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include "lab/process.hpp"

namespace alltold::lab {

void Lateness::add(double late_ns) {
    const auto late = static_cast<std::uint64_t>(late_ns > 0 ? late_ns : 0);
    count.fetch_add(1, std::memory_order_relaxed);
    sum_ns.fetch_add(late, std::memory_order_relaxed);
    if (late > worst_ns.load(std::memory_order_relaxed))
        worst_ns.store(late, std::memory_order_relaxed);
    if (late > 1'000'000)
        over_1ms.fetch_add(1, std::memory_order_relaxed);
}

Result<Shared*> map_shared(bool create) {
    const std::string path = state_dir + "/shared";
    const Fd file(
        open(path.c_str(), create ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC, 0644));
    if (!file.open() || (create && ftruncate(file.get(), sizeof(Shared)) != 0))
        return system_error(path);
    void* at = mmap(nullptr, sizeof(Shared), create ? PROT_READ | PROT_WRITE : PROT_READ,
                    MAP_SHARED, file.get(), 0);
    if (at == MAP_FAILED)
        return system_error(path);
    return create ? new (at) Shared : static_cast<Shared*>(at);
}

} // namespace alltold::lab

// Huge pages for arrays that are accessed at random: fewer TLB misses.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tideline::support {

// Asks the system to put memory that has not been touched yet on large pages. It may refuse; nothing depends on it.
inline void advise_large_pages(void* begin, std::size_t bytes) {
    constexpr std::size_t kLargePage = std::size_t{2} << 20U;
    if (bytes < 2 * kLargePage) return;
    const auto first = (reinterpret_cast<std::uintptr_t>(begin) + kLargePage - 1) / kLargePage * kLargePage;
    const auto end = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / kLargePage * kLargePage;
    if (first < end) (void)::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

// Makes an empty vector `size` elements long, on large pages where they can be had.
template <class Element>
void assign_on_large_pages(std::vector<Element>& vector, std::size_t size, const Element& value) {
    if (vector.capacity() < size) {
        vector = {};
        vector.reserve(size);
        advise_large_pages(vector.data(), size * sizeof(Element));
    }
    vector.assign(size, value);
}

}  // namespace tideline::support

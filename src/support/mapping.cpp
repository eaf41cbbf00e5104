#include "support/mapping.hpp"

#include <sys/mman.h>

#include <new>

namespace tideline {

Mapping::Mapping(std::size_t bytes) : bytes_(bytes) {
    void* place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(place);
}

Mapping::~Mapping() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
}

}  // namespace tideline

#include "support/mapping.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tideline::support {
namespace {

constexpr std::size_t kSmallestMapped = std::size_t{32} << 10U;
constexpr std::size_t kReserve = 4;  // factor on what is needed

bool is_mapped(std::size_t bytes) { return bytes >= kSmallestMapped; }

std::byte* map(std::size_t bytes, int flags = 0) {
    void* address =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (address == MAP_FAILED) throw std::bad_alloc();
    return static_cast<std::byte*>(address);
}

bool are_addresses_limited() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// Null where the system refuses.
std::byte* remap(std::byte* data, std::size_t from, std::size_t to) {
#ifdef __SANITIZE_THREAD__
    // The sanitizer does not know mremap: addresses that it frees and gives to another thread would look like shared
    // ones.
    std::byte* moved = map(to);
    std::memcpy(moved, data, from);
    ::munmap(data, from);
    return moved;
#endif
    void* address = ::mremap(data, from, to, MREMAP_MAYMOVE);
    return address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
}

std::byte* reallocate(std::byte* data, std::size_t from, std::size_t to) {
    auto* address = static_cast<std::byte*>(std::realloc(data, to));
    if (address == nullptr) throw std::bad_alloc();
    std::memset(address + from, 0, to - from);
    return address;
}

}  // namespace

void Mapping::grow(std::size_t bytes) {
    if (bytes <= bytes_) return;
    if (!is_mapped(bytes)) {
        data_ = reallocate(data_, bytes_, bytes);
    } else if (data_ != nullptr && is_mapped(bytes_)) {
        if (bytes > reserved_) move(bytes);
    } else {
        std::byte* address = map(bytes);
        if (data_ != nullptr) std::memcpy(address, data_, bytes_);
        std::free(data_);
        data_ = address;
        reserved_ = bytes;
    }
    bytes_ = bytes;
}

void Mapping::move(std::size_t bytes) {
    // Where addresses are limited, leave them to others.
    for (const std::size_t wanted : {are_addresses_limited() ? bytes : kReserve * bytes, bytes}) {
        std::byte* address = wanted < bytes ? nullptr : remap(data_, reserved_, wanted);
        if (address == nullptr) continue;
        data_ = address;
        reserved_ = wanted;
        return;
    }
    throw std::bad_alloc();
}

void Mapping::grow_resident(std::size_t bytes) {
    const std::size_t before = bytes_;
    grow(bytes);
#ifdef MADV_POPULATE_WRITE
    constexpr std::size_t kPage = 4096;
    const std::size_t begin = (before + kPage - 1) / kPage * kPage;
    // Where the system does not support this, pages become resident when touched.
    if (is_mapped(bytes_) && begin < bytes_) ::madvise(data_ + begin, bytes_ - begin, MADV_POPULATE_WRITE);
#else
    static_cast<void>(before);
#endif
}

Mapping Mapping::resident(std::size_t bytes) {
    if (!is_mapped(bytes)) return Mapping(bytes);
    Mapping result;
    result.data_ = map(bytes, MAP_POPULATE);
    result.bytes_ = result.reserved_ = bytes;
    return result;
}

void Mapping::give_back(std::size_t offset, std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t begin = (offset + page - 1) / page * page;
    const std::size_t end = std::min(offset + bytes, bytes_) / page * page;
    if (begin < end) madvise(data_ + begin, end - begin, MADV_DONTNEED);
}

Mapping::~Mapping() {
    if (is_mapped(bytes_)) ::munmap(data_, reserved_);
    else std::free(data_);
}

}  // namespace tideline::support

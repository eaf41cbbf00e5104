// Zeroed memory that can grow and is returned at once when dropped. Large pieces are mapped directly: only touched
// pages are resident, and growing copies no bytes. A mapping that has grown keeps addresses in reserve, so that it need
// not move the next time: moving pages interrupts all processors that the program runs on. Small pieces come from the
// heap.
#pragma once

#include <cstddef>
#include <utility>

namespace tideline::support {

class Mapping {
public:
    Mapping() = default;
    // Throws std::bad_alloc where the system refuses.
    explicit Mapping(std::size_t bytes) { grow(bytes); }
    // The same, resident from the beginning: for memory that will be touched completely.
    static Mapping resident(std::size_t bytes);
    Mapping(Mapping&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          bytes_(std::exchange(other.bytes_, 0)),
          reserved_(std::exchange(other.reserved_, 0)) {}
    Mapping& operator=(Mapping&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(reserved_, other.reserved_);
        return *this;
    }
    ~Mapping();

    // Keeps the contents; what is added is 0. Throws std::bad_alloc as above, and nothing has changed then.
    void grow(std::size_t bytes);
    // What is added becomes resident at once.
    void grow_resident(std::size_t bytes);

    // These bytes are no longer needed: whole pages of them return to the system and read as 0 from then on.
    void give_back(std::size_t offset, std::size_t bytes);

    [[nodiscard]] std::byte* data() { return data_; }
    [[nodiscard]] const std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    void move(std::size_t bytes);

    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
    std::size_t reserved_ = 0;  // bytes of addresses, where they come from the system
};

}  // namespace tideline::support

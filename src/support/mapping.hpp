// Zeroed memory that can grow and is given back at once when dropped. Large pieces come straight from the system: only what was touched
// is resident, and growing moves no bytes. One that has grown has addresses in reserve, so that it need not move the next times: to move pages all
// processors that a program runs on are interrupted. Small pieces come from the heap.
#pragma once

#include <cstddef>
#include <utility>

namespace tideline {

class Mapping {
public:
    Mapping() = default;
    // Throws std::bad_alloc where the system refuses.
    explicit Mapping(std::size_t bytes) { grow(bytes); }
    // The same, resident from the beginning: for memory that is going to be touched all over.
    static Mapping resident(std::size_t bytes);
    Mapping(Mapping&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)), reserved_(std::exchange(other.reserved_, 0)) {}
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

    // These bytes are not needed any more: whole pages of them go back to the system and are 0 from then on.
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

}  // namespace tideline

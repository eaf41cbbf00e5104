// How much memory the process uses and how much it may use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tideline::support {

// A limit on the memory of a search, not of the program itself. What is resident when the search begins does not count,
// up to 100 MB; neither do pages of files, which the system has on disk as well.
class MemoryLimit {
public:
    // Nothing: no limit. Gives free memory back first, so that it does not count as the program's.
    explicit MemoryLimit(std::optional<std::uint64_t> bytes);

    [[nodiscard]] const std::optional<std::uint64_t>& bytes() const { return bytes_; }
    // Since the search began.
    [[nodiscard]] std::uint64_t taken() const;
    [[nodiscard]] bool allows(std::uint64_t more) const { return !bytes_ || taken() + more <= *bytes_; }
    // This many of the allocated bytes belong to the program, such as machine code, up to 100 MB in total.
    void set_aside(std::uint64_t more);

private:
    std::optional<std::uint64_t> bytes_;
    std::uint64_t own_ = 0;
};

// Bytes of physical memory that the process holds now, and the peak; 0 where the system does not report it.
std::uint64_t resident_memory();
// The part of it that is not the contents of a file.
std::uint64_t anonymous_memory();
std::uint64_t peak_resident_memory();
// Returns free heap memory to the system.
void release_free_memory();

// The memory that the process can expect: what the machine has available, or less where a control group (version 1 or
// 2, its own or one above it) or the limit on the address space leaves less. Memory of other processes is not
// available. Pages of files are, since the system reclaims them. Nothing where none of these is known. `root` is where
// proc and sys are found.
std::optional<std::uint64_t> available_memory(const std::filesystem::path& root = "/");

// The default memory limit of a search: three quarters of the available memory; the rest is for the system and for what
// the search does not count. 1 GB where nothing is known.
std::uint64_t default_memory_limit(const std::filesystem::path& root = "/");

}  // namespace tideline::support

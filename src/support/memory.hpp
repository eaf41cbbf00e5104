// How much memory the process uses and how much it may use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tideline {

// A limit on what a search takes beside what the program itself takes: what is resident when the search begins is set aside, up to 100 MB, and
// so are pages of files at any time, which the system has on disk as well.
class MemoryLimit {
public:
    // Nothing: no limit. Gives free memory back first, so that it does not count as the program's.
    explicit MemoryLimit(std::optional<std::uint64_t> bytes);

    [[nodiscard]] const std::optional<std::uint64_t>& bytes() const { return bytes_; }
    // Since the search began.
    [[nodiscard]] std::uint64_t taken() const;
    [[nodiscard]] bool allows(std::uint64_t more) const { return !bytes_ || taken() + more <= *bytes_; }
    // So much of what was taken belongs to the program, such as machine code, as far as 100 MB are not reached yet.
    void set_aside(std::uint64_t more);

private:
    std::optional<std::uint64_t> bytes_;
    std::uint64_t own_ = 0;
};

// Bytes of physical memory that the process holds now, and the most it ever held; 0 where the system does not tell.
std::uint64_t resident_memory();
// Of that, what is not the contents of a file.
std::uint64_t anonymous_memory();
std::uint64_t peak_resident_memory();
// Gives what the heap holds free back to the system.
void release_free_memory();

// The memory that the process can hope for: what the machine has available, or less where a control group (version 1 or 2, its own or one
// above it) or the limit on the address space leaves less beside what is in use there. What others use is not available, but pages of
// files are, which the system gives up. Nothing where none of these is known. `root` is where proc and sys are found.
std::optional<std::uint64_t> available_memory(const std::filesystem::path& root = "/");

// What a search may use where the user does not say: three quarters of the available memory, the rest being for the system and what
// the search does not count; 1 GB where nothing is known.
std::uint64_t default_memory_limit(const std::filesystem::path& root = "/");

}  // namespace tideline

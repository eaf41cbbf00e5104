// How much memory the process uses and how much it may use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tideline {

// Bytes of physical memory that the process holds now, and the most it ever held; 0 where the system does not tell.
std::uint64_t resident_memory();
std::uint64_t peak_resident_memory();
// Gives what the heap holds free back to the system.
void release_free_memory();

// The memory that the process can hope for: the machine's, or less where a control group (version 1 or 2, its own or one above it)
// or the limit on the address space allows less. Nothing where none of these is known. `root` is where proc and sys are found.
std::optional<std::uint64_t> available_memory(const std::filesystem::path& root = "/");

// What a search may use where the user does not say: three quarters of the available memory, the rest being for the system and what
// the search does not count; 1 GB where nothing is known.
std::uint64_t default_memory_limit(const std::filesystem::path& root = "/");

}  // namespace tideline

// Sizes and durations as people write them, and numbers as people read them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/diagnostic.hpp"

namespace tideline::support {

// "512M", "8G", "1.5G", "100K", "2T", "64B" (also "512MB", "512MiB", in either case): bytes, in units of 1024. A unit
// is needed.
Result<std::uint64_t> parse_size(std::string_view text);

// "500ms", "90s", "10m", "2h", "1d". A unit is needed.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

// "640 B", "1.2 GB", in units of 1024.
std::string bytes_text(std::uint64_t bytes);

// "1,119,560"
std::string count_text(std::uint64_t count);

// "350 ms", "3.2 s", "2 min 05 s", "3 h 07 min", "2 d 05 h"
std::string duration_text(double seconds);

// "1.4 M/s", "350 k/s", "12 /s"
std::string rate_text(double per_second);

}  // namespace tideline::support

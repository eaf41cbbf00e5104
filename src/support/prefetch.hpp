// Prefetches a cache line. Always inlined, and so must be functions that only call it: the compiler takes a function
// that only prefetches for one without effects and drops the calls.
#pragma once

namespace tideline::support {

[[gnu::always_inline]] inline void prefetch_line(const void* address) { __builtin_prefetch(address); }

}  // namespace tideline::support

// Brings a cache line closer. Always inlined, and so must be what calls it for that alone: the compiler takes a function that only prefetches
// for one without effect and drops the calls.
#pragma once

namespace tideline {

[[gnu::always_inline]] inline void prefetch_line(const void* address) { __builtin_prefetch(address); }

}  // namespace tideline

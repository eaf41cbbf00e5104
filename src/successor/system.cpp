#include "successor/system.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tideline {

std::uint64_t hash_state(const Word* state, std::size_t words) { return XXH3_64bits(state, words * sizeof(Word)); }

SuccessorBatch::SuccessorBatch(std::size_t state_words, std::size_t capacity)
    : state_words_(state_words), states_(state_words * capacity), hashes_(capacity), sources_(capacity),
      transitions_(capacity), marks_(capacity), faults_(capacity), keys_(capacity) {}

}  // namespace tideline

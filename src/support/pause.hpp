// What a thread does between two looks at a word that another thread is about to write.
#pragma once

namespace tideline::support {

inline void pause_processor() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace tideline::support

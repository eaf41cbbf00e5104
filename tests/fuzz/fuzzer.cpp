// A program of libFuzzer for the target TIDELINE_FUZZ_TARGET.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tideline::fuzz::TIDELINE_FUZZ_TARGET({data, size});
    return 0;
}

// The only entry point of this folder, which is a library of its own: LLVM is large, and most runs are too short to
// need it. The library is loaded for a compilation and unloaded afterwards (see ../compile.cpp).
#pragma once

#include <string>

#include "successor/native/native_code.hpp"

namespace tideline::successor::codegen {

inline constexpr const char* kGenerateCodeSymbol = "tideline_generate_code";
// False where it was abandoned, and, with the reason in `problem`, where the machine does not allow it.
using GenerateCode = bool(const CodeRequest& request, CodeImage& image, std::string& problem);

}  // namespace tideline::successor::codegen

// From a model and its layout to modules of LLVM's intermediate code.
#pragma once

#include <llvm/IR/Module.h>

#include <functional>

#include "successor/native/native_code.hpp"

namespace tideline::successor::codegen {

// A separately compiled part of the code; it refers only to earlier ones.
using Unit = std::function<void(llvm::Module& unit)>;

// Hands over the code unit by unit. The exported functions are those of NativeFunctions: expand, collect_all, collect0,
// collect1, ..., effects0, ..., labels, key. Throws Abandoned (emitter.hpp) where the request says so.
void generate(const CodeRequest& request, const Unit& unit);

}  // namespace tideline::successor::codegen

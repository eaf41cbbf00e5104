// From a model and its layout to a module of LLVM's intermediate code.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "successor/native/native_code.hpp"

namespace tideline::codegen {

struct GeneratedModule {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;  // belongs to the context
};

// Its exported functions are those of NativeFunctions: expand, collect_all, collect0, collect1, ..., effects0, ..., labels, key.
[[nodiscard]] GeneratedModule generate(const CodeRequest& request);

}  // namespace tideline::codegen

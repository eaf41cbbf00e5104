// From a model and its layout to the intermediate code of LLVM; compile.cpp makes it run.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>

#include "model/model.hpp"
#include "successor/key.hpp"
#include "successor/layout.hpp"

namespace tideline {

struct GeneratedCode {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;  // belongs to the context; has one external function, "expand"
};

[[nodiscard]] GeneratedCode generate(const Model& model, const Layout& layout, const KeyProgram& key);

}  // namespace tideline

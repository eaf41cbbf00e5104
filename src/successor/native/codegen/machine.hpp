// From a module of LLVM's intermediate code to machine code in memory that needs nothing of LLVM any more.
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <functional>
#include <string>

namespace tideline::codegen {

// A mapping of its own; the caller unmaps it.
struct MachineCode {
    void* mapping = nullptr;
    std::size_t size = 0;
    bool is_large = false;  // it took long
};

// `found` is called for every exported function with its name and address. False, with the reason, where the machine does not allow it.
[[nodiscard]] bool make_machine_code(llvm::Module& module, const std::function<void(const std::string&, std::uint64_t)>& found,
                                     MachineCode& code, std::string& problem);

}  // namespace tideline::codegen

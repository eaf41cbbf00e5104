// From modules of LLVM's intermediate code to machine code in memory that no longer needs LLVM.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tideline::successor::codegen {

// A separate mapping; the caller unmaps it.
struct MachineCode {
    void* mapping = nullptr;
    std::size_t size = 0;
    bool is_large = false;  // it took long
};

// Compiles modules one after the other; what they export can be used when they are linked.
class MachineCompiler {
public:
    MachineCompiler();
    MachineCompiler(const MachineCompiler&) = delete;
    MachineCompiler& operator=(const MachineCompiler&) = delete;
    ~MachineCompiler();

    // Both return false, with the reason, where the machine does not allow it.
    [[nodiscard]] bool compile(llvm::Module& module, std::string& problem);
    // `found` is called for every exported function with its name and address.
    [[nodiscard]] bool link(const std::function<void(const std::string&, std::uint64_t)>& found, MachineCode& code,
                            std::string& problem);

private:
    struct Object {
        llvm::SmallVector<char, 0> bytes;
        std::vector<std::string> exported;
    };
    std::unique_ptr<llvm::TargetMachine> machine_;
    std::vector<Object> objects_;
    std::size_t instructions_ = 0;  // before optimisation
};

}  // namespace tideline::successor::codegen

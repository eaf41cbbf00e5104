// What all parts of the code generator share: the module that is being written, the place in it, and the ways out of the code at hand.
//
// Conditions are not branched on at once. A condition that must hold is kept pending while the code that follows is harmless where it
// does not hold: it then runs in vain, which is cheaper than a branch that the processor guesses wrong. Whoever emits something that is not
// harmless, or a branch of its own, calls settle() first.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

#include "successor/native/native_code.hpp"

namespace tideline::codegen {

// A value of the program being compiled, and the range in which it lies.
struct Known {
    llvm::Value* value = nullptr;
    Range range;
    llvm::Value* bit = nullptr;  // of a truth value: the same in one bit
};

[[nodiscard]] inline std::uint64_t span_of(Range range) {
    return static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
}
[[nodiscard]] inline bool is_inside(Range inner, Range outer) { return outer.low <= inner.low && inner.high <= outer.high; }

// Where the ways through a piece of code meet, with a value that each of them brings.
struct Meeting {
    llvm::BasicBlock* block = nullptr;
    llvm::PHINode* value = nullptr;
};

// Where faults of the code at hand lead; made when the first one is possible.
struct FaultSink {
    llvm::BasicBlock* block = nullptr;
    llvm::PHINode* kind = nullptr;  // a FaultKind in 32 bits
};

// The work on the code is given up.
struct Abandoned {};

class Emitter {
public:
    explicit Emitter(const CodeRequest& wanted);

    const CodeRequest& request;
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;
    llvm::IRBuilder<> b;
    llvm::Type* const i1;
    llvm::Type* const i8;
    llvm::Type* const i32;
    llvm::Type* const i64;
    llvm::Type* const i128;
    llvm::Type* const pointer;

    // ---- units
    // A large model becomes several modules, which are compiled one after the other and refer to each other by name.
    bool is_split = false;  // to be set before the first function
    // The module as far as it was written; another one is begun.
    std::unique_ptr<llvm::Module> take_module();
    // A function of this module or of an earlier one.
    struct Callee {
        std::string name;
        llvm::FunctionType* type = nullptr;
    };
    static Callee callee(const llvm::Function& function) { return {function.getName().str(), function.getFunctionType()}; }
    // Calls it the way in which generated functions call each other.
    llvm::CallInst* call(const Callee& callee, const std::vector<llvm::Value*>& arguments);

    // ---- the function at hand
    // Throws Abandoned where there is no time or memory left to go on.
    llvm::Function* begin_function(const std::string& name, llvm::Type* result, const std::vector<llvm::Type*>& arguments, bool exported);
    llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(*context, name, function_); }
    llvm::Value* constant(tideline::Value value) { return b.getInt64(static_cast<std::uint64_t>(value)); }
    Known known(tideline::Value value) { return {constant(value), {value, value}, nullptr}; }
    llvm::Value* truth(const Known& value) { return value.bit != nullptr ? value.bit : b.CreateICmpNE(value.value, b.getInt64(0)); }
    Known from_bit(llvm::Value* bit) { return {b.CreateZExt(bit, i64), {0, 1}, bit}; }
    // Constants in memory, for all functions that follow.
    using ArrayId = std::size_t;
    ArrayId add_array(const std::vector<tideline::Value>& values);
    llvm::GlobalVariable* array(ArrayId id);

    // Whether steps may sleep.
    [[nodiscard]] bool sleeps() const { return request.commuting.classes() > 0; }

    // ---- conditions
    // Goes on only where the condition holds; where not, the code ends at the exit with the value for that case.
    void require(llvm::Value* condition);
    void settle();
    // The condition on which the code at hand is not run in vain; null: none. It is not pending any more.
    llvm::Value* take_pending();
    void set_exit(Meeting exit, llvm::Value* when_refused);
    void leave(llvm::Value* value);  // to the exit
    Meeting meeting(const char* name, llvm::Type* type);

    // ---- faults
    void set_faults(FaultSink* sink) { faults_ = sink; }
    [[nodiscard]] FaultSink* faults() const { return faults_; }
    // Goes on only where `good` holds.
    void require_no_fault(llvm::Value* good, FaultKind kind);

    // ---- giving up
    // From here on `run` is told why, with `place` entries made, and the exit is taken with `when_given_up`.
    void set_run(llvm::Value* run, llvm::Value* place, llvm::Value* when_given_up);
    [[nodiscard]] llvm::Value* run() const { return run_; }
    void give_up(NativeRun::Code code, llvm::Value* slot, llvm::Value* value);
    // Goes on only where `fits` holds; else the packing is too narrow for the value.
    void require_fit(llvm::Value* fits, llvm::Value* slot, llvm::Value* value);
    llvm::Value* run_member(std::size_t offset) { return b.CreateConstGEP1_64(i8, run_, offset); }

private:
    llvm::Function* give_up_function();

    llvm::Function* function_ = nullptr;
    llvm::Function* give_up_ = nullptr;
    llvm::Value* pending_ = nullptr;
    Meeting exit_;
    llvm::Value* when_refused_ = nullptr;
    FaultSink* faults_ = nullptr;
    llvm::Value* run_ = nullptr;
    llvm::Value* place_ = nullptr;
    llvm::Value* when_given_up_ = nullptr;
    unsigned names_ = 0;                 // that were numbered
    std::vector<std::size_t> arrays_;    // by number: how long
};

}  // namespace tideline::codegen
